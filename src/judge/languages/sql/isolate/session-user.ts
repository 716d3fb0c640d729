import type { Engine } from './engine.ts';
import type { MemoryExports } from './memory.ts';

/** OID of the superuser (src/include/catalog/pg_authid.dat). */
const BOOTSTRAP = 10;
/** Words. */
const NEAR = 8;

/**
 * Single-user mode signs the superuser in, and RESET SESSION AUTHORIZATION would return to it: "learner" replaces it in memory
 * (`AuthenticatedUserId` in miscinit.c).
 */
export function becomeLearner(
  engine: Engine,
  memory: ArrayBuffer,
  { __heap_base: end }: MemoryExports,
): void {
  const { table } = engine.run("SELECT oid FROM pg_catalog.pg_authid WHERE rolname = 'learner'");
  const learner = Number(table?.rows[0]?.[0]);
  engine.run('SET SESSION AUTHORIZATION learner');
  const words = new Uint32Array(memory, 0, end.value >> 2);
  const found: number[] = [];
  // Session, outer and current user.
  for (let at = 0; at < words.length - NEAR; at += 1) {
    if (words[at] !== learner || words[at + 1] !== learner || words[at + 2] !== learner) continue;
    if (words[at - 1] === learner || words[at + 3] === learner) continue;
    for (let near = at + 3; near < at + NEAR; near += 1) if (words[near] === BOOTSTRAP) found.push(near);
    for (let near = at - NEAR; near < at; near += 1) if (words[near] === BOOTSTRAP) found.push(near);
  }
  if (found.length !== 1) throw new Error(`the authenticated user is found at ${found.length} places`);
  words[found[0]!] = learner;
  for (const way of ['SESSION AUTHORIZATION postgres', 'ROLE postgres']) {
    if (engine.run(`SET ${way}`).failure?.code !== '42501') throw new Error(`a program may SET ${way}`);
  }
  engine.run('RESET SESSION AUTHORIZATION');
  engine.run('RESET ROLE');
  const users = engine.run('SELECT session_user, current_user, pg_catalog.pg_has_role(10, $$usage$$)').table
    ?.rows[0];
  if (users?.join() !== 'learner,learner,f') throw new Error(`a program would be ${users?.join()}`);
}

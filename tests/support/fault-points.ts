import { AsyncLocalStorage } from 'node:async_hooks';
import type postgres from 'postgres';
import Stripe from 'stripe';

/**
 * Fault points: every moment at which money code waits for the database or the provider. Code that is watched passes
 * them one by one, and a test decides what happens at the n-th: the process dies, or the connection breaks. Nothing in
 * the program knows of it: the driver's and the SDK's own methods are wrapped.
 */
export type Watch = {
  /** Points passed so far, each with what was waited for. */
  passed: string[];
  /** Where it happens, from 1; 0 for nowhere. */
  at: number;
  /** What happens. Resolves for code that goes on, never for a process that is dead. */
  act: (connection: Connection) => Promise<void>;
  /** Whether a dead process waits here: nothing after this point runs. */
  isDead: boolean;
};

/** Where a point was passed: inside a transaction its own connection can be broken. */
export type Connection = { query: ((text: string) => Promise<unknown>) | null };

const watches = new AsyncLocalStorage<Watch>();
const never = () => new Promise<never>(() => {});

async function pass(what: string, connection: Connection): Promise<void> {
  const watch = watches.getStore();
  if (!watch) return;
  if (watch.isDead) {
    // All connections of a killed process close, those of what it did at the same time among them.
    await connection.query?.('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
    await never();
  }
  watch.passed.push(what);
  if (watch.passed.length !== watch.at) return;
  await watch.act(connection);
  if (watch.isDead) await never();
}

/** A point that nobody waits at: what happens there happens once the driver has sent what it has. */
function passSoon(what: string, connection: Connection): void {
  const watch = watches.getStore();
  if (!watch || watch.isDead) return;
  watch.passed.push(what);
  if (watch.passed.length !== watch.at) return;
  setImmediate(() => setImmediate(() => void watch.act({ ...connection, query: null })));
}

type Pending = Promise<unknown> & { values?: () => Pending };

/** The query with a point before it is sent and one after its answer. */
function watched(query: Pending, what: string, connection: Connection): Pending {
  const ask = async (sent: Pending) => {
    await pass(`before ${what}`, connection);
    const rows = await sent;
    await pass(`after ${what}`, connection);
    return rows;
  };
  // Nothing is sent before somebody waits for it, as with the driver's own queries.
  return {
    values: () => watched(query.values!(), what, connection),
    // biome-ignore lint/suspicious/noThenProperty: stands for the driver's own thenable
    then: (...handlers: Parameters<Promise<unknown>['then']>) => ask(query).then(...handlers),
    catch: (handler: Parameters<Promise<unknown>['catch']>[0]) => ask(query).catch(handler),
    finally: (handler: Parameters<Promise<unknown>['finally']>[0]) => ask(query).finally(handler),
  } as unknown as Pending;
}

const shorten = (text: string) => text.replace(/\s+/g, ' ').replace(/^(.{60}).+(.{25})$/, '$1 … $2');

let watchedClients = new WeakSet<object>();

/** Wraps the driver of the open pool; called again after a reconnect. */
export function watchDatabase(client: postgres.Sql): void {
  if (watchedClients.has(client)) return;
  watchedClients.add(client);
  const target = client as unknown as Record<'unsafe' | 'begin', (...args: unknown[]) => Pending>;
  const { unsafe, begin } = target;
  target.unsafe = (...args) => {
    // The driver's own opening of a transaction.
    const isOurs = watches.getStore() && !String(args[0]).startsWith('begin ');
    const query = unsafe.apply(client, args);
    return isOurs ? watched(query, shorten(String(args[0])), { query: null }) : query;
  };
  target.begin = (...args) => {
    if (!watches.getStore()) return begin.apply(client, args);
    const work = args.at(-1) as (tx: postgres.TransactionSql) => Promise<unknown>;
    const run = begin.call(client, ...args.slice(0, -1), async (tx: postgres.TransactionSql) => {
      const inner = tx as unknown as typeof target;
      const raw = inner.unsafe.bind(tx);
      const connection = { query: (text: string) => raw(text) };
      inner.unsafe = (...query) => watched(raw(...query), shorten(String(query[0])), connection);
      const result = await work(tx);
      await pass('before commit', connection);
      passSoon('commit on its way', connection);
      return result;
    });
    return settle(run, 'commit');
  };
}

/** A dead process hears of no outcome. */
async function settle(run: Promise<unknown>, what: string): Promise<unknown> {
  const dead = () => watches.getStore()?.isDead === true;
  const result = await run.catch((error: unknown) => (dead() ? never() : Promise.reject(error)));
  if (dead()) await never();
  await pass(`after ${what}`, { query: null });
  return result;
}

/** Wraps the provider's SDK, for all its clients. */
export function watchProvider(): void {
  const prototype = Object.getPrototypeOf(Stripe.createNodeHttpClient()) as {
    makeRequest: (...args: unknown[]) => Promise<unknown>;
  };
  if (watchedClients.has(prototype)) return;
  watchedClients.add(prototype);
  const { makeRequest } = prototype;
  prototype.makeRequest = async function (this: unknown, ...args) {
    const what = `${String(args[3])} ${String(args[2])}`;
    await pass(`before ${what}`, { query: null });
    const answer = await makeRequest.apply(this, args);
    await pass(`after ${what}`, { query: null });
    return answer;
  };
}

/** Forgets which clients are wrapped; for tests that replace the pool. */
export function forgetWatched(): void {
  watchedClients = new WeakSet();
}

/**
 * Runs work that ends like a killed process at its n-th fault point: nothing after that point happens, its open
 * transaction is lost, and nobody gets an answer.
 *
 * @param at from 1; a number above the points there are lets the work finish
 */
export async function dyingAt<T>(
  at: number,
  work: () => Promise<T>,
): Promise<{ died: true; passed: string[] } | { died: false; passed: string[]; result: T }> {
  let died: () => void = () => {};
  const death = new Promise<'died'>((resolve) => {
    died = () => resolve('died');
  });
  const watch: Watch = {
    passed: [],
    at,
    isDead: false,
    act: async ({ query }) => {
      watch.isDead = true;
      // What the kernel does for a killed process: its connection closes, and the server rolls back.
      await query?.('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
      died();
    },
  };
  const result = await Promise.race([watches.run(watch, work), death]);
  return watch.isDead
    ? { died: true, passed: watch.passed }
    : { died: false, passed: watch.passed, result: result as T };
}

/** Runs work whose connection to the database breaks at the n-th fault point; the work itself goes on with the error. */
export async function breakingAt<T>(
  at: number,
  work: () => Promise<T>,
): Promise<{ passed: string[]; result: T }> {
  const watch: Watch = {
    passed: [],
    at,
    isDead: false,
    act: async ({ query }) => {
      await query?.('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
    },
  };
  return { result: await watches.run(watch, work), passed: watch.passed };
}

/** Watches work with a reaction of the caller's own. */
export function watching<T>(watch: Watch, work: () => Promise<T>): Promise<T> {
  return watches.run(watch, work);
}

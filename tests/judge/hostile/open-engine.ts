import '#src/judge/languages/sql/isolate/surroundings.ts';
import { protocol } from '@electric-sql/pglite';
import { engineOf } from '#src/judge/languages/sql/isolate/engine.ts';
import { closeLoader, start } from '#src/judge/languages/sql/isolate/start.ts';
import type { Engine } from '#src/judge/languages/sql/isolate/engine.ts';

// The engine of SQL lessons before its session becomes the learner's: its superuser may do everything.

let engine: Engine | null = null;
let failure = '';

const entries = {
  async boot(module: WebAssembly.Module, bundle: ArrayBuffer, data: ArrayBuffer) {
    try {
      engine = engineOf(await start(module, bundle, data));
    } catch (error) {
      failure = String((error as Error).stack);
    }
  },
  trouble: () => failure,
  /** Gives what failed, or an empty text. */
  run: (statement: string) => engine!.run(statement).failure?.message ?? '',
  closeLoader,
  /** What a stop within the library's own code leaves: half a message in its buffer. */
  leaveHalfAMessage() {
    const types = Object.assign([1], {
      forEach() {
        throw new Error('stopped');
      },
    });
    try {
      protocol.serialize.parse({ text: 'SELECT 2', types });
    } catch {
      return true;
    }
    return false;
  },
  answersAgain: () => engine!.answersAgain(),
};

Object.assign(globalThis, { entries });

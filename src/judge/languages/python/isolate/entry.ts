import { ENTRIES_NAME } from '../agreement.ts';
import { boot, trouble } from './boot.ts';
import { capture, finishCold, makeFile, untouched } from './cold.ts';
import { run } from './run.ts';
import { installSurroundings } from './surroundings.ts';

// Runs inside the isolate, after the interpreter's glue in the same script, never in Node.

const entries = { boot, trouble, makeFile, finishCold, capture, untouched, run };

export type Entries = typeof entries;

installSurroundings();

// The end of the script takes it off the global scope again, before any program runs.
Object.defineProperty(globalThis, ENTRIES_NAME, { value: entries, configurable: true });

import type { Language } from './protocol.ts';
import type { Pool, RunLimits } from './runner.ts';

interface PoolSettings {
  engineFlags: string[];
  runners: string[];
  sandboxes: Record<string, string>;
  children: number;
  /** MB of resident memory that one submission may add. */
  memoryRoomMb: number;
  /** RLIMIT_DATA in MB: the kernel refuses before the watch sees it. */
  dataLimitMb: number;
}

export const POOLS: Record<Pool, PoolSettings> = {
  // Without its compilers an engine has far fewer faults to exploit, and light programs run as fast.
  web: {
    // Making a context is most of what a test costs; without hashing its names anew it costs a tenth less.
    engineFlags: ['--jitless', '--no-rehash-snapshot', '--single-threaded-gc'],
    runners: ['javascript', 'web'],
    sandboxes: { 'javascript-sandbox.js': 'javascript/sandbox.ts' },
    children: 2,
    memoryRoomMb: 300,
    dataLimitMb: 2_048,
  },
  python: {
    engineFlags: [],
    runners: ['python'],
    sandboxes: { 'python-isolate.js': 'python/isolate/entry.ts' },
    children: 2,
    memoryRoomMb: 300,
    // The kernel counts the 512 MB of addresses that each isolate sets aside for machine code.
    dataLimitMb: 12_288,
  },
  // The type checker is ten times slower without the compilers. On one thread the time that they take for it is not
  // counted as the program's.
  typescript: {
    engineFlags: ['--single-threaded', '--no-rehash-snapshot'],
    runners: ['typescript'],
    sandboxes: { 'javascript-sandbox.js': 'javascript/sandbox.ts' },
    children: 1,
    memoryRoomMb: 300,
    dataLimitMb: 12_288,
  },
  sql: {
    // The better compiler takes hundreds of megabytes for what lessons never repeat often enough.
    engineFlags: ['--liftoff-only'],
    runners: ['sql'],
    sandboxes: { 'sql-isolate.js': 'sql/isolate/entry.ts' },
    children: 1,
    // Its memory and its files have bounds of their own, of 128 and 64 MB; what was freed is given back late.
    memoryRoomMb: 700,
    dataLimitMb: 12_288,
  },
};

export const POOL_OF: Record<Language, Pool> = {
  javascript: 'web',
  html: 'web',
  css: 'web',
  react: 'web',
  python: 'python',
  typescript: 'typescript',
  sql: 'sql',
};

const OUTPUT_BYTES = 64 * 1024;

/** A process may grow by more than this memory. */
const MOST = { testMs: 10_000, totalMs: 20_000, memoryMb: 192 };
const LONG_TESTS = 2;

/** A caller's limits within what is allowed, else the usual ones. */
export function limitsFor(language: Language, wished: Partial<RunLimits>): RunLimits {
  const usual = DEFAULT_LIMITS[language];
  const testMs = Math.min(MOST.testMs, wished.testMs ?? usual.testMs);
  return {
    testMs,
    totalMs: Math.min(MOST.totalMs, wished.totalMs ?? Math.max(usual.totalMs, LONG_TESTS * testMs)),
    memoryMb: Math.min(Math.max(MOST.memoryMb, usual.memoryMb), wished.memoryMb ?? usual.memoryMb),
    outputBytes: Math.min(usual.outputBytes, wished.outputBytes ?? usual.outputBytes),
  };
}

/** What a submission may use unless a caller says otherwise (fault J1, decision 50). */
export const DEFAULT_LIMITS: Record<Language, RunLimits> = {
  javascript: { testMs: 1_000, totalMs: 4_000, memoryMb: 64, outputBytes: OUTPUT_BYTES },
  python: { testMs: 2_000, totalMs: 6_000, memoryMb: 128, outputBytes: OUTPUT_BYTES },
  html: { testMs: 2_000, totalMs: 4_000, memoryMb: 128, outputBytes: OUTPUT_BYTES },
  css: { testMs: 2_000, totalMs: 4_000, memoryMb: 128, outputBytes: OUTPUT_BYTES },
  react: { testMs: 2_000, totalMs: 4_000, memoryMb: 128, outputBytes: OUTPUT_BYTES },
  typescript: { testMs: 2_000, totalMs: 6_000, memoryMb: 64, outputBytes: OUTPUT_BYTES },
  sql: { testMs: 1_000, totalMs: 4_000, memoryMb: 128, outputBytes: OUTPUT_BYTES },
};

import type { Trace, TraceStep } from './protocol.ts';

const MOST_STEPS = 2_000;
/** With what is printed beside it 64 KB. */
const MOST_CHARACTERS = 48 * 1024 + 100;
const KINDS: readonly unknown[] = ['line', 'call', 'return'];

const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\u2400');
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readStep(given: unknown): TraceStep | null {
  const { kind, line, fn, depth, printed, vars, value } = (given ?? {}) as Record<string, unknown>;
  if (!KINDS.includes(kind) || typeof fn !== 'string') return null;
  if (!isCount(line) || !isCount(depth) || !isCount(printed)) return null;
  // Each call is a step; a reader keeps a place for each level.
  if (depth > MOST_STEPS) return null;
  const step: TraceStep = { kind: kind as TraceStep['kind'], line, fn: clean(fn), depth, printed };
  if (typeof vars === 'object' && vars !== null) {
    const entries = Object.entries(vars).map(([name, text]) => [
      name,
      text === null ? null : clean(String(text)),
    ]);
    step.vars = Object.fromEntries(entries) as Record<string, string | null>;
  }
  if (typeof value === 'string') step.value = clean(value);
  return step;
}

/** Undefined where it is no record. */
export function readTrace(given: unknown): Trace | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { steps, asked, isWhole } = given as Record<string, unknown>;
  if (!Array.isArray(steps) || steps.length > MOST_STEPS) return undefined;
  if (JSON.stringify(steps).length > MOST_CHARACTERS) return undefined;
  const read = steps.map(readStep);
  if (read.includes(null) || !isCount(asked) || asked > steps.length) return undefined;
  return { steps: read as TraceStep[], asked, isWhole: isWhole === true };
}

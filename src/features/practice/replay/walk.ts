import { counted } from '#src/shared/counted.ts';
import type { RanReplay } from './schema.ts';

export interface RanProgram {
  lessonId: number;
  code: string;
  language: string;
}

export interface Variable {
  name: string;
  value: string;
  /** Null for a new one, absent for an unchanged one. */
  was?: string | null;
}

export interface OpenCall {
  fn: string;
  line: number;
  variables: Variable[];
}

export interface Moment {
  line: number | null;
  ran: number | null;
  calls: OpenCall[];
  output: string;
  says: string;
}

interface Frame {
  fn: string;
  line: number;
  told: Map<string, Variable>;
}

const named = (fn: string) => (/^\W/.test(fn) ? 'A function without a name' : fn);

export const momentsOf = ({ steps }: Pick<RanReplay, 'steps'>): number =>
  steps.length === 0 ? 0 : steps.length + 1;

function endOf({ isWhole, error, steps }: RanReplay): string {
  if (!isWhole)
    return `The run went on. It is kept as far as this, its first ${counted(steps.length, 'step')}.`;
  if (!error) return 'The program has ended.';
  return `The program was ended by ${error.name}: ${error.message}`;
}

export function momentOf(run: RanReplay, at: number): Moment {
  const { steps } = run;
  const frames: Frame[] = [];
  for (const { kind, line, fn, depth, vars = {} } of steps.slice(0, at + 1)) {
    frames.length = Math.min(frames.length, depth + 1);
    while (frames.length <= depth) frames.push({ fn: '', line, told: new Map() });
    const frame = frames[depth]!;
    // One that was called before at this depth has ended.
    if (kind === 'call') frame.told.clear();
    frame.fn = fn;
    frame.line = line;
    for (const one of frames) for (const told of one.told.values()) delete told.was;
    for (const [name, value] of Object.entries(vars)) {
      const before = frame.told.get(name);
      if (value === null) frame.told.delete(name);
      else frame.told.set(name, { name, value, was: before?.value ?? null });
    }
  }
  const isEnd = at >= steps.length;
  if (isEnd) for (const { told } of frames) for (const one of told.values()) delete one.was;
  const step = steps[at];
  const before = steps[at - 1];
  const says = !step
    ? endOf(run)
    : step.kind === 'call'
      ? `${named(step.fn)} is called.`
      : step.kind === 'line'
        ? `Line ${step.line} runs next.`
        : step.value === undefined
          ? `${named(step.fn)} is left by an error.`
          : `${named(step.fn)} returns ${step.value}.`;
  return {
    line: step?.line ?? null,
    ran:
      (isEnd ? steps.findLast(({ kind }) => kind === 'line') : before?.kind === 'line' ? before : null)
        ?.line ?? null,
    calls: (isEnd ? frames.slice(0, 1) : frames)
      .filter(({ fn, told }) => fn !== '' || told.size > 0)
      .map(({ fn, line, told }) => ({ fn, line, variables: [...told.values()] }))
      .reverse(),
    output: isEnd ? run.output : run.output.slice(0, step!.printed),
    says,
  };
}

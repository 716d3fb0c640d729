import { followSideBySide, type Programs } from './side-by-side.ts';
import type { RanReplay } from './schema.ts';
import { type Divergence, isSame, type MayTell, type Recorded, short } from './telling.ts';

interface Happening {
  step: number;
  key: string;
  value: string;
  says: (theirs: string | null) => string;
  isBefore?: boolean;
  name?: string;
}

export const TOO_DIFFERENT = "Your program and the author's are too different to say where they part.";
const ALIKE =
  "Wherever your program and the author's can be compared they do the same, so it cannot be said where they part.";
const PRINTED = 'print';

const TRACEBACK = /^Traceback \(most recent call last\):\n/m;

function printed({ steps, output, error }: Recorded): Happening[] {
  const own = error === null ? output : output.split(TRACEBACK)[0]!;
  // White space at an end counts as little as in a verdict (decision 44).
  const text = own.trimEnd();
  const lines = text === '' ? [] : text.split('\n');
  let from = 0;
  let step = 0;
  return lines.map((line) => {
    // The last step before it was printed is the one that prints it.
    while (step + 1 < steps.length && steps[step + 1]!.printed <= from) step += 1;
    from += line.length + 1;
    const value = line.trimEnd();
    const says = (theirs: string | null) =>
      `Here your program printed ${short(value)}; the author's prints ${theirs === null ? 'nothing more' : short(theirs)}.`;
    return { step, key: PRINTED, value, says };
  });
}

function returnedAndAssigned({ steps }: Recorded): Happening[] {
  const happenings: Happening[] = [];
  const open: string[] = [];
  for (const [step, { kind, fn, vars = {}, value }] of steps.entries()) {
    if (kind === 'call') open.push(JSON.stringify(vars));
    if (kind === 'return') {
      const given = open.pop() ?? '';
      if (value !== undefined && !fn.startsWith('(')) {
        const says = (theirs: string | null) =>
          `Here ${fn} returned ${short(value)}; the author's returns ${short(theirs ?? 'nothing')} for the same arguments.`;
        happenings.push({ step, key: `return ${fn} ${given}`, value, says });
      }
    }
    if (kind !== 'line' || fn.startsWith('(')) continue;
    for (const [name, now] of Object.entries(vars)) {
      if (now === null) continue;
      const says = (theirs: string | null) =>
        `Here ${name} has become ${short(now)}; in the author's program it becomes ${short(theirs ?? 'nothing')}.`;
      happenings.push({ step, key: `assign ${fn} ${name}`, value: now, says, isBefore: true, name });
    }
  }
  return happenings;
}

const happeningsOf = (run: Recorded) => [...returnedAndAssigned(run), ...printed(run)];

function ownCall(run: Recorded): Recorded {
  const { steps, asked, output, ...rest } = run;
  if (asked === 0) return run;
  const from = steps[asked]?.printed ?? output.length;
  const own = steps.slice(asked).map((step) => ({ ...step, printed: Math.max(0, step.printed - from) }));
  return { ...rest, steps: own, asked: 0, output: output.slice(from) };
}

const isLimit = (error: string | null) => error?.endsWith('Limit') === true;

function endedByError({ steps, error, isWhole }: Recorded, authors: Recorded): Divergence | null {
  if (error === null || isLimit(error) || authors.error !== null || !isWhole) return null;
  // The functions that the error leaves are told too.
  const step = steps.findLastIndex(({ kind, value }) => kind !== 'return' || value !== undefined);
  return step < 0 ? null : { step, says: `Here your program is ended by ${error}; the author's goes on.` };
}

const MANY_TURNS = 20;

function neverEnds({ steps, error, isWhole }: Recorded, authors: Recorded): Divergence | null {
  if ((isWhole && error !== 'TimeLimit') || !authors.isWhole || authors.error !== null) return null;
  const turns = Map.groupBy(
    steps.flatMap(({ kind, line, fn }, step) => (kind === 'line' ? [{ step, line, fn }] : [])),
    ({ line, fn }) => `${fn} ${line}`,
  );
  const most = [...turns.values()].sort((a, b) => b.length - a.length)[0];
  if (!most || most.length < MANY_TURNS) return null;
  const says = `Your program runs line ${most[0]!.line} again and again, ${most.length} times as far as it was followed. Look at what should end this.`;
  return { step: most[1]!.step, says };
}

function compare(learners: Recorded, authors: Recorded, programs: Programs | undefined, mayTell: MayTell) {
  const theirs = Map.groupBy(happeningsOf(authors), ({ key }) => key);
  const compared = new Map<string, number>();
  const found: Divergence[] = [];
  let count = 0;
  for (const { step, key, value, says, isBefore = false, name } of happeningsOf(learners)) {
    const at = compared.get(key) ?? 0;
    compared.set(key, at + 1);
    const other = theirs.get(key)?.[at];
    // One more line than the author's is a difference; one more turn of a loop may be another way.
    const isSurplus = key === PRINTED && other === undefined && authors.isWhole;
    if (!other && !isSurplus) continue;
    count += 1;
    const isOther = other === undefined || !(isBefore ? isSame(other.value, value) : other.value === value);
    if (!isOther || (name !== undefined && !mayTell(name))) continue;
    found.push({ step, says: says(other?.value ?? null), isBefore, ...(name === undefined ? {} : { name }) });
  }
  const ended = endedByError(learners, authors);
  if (ended) found.push(ended);
  const missing = theirs.get(PRINTED)?.[compared.get(PRINTED) ?? 0];
  if (missing && !ended && learners.isWhole && learners.steps.length > 0) {
    const says = `Your program ended here; the author's prints one line more: ${short(missing.value)}.`;
    found.push({ step: learners.steps.length - 1, says });
  }
  if (programs) {
    const followed = followSideBySide(learners, authors, programs, mayTell);
    count += followed.count;
    if (followed.first) found.push(followed.first);
  }
  const first = found.reduce<Divergence | null>(
    (least, one) => (least === null || one.step! < least.step! ? one : least),
    null,
  );
  return { first: first ?? neverEnds(learners, authors), count };
}

function lineOf(steps: Recorded['steps'], { step, isBefore }: Divergence): number | null {
  if (step === null) return null;
  const { fn, depth, line } = steps[step]!;
  if (!isBefore) return line;
  return steps.slice(0, step).findLast((one) => one.fn === fn && one.depth === depth)?.line ?? line;
}

/** First within the test's own call, and where that tells nothing, in all that came before. */
export function divergence(
  learners: Recorded,
  authors: Recorded,
  programs?: Programs,
  mayTell: MayTell = () => true,
): NonNullable<RanReplay['parts']> & { name?: string } {
  const own = compare(ownCall(learners), ownCall(authors), programs, mayTell);
  const tell = (found: Divergence, from: number) => {
    const { isBefore: _, ...told } = { ...found, step: found.step! + from };
    return { ...told, line: lineOf(learners.steps, { ...found, step: told.step }) };
  };
  if (own.first) return tell(own.first, learners.asked);
  const whole = compare(learners, authors, programs, mayTell);
  if (whole.first) return tell(whole.first, 0);
  return { step: null, line: null, says: whole.count === 0 ? TOO_DIFFERENT : ALIKE };
}

import { followSideBySide, type Programs } from './side-by-side.ts';
import { type Divergence, type Recorded, short } from './telling.ts';

interface Happening {
  step: number;
  /** What has to be the same in both programs for the two to be compared, such as a function and its arguments. */
  key: string;
  value: string;
  says: (theirs: string | null) => string;
}

export const TOO_DIFFERENT = "Your program and the author's are too different to say where they part.";
const ALIKE =
  "Wherever your program and the author's can be compared they do the same, so it cannot be said where they part.";
const PRINTED = 'print';

function printed({ steps, output }: Recorded): Happening[] {
  // White space at an end counts as little as in a verdict (decision 44).
  const text = output.trimEnd();
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
  /** The arguments of the calls that are open. */
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
      happenings.push({ step, key: `assign ${fn} ${name}`, value: now, says });
    }
  }
  return happenings;
}

/** Of one step: a line is told with what has changed before it, and prints afterwards. */
const happeningsOf = (run: Recorded) => [...returnedAndAssigned(run), ...printed(run)];

/**
 * Compares a learner's run with the author's on the same input: the lines printed, in order; what functions of one name
 * return for the same arguments; what variables of one name in functions of one name become, in order; and, of programs
 * whose texts are much the same, the way that they take. Of the author's program the sentence tells one value and the
 * kind of the next step, nothing else.
 */
export function divergence(learners: Recorded, authors: Recorded, programs?: Programs): Divergence {
  const theirs = Map.groupBy(happeningsOf(authors), ({ key }) => key);
  const compared = new Map<string, number>();
  let first: Divergence | null = null;
  let count = 0;
  const note = (step: number, says: string) => {
    if (first === null || step < first.step!) first = { step, says };
  };
  for (const { step, key, value, says } of happeningsOf(learners)) {
    const at = compared.get(key) ?? 0;
    compared.set(key, at + 1);
    const other = theirs.get(key)?.[at];
    // One more line than the author's is a difference; one more turn of a loop may be another way.
    const isSurplus = key === PRINTED && other === undefined && authors.isWhole;
    if (!other && !isSurplus) continue;
    count += 1;
    if (other?.value !== value) note(step, says(other?.value ?? null));
  }
  const missing = theirs.get(PRINTED)?.[compared.get(PRINTED) ?? 0];
  if (missing && learners.isWhole && learners.steps.length > 0) {
    count += 1;
    note(
      learners.steps.length - 1,
      `Your program ended here; the author's prints one line more: ${short(missing.value)}.`,
    );
  }
  if (programs) {
    const followed = followSideBySide(learners, authors, programs);
    count += followed.count;
    if (followed.first) note(followed.first.step!, followed.first.says);
  }
  return first ?? { step: null, says: count === 0 ? TOO_DIFFERENT : ALIKE };
}

import { diffArrays } from 'diff';
import { type Divergence, isSame, type MayTell, type Recorded, short } from './telling.ts';

export interface Programs {
  learners: string;
  authors: string;
}

type Step = Recorded['steps'][number];

/** All variables of the open call included. */
interface Stop {
  step: number;
  kind: Step['kind'];
  fn: string;
  at: number;
  state: ReadonlyMap<string, string>;
  value: string | undefined;
}

const SHARED_LINES = 0.5;
/** Ends the comparison soon. */
const MOST_EDITS = 400;

const isComment = (text: string) => text === '' || text.startsWith('#') || text.startsWith('//');

const linesOf = (program: string) =>
  program
    .split('\n')
    .map((raw, index) => ({ text: raw.trim(), line: index + 1 }))
    .filter(({ text }) => !isComment(text));

/** Null where the programs share too little. */
function samePlaces({ learners, authors }: Programs): Map<number, number> | null {
  const [mine, theirs] = [linesOf(learners), linesOf(authors)];
  const changes = diffArrays(
    mine.map(({ text }) => text),
    theirs.map(({ text }) => text),
    { maxEditLength: MOST_EDITS },
  );
  if (!changes) return null;
  const places = new Map<number, number>();
  let [from, to, equal] = [0, 0, 0];
  const pair = (count: number) => {
    for (let at = 0; at < count; at += 1) places.set(mine[from + at]!.line, theirs[to + at]!.line);
  };
  for (const [index, { added, removed, value }] of changes.entries()) {
    const { length } = value;
    if (!added && !removed) {
      pair(length);
      equal += length;
      from += length;
      to += length;
      continue;
    }
    const next = changes[index + 1];
    if (removed && next?.added && next.value.length === length) pair(length);
    if (removed) from += length;
    else to += length;
  }
  return equal >= SHARED_LINES * Math.max(mine.length, theirs.length) ? places : null;
}

function stopsOf(
  { steps }: Recorded,
  placeOf: (line: number) => number | undefined,
  fns: Set<string>,
): Stop[] {
  const stops: Stop[] = [];
  const states = new Map<string, Map<string, string>>();
  for (const [step, { kind, line, fn, depth, vars = {}, value }] of steps.entries()) {
    const key = `${depth} ${fn}`;
    const known = kind === 'call' ? undefined : states.get(key);
    const state = new Map(known);
    for (const [name, now] of Object.entries(vars)) {
      if (now === null) state.delete(name);
      else state.set(name, now);
    }
    states.set(key, state);
    const at = kind === 'line' ? placeOf(line) : 0;
    if (at !== undefined && fns.has(fn)) stops.push({ step, kind, fn, at, state, value });
  }
  return stops;
}

function goes(stop: Stop | undefined, isLearners: boolean, line: number): string {
  if (!stop) return 'ends';
  if (stop.kind === 'call') return `calls ${stop.fn}`;
  if (stop.kind === 'return')
    return stop.value === undefined ? `leaves ${stop.fn} with an error` : `returns from ${stop.fn}`;
  return isLearners ? `goes on at line ${line}` : 'goes another way';
}

function differenceAt(
  mine: Stop | undefined,
  theirs: Stop | undefined,
  steps: readonly Step[],
  mayTell: MayTell,
): Divergence | null {
  if (!mine || !theirs || mine.kind !== theirs.kind || mine.fn !== theirs.fn || mine.at !== theirs.at) {
    // The line before is the one that has led there.
    const step = Math.max(0, (mine?.step ?? steps.length) - 1);
    const line = mine ? steps[mine.step]!.line : 0;
    const [ours, others] = [goes(mine, true, line), goes(theirs, false, 0)];
    const their = ours === others ? 'goes another way' : others;
    return { step, says: `After this line your program ${ours}; the author's ${their}.` };
  }
  const { step, kind, fn } = mine;
  if (kind === 'return' && mine.value !== theirs.value) {
    if (mine.value === undefined || theirs.value === undefined) {
      const [ours, others] = [goes(mine, true, 0), goes(theirs, false, 0)];
      return { step, says: `Here your program ${ours}; the author's ${others}.` };
    }
    const says = `Here ${fn} returned ${short(mine.value)}; the author's returns ${short(theirs.value)}.`;
    return { step, says };
  }
  for (const [name, now] of mine.state) {
    const other = theirs.state.get(name);
    if (other === undefined || isSame(other, now) || !mayTell(name)) continue;
    const says =
      kind === 'call'
        ? `Here ${fn} is called with ${name} = ${short(now)}; the author's program calls it with ${short(other)}.`
        : `Here ${name} has become ${short(now)}; in the author's program it becomes ${short(other)}.`;
    return { step, says, isBefore: kind !== 'call', name };
  }
  return null;
}

/** Compares two similar programs line by line while both take the same way. */
export function followSideBySide(
  learners: Recorded,
  authors: Recorded,
  programs: Programs,
  mayTell: MayTell,
): { first: Divergence | null; count: number } {
  const places = samePlaces(programs);
  if (!places) return { first: null, count: 0 };
  const inAuthors = new Set(places.values());
  const fnsOf = ({ steps }: Recorded) => new Set(steps.map(({ fn }) => fn));
  const fns = fnsOf(learners).intersection(fnsOf(authors));
  const mine = stopsOf(learners, (line) => places.get(line), fns);
  const theirs = stopsOf(authors, (line) => (inAuthors.has(line) ? line : undefined), fns);
  const most = Math.max(mine.length, theirs.length);
  for (let at = 0; at < most; at += 1) {
    const isCut = (at >= mine.length && !learners.isWhole) || (at >= theirs.length && !authors.isWhole);
    if (isCut) return { first: null, count: at };
    const first = differenceAt(mine[at], theirs[at], learners.steps, mayTell);
    if (first) return { first, count: at };
  }
  return { first: null, count: most };
}

import { transform } from 'sucrase';
import { JudgeUnavailable, type LearnerError, type Submission, type Verdict } from '../protocol.ts';
import type { RunLimits } from '../runner.ts';
import { type Edit, editsOf, sayingOf } from './edits.ts';
import { GUESS } from './tree.ts';

const MOST_PROGRAMS = 30;
/** Milliseconds of processor time for all of them and at most for each, and by the wall clock. */
export const HINT_LIMITS = { allMs: 300, eachMs: 150, wallMs: 3_000 };
/** A program that takes longer gets no hint: its owner waits meanwhile. */
const AGAIN = { testMs: 1_000, totalMs: 2_000 };
/** Of the time of the original program, and at least so many milliseconds. */
const [TIMES, LEAST_MS] = [5, 40];

/** `ms`: the processor time of the pool so far. Null where others wait. */
type Trial = (
  submission: Submission,
  limits: Partial<RunLimits>,
) => Promise<{ verdict: Verdict; ms: number } | null>;

function withoutTypes(code: string): Pick<Submission, 'language' | 'code'> {
  try {
    const plain = transform(code, { transforms: ['typescript'], disableESTransforms: true });
    return { language: 'javascript', code: plain.code };
  } catch {
    // The judge reports the syntax error.
    return { language: 'javascript', code };
  }
}

/**
 * What a small edit of a wrong program proves: with it all visible tests pass. Some pass by chance too easily.
 * @returns null where none does
 */
export async function searchHint(
  submission: Submission,
  judge: Trial,
  { allMs, eachMs, wallMs } = HINT_LIMITS,
): Promise<LearnerError | null> {
  const tests = submission.tests.filter(({ hidden }) => !hidden);
  if (tests.length === 0 && submission.tests.length > 0) return null;
  const seen = { ...submission, tests };
  const isTyped = submission.language === 'typescript';
  let proven: Edit | null = null;
  try {
    const typed = (await judge(seen, AGAIN))?.verdict;
    if (typed?.kind !== 'wrong_answer' && typed?.kind !== 'runtime_error') return null;
    const before = isTyped ? (await judge({ ...seen, ...withoutTypes(seen.code) }, AGAIN))?.verdict : typed;
    if (!before) return null;
    const endsAt = performance.now() + wallMs;
    const testMs = Math.min(eachMs, Math.max(LEAST_MS, TIMES * before.durationMs));
    let startMs: number | undefined;
    let tries = 0;
    for (const edit of editsOf(submission, typed.error?.line ?? null)) {
      tries += 1;
      // By guesses a single test passes too easily.
      if (tries > MOST_PROGRAMS || (edit.weight >= GUESS && tests.length < 2)) break;
      const program = isTyped ? withoutTypes(edit.code) : { code: edit.code };
      const tried = await judge({ ...seen, ...program }, { testMs, totalMs: allMs });
      if (!tried) break;
      const { verdict, ms } = tried;
      startMs ??= ms;
      if (verdict.kind === 'pass') proven = edit;
      if (proven || ms - startMs > allMs || performance.now() > endsAt) break;
    }
    // Its types are checked at the end only: that takes longer than all programs may.
    if (proven && isTyped && (await judge({ ...seen, code: proven.code }, {}))?.verdict.kind !== 'pass')
      return null;
  } catch (error) {
    if (!(error instanceof JudgeUnavailable)) throw error;
  }
  return proven && sayingOf(proven);
}

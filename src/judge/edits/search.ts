import { JudgeUnavailable, type LearnerError, type Submission, type Verdict } from '../protocol.ts';
import type { RunLimits } from '../runner.ts';
import { type Edit, editsOf, sayingOf } from './edits.ts';

const MOST_PROGRAMS = 30;
/** Of all of them together. */
const MOST_MS = 300;
const EACH: Partial<RunLimits> = { testMs: 150, totalMs: MOST_MS };

/** Null where others wait. */
type Trial = (submission: Submission, limits: Partial<RunLimits>) => Promise<Verdict> | null;

const passedIn = ({ tests }: Verdict): number => tests.filter(({ passed }) => passed).length;

/**
 * What a small edit of a wrong program proves: with it more of the visible tests pass, and all that did before.
 * @returns null where none does
 */
export async function searchHint(submission: Submission, judge: Trial): Promise<LearnerError | null> {
  const tests = submission.tests.filter(({ hidden }) => !hidden);
  if (tests.length === 0 && submission.tests.length > 0) return null;
  let best: Edit | null = null;
  try {
    const first = await judge({ ...submission, tests }, {});
    if (first?.kind !== 'wrong_answer' && first?.kind !== 'runtime_error') return null;
    let most = passedIn(first);
    let leftMs = MOST_MS;
    for (const edit of editsOf(submission, first.error?.line ?? null).slice(0, MOST_PROGRAMS)) {
      const verdict = leftMs > 0 ? await judge({ ...submission, tests, code: edit.code }, EACH) : null;
      if (!verdict) break;
      leftMs -= verdict.durationMs;
      if (passedIn(verdict) > most && first.tests.every((test, at) => !test.passed || verdict.tests[at]!.passed)) {
        best = edit;
        most = passedIn(verdict);
      }
      if (verdict.kind === 'pass') break;
    }
  } catch (error) {
    if (!(error instanceof JudgeUnavailable)) throw error;
  }
  return best && sayingOf(best);
}

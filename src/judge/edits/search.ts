import { transform } from 'sucrase';
import { JudgeUnavailable, type LearnerError, type Submission, type Verdict } from '../protocol.ts';
import type { RunLimits } from '../runner.ts';
import { type Edit, editsOf, sayingOf } from './edits.ts';

const MOST_PROGRAMS = 30;
/** Of processor time, for all of them together. */
const MOST_MS = 300;
/** By the wall clock. */
const PATIENCE_MS = 3_000;
const EACH: Partial<RunLimits> = { testMs: 150, totalMs: MOST_MS };

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
    // What does not parse is told so in either language.
    return { language: 'javascript', code };
  }
}

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
    const before = (await judge({ ...submission, tests }, {}))?.verdict;
    if (before?.kind !== 'wrong_answer' && before?.kind !== 'runtime_error') return null;
    let most = passedIn(before);
    const endsAt = performance.now() + PATIENCE_MS;
    const isTyped = submission.language === 'typescript';
    let startMs: number | undefined;
    for (const edit of editsOf(submission, before.error?.line ?? null, MOST_PROGRAMS)) {
      const program = isTyped ? withoutTypes(edit.code) : { code: edit.code };
      const tried = await judge({ ...submission, tests, ...program }, EACH);
      if (!tried) break;
      const { verdict, ms } = tried;
      startMs ??= ms;
      if (
        passedIn(verdict) > most &&
        before.tests.every(({ passed }, at) => !passed || verdict.tests[at]!.passed)
      ) {
        best = edit;
        most = passedIn(verdict);
      }
      if (verdict.kind === 'pass' || ms - startMs > MOST_MS || performance.now() > endsAt) break;
    }
    // Its types are checked at the end only: that takes longer than all programs may.
    if (best && isTyped) {
      const typed = await judge({ ...submission, tests, code: best.code }, {});
      if (!typed || passedIn(typed.verdict) < most) return null;
    }
  } catch (error) {
    if (!(error instanceof JudgeUnavailable)) throw error;
  }
  return best && sayingOf(best);
}

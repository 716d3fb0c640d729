import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { TRACED } from '#src/judge/client.ts';
import { AppError } from '#src/shared/errors.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { readableLesson, type SignedIn } from '../practice.server.ts';
import { askJudge, judgeable, shownError } from '../run-code.server.ts';
import { divergence } from './divergence.ts';
import type { RanReplay } from './schema.ts';
import type { Recorded } from './telling.ts';

/** Of what was printed beside the steps. */
const OUTPUT_MAX_CHARACTERS = 16 * 1024;
const NO_STEPS: Pick<Recorded, 'steps' | 'isWhole'> = { steps: [], isWhole: false };

/**
 * Runs a learner's program on the input of one visible test, step by step, and says where it first does something else
 * than the author's (decision 136). Nothing is kept or counted.
 *
 * @throws {AppError} not_found without access, for a test that there is not, and for a hidden one; invalid_input for a
 *   language whose runs cannot be recorded; as `executeCode` otherwise
 */
export async function replay(
  user: SignedIn,
  lessonId: number,
  { code, language, test: place }: { code: string; language: string; test: number },
): Promise<RanReplay> {
  const lesson = judgeable(await readableLesson(lessonId, user), language);
  if (!TRACED.includes(lesson.codingLanguage)) {
    const message = 'Programs in this language cannot be replayed.';
    throw new AppError('invalid_input', message, { fields: { language: message } });
  }
  const test = lesson.testCases[place];
  if (!test || test.hidden) throw new AppError('not_found', 'There is no such test to replay.');
  const record = async (program: string) => {
    const verdict = await askJudge({ ...lesson, testCases: [test] }, program, String(user.id), {
      traced: true,
    });
    const recorded: Recorded = { ...(verdict.trace ?? NO_STEPS), output: verdict.output };
    return { recorded, error: verdict.error };
  };
  const { recorded, error } = await record(code);
  const [row] = await db()
    .select({ solution: lessons.solution })
    .from(lessons)
    .where(eq(lessons.id, lessonId));
  const solution = row?.solution ?? '';
  return {
    ...recorded,
    output: recorded.output.slice(0, OUTPUT_MAX_CHARACTERS),
    error: shownError(error),
    parts: isBlank(solution)
      ? null
      : divergence(recorded, (await record(solution)).recorded, { learners: code, authors: solution }),
  };
}

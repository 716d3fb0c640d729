import { eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { db } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { codingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { AppError } from '#src/shared/errors.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { type LessonRow, readableLesson, type SignedIn } from '../practice.server.ts';
import { askJudge, asVisitor, judgeable, shownError } from '../run-code.server.ts';
import { divergence } from './divergence.ts';
import type { RanReplay } from './schema.ts';
import type { Programs } from './side-by-side.ts';
import type { Recorded } from './telling.ts';

const OUTPUT_MAX_CHARACTERS = 16 * 1024;
/** Whoever guesses names would collect all values of a solution. */
const NAMES_MAX = 12;
const namesTold = new LRUCache<string, Set<string>>({ max: 10_000 });
const ENOUGH_TOLD = `You have seen values of ${NAMES_MAX} variables of the author's program, which is as many as this lesson shows.`;
const NO_STEPS = { steps: [], asked: 0, isWhole: false };

/**
 * Records a run on a visible test's input and says where it departs from the author's (decision 136).
 * @throws {AppError} not_found; invalid_input for a language without records; as `executeCode`
 */
export async function replay(
  user: SignedIn | null,
  lessonId: number,
  { code, language, test }: { code: string; language: string; test: number },
  ip: string,
): Promise<RanReplay> {
  const lesson = judgeable(await readableLesson(lessonId, user), language);
  if (!codingLanguage(lesson.codingLanguage).hasReplay) {
    const message = 'Programs in this language cannot be replayed.';
    throw new AppError('invalid_input', message, { fields: { language: message } });
  }
  const asked = { ...lesson, testCases: replayed(lesson, test) };
  const [row] = await db()
    .select({ solution: lessons.solution })
    .from(lessons)
    .where(eq(lessons.id, lessonId));
  const solution = row?.solution ?? '';

  const [owner, as] = user ? [String(user.id), {}] : asVisitor(ip);
  const record = async (program: string) => {
    const verdict = await askJudge(asked, program, owner, { ...as, traced: true });
    const { trace = NO_STEPS, output, error } = verdict;
    const recorded: Recorded = { ...trace, output, error: error?.name ?? null };
    return { recorded, error };
  };
  const { recorded, error } = await record(code);
  const canCompare = recorded.steps.length > 0 && !isBlank(solution);
  return {
    ...recorded,
    output: recorded.output.slice(0, OUTPUT_MAX_CHARACTERS),
    error: shownError(error),
    parts: canCompare
      ? tellFew(`${owner} ${lessonId}`, recorded, (await record(solution)).recorded, {
          learners: code,
          authors: solution,
        })
      : null,
  };
}

function tellFew(
  who: string,
  learners: Recorded,
  authors: Recorded,
  programs: Programs,
): NonNullable<RanReplay['parts']> {
  const told = namesTold.get(who) ?? new Set();
  let isWithheld = false;
  const mayTell = (name: string) => {
    const may = told.has(name) || told.size < NAMES_MAX;
    isWithheld ||= !may;
    return may;
  };
  const { name, ...parts } = divergence(learners, authors, programs, mayTell);
  if (name !== undefined) namesTold.set(who, told.add(name));
  return parts.step === null && isWithheld ? { ...parts, says: ENOUGH_TOLD } : parts;
}

/** Comparing printed output has one row of results. */
function replayed({ testCases }: LessonRow, place: number): LessonRow['testCases'] {
  if (testCases.length === 0 && place === 0) return [];
  const test = testCases[place];
  if (!test || test.hidden) throw new AppError('not_found', 'There is no such test to replay.');
  return [test];
}

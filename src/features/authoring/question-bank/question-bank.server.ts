import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { db, type Executor, type Tx } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { createLesson } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { createLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { changeLesson, type LessonRow, questionsOf } from '#src/features/lessons/lesson-store.server.ts';
import { QUESTION_MAX } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import {
  type Question,
  QUESTIONS_MAX,
  type QuestionFields,
  questionOfRow,
} from '#src/features/lessons/types/quiz/question.ts';
import { type AnswerSums, NO_ANSWERS } from '#src/features/lessons/types/quiz/figures/question-figures.ts';
import { questionSums } from '#src/features/lessons/types/quiz/figures/question-figures.server.ts';
import { drawnFrom } from '#src/features/lessons/types/quiz/settings.ts';
import { quiz } from '#src/features/lessons/types/quiz/definition.ts';
import {
  findWorkingCourse,
  isLesson,
  lockForChange,
  shownId,
  workingId,
} from '#src/features/lessons/working-copy.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { AppError } from '#src/shared/errors.ts';
import { plainLine } from '#src/features/lessons/types/quiz/formats/html.server.ts';
import { pageCount } from '#src/shared/list-query.ts';
import { omit } from '#src/shared/pick.ts';
import type { BankTarget, Written } from './schema.ts';

// Questions of a course as it is worked on; ids are those that authors know.

export const BANK_PAGE_SIZE = 50;

export interface BankQuestion {
  id: number;
  question: Question;
  asks: string;
  lesson: { id: number; title: string };
  place: number;
  pool: string | null;
  sums: AnswerSums;
}

/** '' and null do not narrow. */
export interface BankFilter {
  search: string;
  tag: string;
  kind: string;
  lessonId: number | null;
  page: number;
}

export interface Bank {
  courseTitle: string;
  questions: BankQuestion[];
  total: number;
  page: number;
  tags: string[];
  quizzes: { id: number; title: string; questions: number }[];
}

const knownId = sql<number>`coalesce(${quizQuestions.draftOf}, ${quizQuestions.id})`;
const tagsOfRow = sql`coalesce(${quizQuestions.details} -> 'tags', '[]'::jsonb)`;
const ofCourse = (courseId: number) => eq(lessons.courseId, workingId(courseId));

const says = (search: string): SQL =>
  sql`position(lower(${search}) in lower(concat_ws(' ', ${quizQuestions.question}, ${quizQuestions.explanation}, ${quizQuestions.options}::text, ${quizQuestions.details}::text))) > 0`;

/** One page of a course's questions, or null. */
export async function findQuestionBank(courseId: number, filter: BankFilter): Promise<Bank | null> {
  const course = await findWorkingCourse(courseId, db());
  if (!course) return null;
  const { search, tag, kind, lessonId } = filter;
  const wanted = and(
    ofCourse(courseId),
    search ? says(search) : undefined,
    tag ? sql`${tagsOfRow} ? ${tag}` : undefined,
    kind ? eq(quizQuestions.kind, kind) : undefined,
    lessonId === null ? undefined : isLesson(lessonId),
  );
  const ofLesson = eq(lessons.id, quizQuestions.lessonId);
  const [[found], tags, quizzes] = await Promise.all([
    db().select({ total: count() }).from(quizQuestions).innerJoin(lessons, ofLesson).where(wanted),
    db().execute<{ tag: string }>(sql`
      select distinct tag from ${quizQuestions} join ${lessons} on ${ofLesson}
      cross join lateral jsonb_array_elements_text(${tagsOfRow}) tag where ${ofCourse(courseId)} order by tag`),
    db()
      .select({
        id: sql<number>`coalesce(${lessons.draftOf}, ${lessons.id})`,
        title: lessons.title,
        questions: db().$count(quizQuestions, ofLesson),
      })
      .from(lessons)
      .where(and(ofCourse(courseId), eq(lessons.type, quiz.name)))
      .orderBy(asc(lessons.order), asc(lessons.id)),
  ]);
  const total = found?.total ?? 0;
  const page = Math.min(filter.page, pageCount(total, BANK_PAGE_SIZE));
  const rows = await db()
    .select({
      row: quizQuestions,
      lesson: { id: lessons.id, draftOf: lessons.draftOf, title: lessons.title },
      settings: lessons.quizSettings,
      place: sql<number>`(select count(*)::int from quiz_questions e where e.lesson_id = ${lessons.id} and (e."order", e.id) <= (${quizQuestions.order}, ${quizQuestions.id}))`,
    })
    .from(quizQuestions)
    .innerJoin(lessons, ofLesson)
    .where(wanted)
    .orderBy(asc(lessons.order), asc(lessons.id), asc(quizQuestions.order), asc(quizQuestions.id))
    .limit(BANK_PAGE_SIZE)
    .offset((page - 1) * BANK_PAGE_SIZE);
  // Attempts in other quizzes have none of these questions.
  const shown = rows.map(({ lesson }) => shownId(lesson));
  const sums =
    shown.length === 0
      ? new Map<number, AnswerSums>()
      : await questionSums(
          courseId,
          sql`${isPerson(sql`t.user_id`)} and (${inArray(sql`l.id`, shown)} or l.quiz_settings @> '{"draw": [{"from": "course"}]}')`,
        );
  return {
    courseTitle: course.title,
    questions: rows.map(({ row, lesson, settings, place }) => {
      const question = questionOfRow(row);
      const id = row.draftOf ?? row.id;
      const pool = drawnFrom([question], settings).find(({ among }) => among.length > 0)?.tag ?? null;
      return {
        ...{ id, question, place, pool },
        asks: plainLine(question, question.question),
        lesson: { id: shownId(lesson), title: lesson.title },
        sums: sums.get(id) ?? NO_ANSWERS,
      };
    }),
    ...{ total, page, quizzes },
    tags: tags.map(({ tag }) => tag),
  };
}

/**
 * Questions by their ids, in the order of the course.
 * @throws {AppError} not_found
 */
export async function pickQuestions(
  courseId: number,
  ids: readonly number[],
  executor: Executor = db(),
): Promise<{ question: QuestionFields; lessonId: number }[]> {
  if (!(await findWorkingCourse(courseId, executor))) throw new AppError('not_found', 'Course not found');
  const rows = await executor
    .select({ row: quizQuestions })
    .from(quizQuestions)
    .innerJoin(lessons, eq(lessons.id, quizQuestions.lessonId))
    .where(and(ofCourse(courseId), inArray(knownId, [...ids])))
    .orderBy(asc(lessons.order), asc(lessons.id), asc(quizQuestions.order), asc(quizQuestions.id));
  if (rows.length !== new Set(ids).size) {
    throw new AppError('not_found', 'A question is not in this course (any more)');
  }
  return rows.map(({ row }) => ({
    question: { ...questionOfRow(row), id: row.draftOf ?? row.id },
    lessonId: row.lessonId,
  }));
}

const fresh = (question: Question | QuestionFields): Question => omit(question, ['id']) as Question;

/** Independent of the order of keys. */
const saidBy = (question: Question | QuestionFields) =>
  JSON.stringify(fresh(question), (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

async function writeQuestions(
  tx: Tx,
  actor: Actor,
  row: LessonRow,
  questions: readonly Question[],
  course: { title: string; courseId: number },
): Promise<void> {
  await changeLesson(
    tx,
    row.id,
    { type: row.type, title: row.title, content: row.content, questions },
    actor.id,
  );
  await recordAudit(tx, actor, {
    action: 'lesson.updated',
    subjectType: 'lesson',
    subjectId: shownId(row),
    details: { title: row.title, course: course.title, courseId: course.courseId, changed: 'questions' },
  });
}

/**
 * Adds questions to the end of a quiz, or to a new quiz; skips equal ones, so that a repeat changes nothing.
 * @param given reads the questions under the course's lock
 * @throws {AppError} not_found; conflict for too many questions
 */
async function addTo(
  actor: Actor,
  courseId: number,
  target: BankTarget,
  given: (executor: Executor) => Promise<readonly Question[]>,
): Promise<Written> {
  if ('title' in target) {
    const questions = distinct(await given(db()), []);
    const input = createLessonCall.input!.parse({ type: quiz.name, title: target.title, questions });
    const { id, title } = await createLesson(actor, courseId, input);
    return { lessonId: id, title, added: questions.length, already: 0 };
  }
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const working = await lockForChange(tx, courseId);
      const [row] = await tx
        .select()
        .from(lessons)
        .where(and(eq(lessons.courseId, working.id), isLesson(target.lessonId), eq(lessons.type, quiz.name)))
        .for('no key update');
      if (!row) throw new AppError('not_found', 'This course has no such quiz');
      const present = await questionsOf(row.id, tx);
      const questions = await given(tx);
      const added = distinct(questions, present);
      if (present.length + added.length > QUESTIONS_MAX) {
        throw new AppError(
          'conflict',
          `The quiz has ${present.length} questions; with ${added.length} more it would have more than ${QUESTIONS_MAX}.`,
        );
      }
      if (added.length > 0) await writeQuestions(tx, actor, row, [...present, ...added], working);
      return {
        ...{ lessonId: shownId(row), title: row.title, added: added.length },
        already: questions.length - added.length,
      };
    }),
  );
}

function distinct(questions: readonly Question[], present: readonly Question[]): Question[] {
  const known = new Set(present.map(saidBy));
  return questions.flatMap((question) => {
    const said = saidBy(question);
    if (known.has(said)) return [];
    known.add(said);
    return [fresh(question)];
  });
}

/** See `addTo`. */
export const addQuestions = (
  actor: Actor,
  courseId: number,
  { target, questions }: { target: BankTarget; questions: Question[] },
): Promise<Written> => addTo(actor, courseId, target, async () => questions);

/** See `addTo`. */
export const copyQuestions = (
  actor: Actor,
  courseId: number,
  { target, questionIds }: { target: BankTarget; questionIds: number[] },
): Promise<Written> =>
  addTo(actor, courseId, target, async (executor) =>
    (await pickQuestions(courseId, questionIds, executor)).map(({ question }) => question),
  );

/**
 * Adds or removes a tag; each changed quiz gets a new version.
 * @throws {AppError} as `pickQuestions`; conflict for too many tags
 */
export function tagQuestions(
  actor: Actor,
  courseId: number,
  { questionIds, tag, remove }: { questionIds: number[]; tag: string; remove: boolean },
): Promise<{ changed: number }> {
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const working = await lockForChange(tx, courseId);
      const picked = await pickQuestions(courseId, questionIds, tx);
      const wanted = picked.filter(({ question }) => (question.tags ?? []).includes(tag) === remove);
      const ids = new Set(wanted.map(({ question }) => question.id));
      const full = wanted.find(
        ({ question }) => !remove && (question.tags ?? []).length >= QUESTION_MAX.tags,
      );
      if (full) {
        const named = plainLine(full.question, full.question.question).slice(0, 60);
        throw new AppError('conflict', `“${named}” has ${QUESTION_MAX.tags} tags already.`);
      }
      for (const lessonId of new Set(wanted.map((one) => one.lessonId))) {
        const [row] = await tx.select().from(lessons).where(eq(lessons.id, lessonId)).for('no key update');
        const questions = (await questionsOf(lessonId, tx)).map((question) => {
          if (!ids.has(question.id)) return question;
          const { tags = [], ...rest } = question;
          const next = remove ? tags.filter((one) => one !== tag) : [...tags, tag];
          return next.length > 0 ? { ...rest, tags: next } : rest;
        });
        await writeQuestions(tx, actor, row!, questions as Question[], working);
      }
      return { changed: ids.size };
    }),
  );
}

import { and, desc, eq, sql } from 'drizzle-orm';
import { doorColumns, givesAccess, LessonClosed, readerOf } from '#src/features/catalogue/access.server.ts';
import { db, prepared } from '#db/client.ts';
import { courses, type ExpectedMistake, lessons, type TestCase } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress } from '#db/schema/learn.ts';
import { codeSubmissions, groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import { findCourse, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { isPassedInstead } from '#src/features/learn/progress/completion.server.ts';
import { visitLesson } from '#src/features/learn/classroom/classroom.server.ts';
import { placeOfLesson } from '#src/features/learn/progress/next-step.server.ts';
import { LESSON_NOT_FOUND } from '#src/features/catalogue/catalogue.ts';
import { courseViewHref } from '#src/features/learn/progress/lesson-place.ts';
import type { LessonPlace } from '#src/features/learn/progress/lesson-place.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import { has } from '#src/features/lessons/registry.ts';
import { programsSeen } from './compare/programs-seen.server.ts';
import { offeredHints } from './groups/offered-hints.server.ts';
import type { OfferedHint } from './groups/schema.ts';
import type { LessonForLearner } from './schema.ts';

export type SignedIn = NonNullable<Viewer>;

const lessonForViewer = prepared((database) =>
  database
    .select({
      ...doorColumns,
      title: lessons.title,
      type: lessons.type,
      difficulty: lessons.difficulty,
      points: lessons.points,
      instructions: lessons.instructions,
      content: lessons.content,
      expectedOutput: lessons.expectedOutput,
      hints: lessons.hints,
      testCases: lessons.testCases,
      codeLimits: lessons.codeLimits,
      // Without their programs, which are for the publish check alone.
      expectedMistakes: sql<
        Omit<ExpectedMistake, 'program'>[]
      >`coalesce((select jsonb_agg(one - 'program' order by place)
        from jsonb_array_elements(${lessons.expectedMistakes}) with ordinality as mistakes (one, place)), '[]')`,
      codingLanguage: lessons.codingLanguage,
      starterCode: lessons.starterCode,
      isPreview: lessons.isPreview,
      attempts: lessonProgress.attempts,
      hintsUsed: lessonProgress.hintsUsed,
      completed: lessonProgress.completed,
      groupHintsOpened: sql<number>`(select count(*)::int from ${groupHintOffers}
        join ${mistakeGroups} on ${mistakeGroups.id} = ${groupHintOffers.groupId}
        where ${groupHintOffers.userId} = ${sql.placeholder('viewerId')} and ${mistakeGroups.lessonId} = ${lessons.id}
          and ${groupHintOffers.shownAt} is not null)`,
    })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(enrollments, givesAccess(sql.placeholder('viewerId'), courses.id))
    .leftJoin(
      lessonProgress,
      and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, sql.placeholder('viewerId'))),
    )
    .where(eq(lessons.id, sql.placeholder('id')))
    .prepare('practice_lesson_for_viewer'),
);

export type LessonRow = Awaited<ReturnType<ReturnType<typeof lessonForViewer>['execute']>>[number];

/** A readable lesson's row (decision 32), else not_found with the text of spec 8. */
export async function readableLesson(id: number, viewer: Viewer): Promise<LessonRow> {
  // No account has id 0, so that a visitor is enrolled nowhere.
  const [row] = await lessonForViewer().execute({ id, viewerId: viewer?.id ?? 0 });
  if (!row || readerOf(row, viewer) === null) {
    throw await refusalOf(viewer?.id, { lessonId: id }, lessonNotFound());
  }
  return row;
}

export function lessonNotFound(): AppError {
  return new AppError('not_found', LESSON_NOT_FOUND);
}

export function shownTest({
  input,
  expectedOutput,
  description = '',
  hidden = false,
  mode = 'call',
}: TestCase) {
  return hidden ? { description, hidden, mode } : { description, hidden, mode, input, expectedOutput };
}

function toLessonForLearner(row: LessonRow): LessonForLearner {
  return {
    id: row.id,
    courseId: row.courseId,
    title: row.title,
    type: row.type,
    difficulty: row.difficulty,
    points: row.points,
    instructions: row.instructions ?? '',
    content: row.content,
    expectedOutput: row.expectedOutput ?? '',
    hints: row.hints,
    testCases: row.testCases.map(shownTest),
    codingLanguage: row.codingLanguage,
    starterCode: row.starterCode ?? '',
    isPreview: row.isPreview,
    attempts: row.attempts ?? 0,
    hintsUsed: row.hintsUsed ?? 0,
    completed: row.completed ?? false,
  };
}

/** A lesson as this viewer may read it. @throws {AppError} not_found with the text of spec 8 (I1) */
export async function getLesson(viewer: Viewer, id: number): Promise<LessonForLearner> {
  const row = await readableLesson(id, viewer);
  if (viewer && row.enrollmentId !== null) await visitLesson(viewer.id, row.courseId, id);
  return toLessonForLearner(row);
}

/** Hints that this viewer can have seen: the lesson's, and those that were written for others and opened. */
export function hintsThereAre({ hints, groupHintsOpened }: LessonRow): number {
  return hints.length + groupHintsOpened;
}

export interface Workbench extends LessonPlace {
  lesson: LessonForLearner & { codingLanguage: NonNullable<LessonForLearner['codingLanguage']> };
  text: string;
  fixture: string;
  course: { id: number; title: string };
  enrolled: boolean;
  lastCode: string | null;
  groupHints: OfferedHint[];
  programsSeen: { hidden: boolean } | null;
}

export async function findWorkbench(
  viewer: Viewer,
  id: number,
): Promise<Workbench | { elsewhere: string } | null> {
  const lesson = await getLesson(viewer, id).catch((error: unknown) => {
    if (error instanceof LessonClosed) return { elsewhere: error.href };
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  });
  if (!lesson || 'elsewhere' in lesson) return lesson;
  const view = await findCourse(lesson.courseId, viewer);
  if (!view) return null;
  const { courseId, codingLanguage } = lesson;
  if (!has(lesson.type, 'codingLanguage') || codingLanguage === null) {
    return view.enrolled ? { elsewhere: `/learn/${courseId}?lesson=${id}` } : null;
  }
  // With nothing to compare a program with it is read, and marked complete there.
  if (view.enrolled && !(await isPassedInstead(id))) return { elsewhere: courseViewHref(courseId, id) };
  const [last] = viewer
    ? await db()
        .select({ code: codeSubmissions.submittedCode })
        .from(codeSubmissions)
        .where(and(eq(codeSubmissions.userId, viewer.id), eq(codeSubmissions.lessonId, id)))
        .orderBy(desc(codeSubmissions.submittedAt), desc(codeSubmissions.id))
        .limit(1)
    : [];
  const place: LessonPlace =
    viewer && view.enrolled
      ? await placeOfLesson(viewer.id, courseId, id)
      : {
          position: view.lessons.findIndex((one) => one.id === id) + 1,
          lessonCount: view.lessons.length,
          progress: 0,
          points: lesson.points,
          changedAt: null,
          ruling: null,
          previous: null,
          next: null,
        };
  const { instructions, content } = lesson;
  const isFixture = hasFixture(codingLanguage);
  return {
    lesson: { ...lesson, codingLanguage },
    text: [instructions, isFixture ? '' : content].filter(Boolean).join('\n\n'),
    fixture: isFixture ? content : '',
    course: { id: courseId, title: view.course.title },
    ...place,
    enrolled: view.enrolled,
    lastCode: last?.code ?? null,
    groupHints: viewer ? await offeredHints(viewer.id, id) : [],
    programsSeen: viewer ? await programsSeen(viewer.id, id) : null,
  };
}

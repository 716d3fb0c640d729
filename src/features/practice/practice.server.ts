import { and, eq, sql } from 'drizzle-orm';
import { doorColumns, givesAccess, LessonClosed, readerOf } from '#src/features/catalogue/access.server.ts';
import { prepared } from '#db/client.ts';
import { courses, type ExpectedMistake, lessons, type TestCase } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, studyClocks } from '#db/schema/learn.ts';
import { codeSubmissions, groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import type { Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { isStaleVisit, visitLesson } from '#src/features/learn/classroom/classroom.server.ts';
import { placeColumns, placeIn } from '#src/features/learn/progress/next-step.server.ts';
import { LESSON_NOT_FOUND } from '#src/features/catalogue/catalogue.ts';
import { courseViewHref } from '#src/features/learn/progress/lesson-place.ts';
import type { LessonPlace } from '#src/features/learn/progress/lesson-place.ts';
import { refusalOf } from '#src/features/store/orders/ended-access.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import { has, isDoneByPassing } from '#src/features/lessons/registry.ts';
import { isOwnCourse } from '#src/features/lessons/working-copy.server.ts';
import { programsSeenBy } from './compare/programs-seen.server.ts';
import { hintsOffered, offeredHints } from './groups/offered-hints.server.ts';
import type { OfferedHint } from './groups/schema.ts';
import type { LessonForLearner } from './schema.ts';

export type SignedIn = NonNullable<Viewer>;

const viewerId = sql.placeholder('userId');

const lessonColumns = {
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
        where ${groupHintOffers.userId} = ${viewerId} and ${mistakeGroups.lessonId} = ${lessons.id}
          and ${groupHintOffers.shownAt} is not null)`,
};

const ofViewer = and(eq(lessonProgress.lessonId, lessons.id), eq(lessonProgress.userId, viewerId));

const lessonForViewer = prepared((database) =>
  database
    .select(lessonColumns)
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(enrollments, givesAccess(viewerId, courses.id))
    .leftJoin(lessonProgress, ofViewer)
    .where(eq(lessons.id, sql.placeholder('lessonId')))
    .prepare('practice_lesson_for_viewer'),
);

export type LessonRow = Awaited<ReturnType<ReturnType<typeof lessonForViewer>['execute']>>[number];

/** A readable lesson's row (decision 32), else not_found with the text of spec 8. */
export async function readableLesson(id: number, viewer: Viewer): Promise<LessonRow> {
  const [row] = await lessonForViewer().execute(asked(id, viewer));
  if (!row || readerOf(row, viewer) === null) {
    throw await refusalOf(viewer?.id, { lessonId: id }, lessonNotFound());
  }
  return row;
}

// No account has id 0, so that a visitor is enrolled nowhere.
const asked = (lessonId: number, viewer: Viewer) => ({ lessonId, userId: viewer?.id ?? 0 });

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

const workbench = prepared((database) =>
  database
    .select({
      ...lessonColumns,
      ...placeColumns,
      courseTitle: courses.title,
      isHere: isOwnCourse,
      isStale: isStaleVisit,
      lastCode: sql<string | null>`(
    select ${codeSubmissions.submittedCode} from ${codeSubmissions}
    where ${codeSubmissions.userId} = ${viewerId} and ${codeSubmissions.lessonId} = ${lessons.id}
    order by ${codeSubmissions.submittedAt} desc, ${codeSubmissions.id} desc limit 1)`,
      groupHints: hintsOffered(viewerId),
      programsSeen: programsSeenBy(viewerId),
    })
    .from(lessons)
    .innerJoin(courses, eq(courses.id, lessons.courseId))
    .leftJoin(enrollments, givesAccess(viewerId, courses.id))
    .leftJoin(lessonProgress, ofViewer)
    .leftJoin(studyClocks, eq(studyClocks.userId, viewerId))
    .where(eq(lessons.id, sql.placeholder('lessonId')))
    .prepare('workbench'),
);

export async function findWorkbench(
  viewer: Viewer,
  id: number,
): Promise<Workbench | { elsewhere: string } | null> {
  const [row] = await workbench().execute(asked(id, viewer));
  try {
    if (!row?.isHere || readerOf(row, viewer) === null) return null;
  } catch (error) {
    if (error instanceof LessonClosed) return { elsewhere: error.href };
    throw error;
  }
  const { courseId, codingLanguage, courseTitle, lastCode } = row;
  const enrolled = row.enrollmentId !== null;
  if (!has(row.type, 'codingLanguage') || codingLanguage === null) {
    return enrolled ? { elsewhere: `/learn/${courseId}?lesson=${id}` } : null;
  }
  // With nothing to compare a program with it is read, and marked complete there.
  if (enrolled && !isDoneByPassing(row.type, row)) return { elsewhere: courseViewHref(courseId, id) };
  const place = placeIn(row);
  if (viewer && enrolled && (row.isStale || place.changedAt)) {
    await visitLesson(viewer.id, courseId, id, place.changedAt);
  }
  const lesson = toLessonForLearner(row);
  const { instructions, content } = lesson;
  const isFixture = hasFixture(codingLanguage);
  return {
    lesson: { ...lesson, codingLanguage },
    text: [instructions, isFixture ? '' : content].filter(Boolean).join('\n\n'),
    fixture: isFixture ? content : '',
    course: { id: courseId, title: courseTitle },
    ...place,
    enrolled,
    lastCode,
    groupHints: offeredHints(row.groupHints),
    programsSeen: row.programsSeen,
  };
}

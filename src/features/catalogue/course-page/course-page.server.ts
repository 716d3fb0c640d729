import { toSnakeCase } from 'drizzle-orm/casing';
import { sqlClient } from '#db/client.ts';
import type { Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { type CourseCard, isOpenedLater, type LessonOutline } from '#src/features/catalogue/catalogue.ts';
import type { CoursePage } from './course-page.ts';
import type { Instructor } from './instructor.ts';
import { relatedCourses } from './related.server.ts';
import { RATINGS_PAGE_SIZE, summarise } from '#src/features/catalogue/ratings/ratings.ts';
import { type AnswerRow, answerJson } from '#src/features/catalogue/ratings/answers.server.ts';
import { firstStepped, freeCourses } from '#src/features/catalogue/stepped-courses.server.ts';
import { ownRatingOf, toShown } from '#src/features/catalogue/ratings/ratings.server.ts';
import type { LessonPreview } from '#src/features/catalogue/schema.ts';
import { PLAYED_COLUMNS, video } from '#src/features/lessons/registry.ts';
import { type HtmlRoom, QUIZ_HTML_MAX } from '#src/features/lessons/types/quiz/formats/html.server.ts';
import { type KeptQuestion, previewQuestions } from '#src/features/lessons/types/quiz/marking.server.ts';
import type { QuestionRow } from '#src/features/lessons/types/quiz/question.ts';
import { chaptersOf } from '#src/features/lessons/types/video/chapters.ts';
import { ACCESS_STATUS } from '#src/features/catalogue/access.server.ts';
import { cardsAsJson } from '#src/features/catalogue/search/search.server.ts';
import { isStaffOf } from '#src/features/account/staff.ts';

type KeptPreview = Omit<LessonPreview, 'questions' | 'chapters'> & {
  chapters: string;
  questions: (QuestionRow & Pick<KeptQuestion, 'id' | 'html'>)[];
} & Parameters<typeof previewQuestions>[0];

function shownPreview({ questions, chapters, ...lesson }: KeptPreview, room: HtmlRoom): LessonPreview {
  return { ...lesson, chapters: chaptersOf(chapters), questions: previewQuestions(lesson, questions, room) };
}

const PREVIEW_COLUMNS = [
  'id',
  'title',
  'type',
  'content',
  'instructions',
  'fileSize',
  'mimeType',
  ...PLAYED_COLUMNS,
]
  .map((name) => `${toSnakeCase(name)} as "${name}"`)
  .join(', ');

type Row = CoursePage['course'] & {
  videoSeconds: number;
  enrollmentId: number | null;
  createdBy: number | null;
  instructor: Instructor | null;
  lessons: LessonOutline[];
  previews: KeptPreview[];
  ratings: { rating: number; count: number }[];
  reviews: {
    id: number;
    rating: number;
    review: string;
    username: string;
    createdAt: string;
    updatedAt: string;
    answer: AnswerRow | null;
  }[];
  related: CourseCard[];
  free: Parameters<typeof firstStepped>[0];
};

/** One query: round trips would dominate this frequent page. */
function readCourse(id: number, viewerId: number, ratingsPage: number) {
  const sql = sqlClient();
  return sql<Row[]>`
    select c.id, c.title, c.description, c.thumbnail, c.price_cents::float8 as "priceCents",
      c.original_price_cents::float8 as "originalPriceCents", c.duration, c.level, c.rating::float8 as rating,
      c.review_count as "reviewCount", c.students_count as "studentsCount", c.category_id as "categoryId",
      g.name as "categoryName", c.is_active as "isActive", c.outcomes, c.audience, u.username as "createdByName", u.id as "createdBy", e.id as "enrollmentId",
      case when u.instructor_words <> '' or u.instructor_portrait is not null then json_build_object(
        'name', u.username, 'words', u.instructor_words, 'portrait', u.instructor_portrait) end as instructor,
      (select coalesce(sum(duration_seconds), 0)::int from lessons
        where course_id = c.id and type = ${video.name}) as "videoSeconds",
      (select coalesce(json_agg(one), '[]') from (
        select id, course_id as "courseId", title, section, type, duration, "order", difficulty,
          is_preview as "isPreview", required_to_complete as "requiredToComplete", points
        from lessons where course_id = c.id order by "order", id
      ) as one) as lessons,
      (select coalesce(json_agg(one), '[]') from (
        select ${sql.unsafe(PREVIEW_COLUMNS)},
          (select coalesce(json_agg(json_build_object('id', q.id, 'kind', q.kind, 'question', q.question, 'options', q.options,
              'correctAnswer', q.correct_answer, 'explanation', q.explanation, 'details', q.details, 'html', q.html)
            order by q."order", q.id), '[]') from quiz_questions q where q.lesson_id = lessons.id) as questions,
          (select s.id from scenarios s where s.lesson_id = lessons.id) as "scenarioId"
        from lessons where course_id = c.id and is_preview order by "order", id
      ) as one) as previews,
      (select coalesce(json_agg(one), '[]') from (
        select rating, count(*)::int as count from course_reviews
        where course_id = c.id and hidden_at is null group by rating
      ) as one) as ratings,
      (select coalesce(json_agg(one), '[]') from (
        select r.id, r.rating, r.review, a.username, r.created_at as "createdAt", r.updated_at as "updatedAt",
          ${sql.unsafe(answerJson('r.id'))} as answer
        from course_reviews r join users a on a.id = r.user_id
        where r.course_id = c.id and r.hidden_at is null
        order by r.created_at desc, r.id desc
        limit ${RATINGS_PAGE_SIZE}::int offset ${(ratingsPage - 1) * RATINGS_PAGE_SIZE}::bigint
      ) as one) as reviews,
      ${cardsAsJson(relatedCourses(id, viewerId))} as related,
      ${freeCourses(id)} as free
    from courses c
    join categories g on g.id = c.category_id
    left join users u on u.id = c.created_by
    left join enrollments e on e.course_id = c.id and e.user_id = ${viewerId}::int and e.status = ${ACCESS_STATUS}
    where c.id = ${id}::int and c.draft_of is null`;
}

/**
 * Null where missing, or hidden from this viewer (decision 29, fault I8).
 * @param ratingsPage from 1; past the end the first
 */
export async function findCoursePage(
  id: number,
  viewer: Viewer,
  ratingsPage = 1,
): Promise<CoursePage | null> {
  // No account has id 0.
  const [[row], mine] = await Promise.all([
    readCourse(id, viewer?.id ?? 0, ratingsPage),
    ownRatingOf(viewer, id),
  ]);
  if (!row) return null;
  const { enrollmentId, createdBy, videoSeconds, instructor, related, free, ...rest } = row;
  const { lessons, previews, ratings, reviews, ...course } = rest;
  const enrolled = enrollmentId !== null;
  const answers = viewer !== null && (viewer.role === 'admin' || viewer.id === createdBy);
  if (!course.isActive && !enrolled && !isStaffOf(viewer, course.id)) return null;
  const summary = summarise(new Map(ratings.map((one) => [one.rating, one.count])));
  if (reviews.length === 0 && ratingsPage > 1) return findCoursePage(id, viewer);
  const room: HtmlRoom = { bytes: QUIZ_HTML_MAX };
  return {
    course,
    lessons,
    previews: previews.map((preview) => shownPreview(preview, room)),
    videoSeconds,
    enrolled,
    opensLater: isOpenedLater(course.priceCents, lessons),
    instructor,
    related,
    steps: firstStepped(free),
    summary,
    reviews: reviews.map((one) =>
      toShown({ ...one, createdAt: new Date(one.createdAt), updatedAt: new Date(one.updatedAt) }, answers),
    ),
    answers,
    ratingsPage,
    mine,
  };
}

/** Who made an active course and says something of themselves (decision 96), by name, with these courses by title. */
export function listInstructors() {
  return sqlClient()<(Instructor & { courses: { id: number; title: string }[] })[]>`
    select u.username as name, u.instructor_words as words, u.instructor_portrait as portrait,
      json_agg(json_build_object('id', c.id, 'title', c.title) order by c.title, c.id) as courses
    from users u join courses c on c.created_by = u.id
    where c.is_active and (u.instructor_words <> '' or u.instructor_portrait is not null)
    group by u.id order by u.username, u.id`;
}

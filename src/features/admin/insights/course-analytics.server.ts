import { asc, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courses } from '#db/schema/catalogue.ts';
import { isPerson } from '#src/features/catalogue/access.server.ts';
import { keptCents, paidBackByLine } from '#src/features/store/orders/orders.server.ts';
import { centsToDecimal } from '#src/shared/money.ts';
import { salesOverTime } from './analytics.server.ts';
import { stepsBetween } from './charts.ts';
import {
  type CourseFigures,
  type DayRange,
  FUNNEL_STEPS,
  type LessonFigures,
  type QuestionFigures,
  type TestFigures,
  totalsOf,
} from './course-analytics.ts';
import { toCsv } from '#src/server/csv.ts';
import { coding } from '#src/features/lessons/registry.ts';
import type { Answer, KindName } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { plainLine } from '#src/features/lessons/types/quiz/formats/html.server.ts';
import { givenAnswers } from '#src/features/lessons/types/quiz/figures/question-figures.server.ts';
import type { Question } from '#src/features/lessons/types/quiz/question.ts';

/** Days. */
const STOPPED_AFTER_DAYS = 14;

/** Inclusive. */
const within = (column: string, { from, to }: DayRange) =>
  sql`${sql.raw(column)} >= ${from}::date and ${sql.raw(column)} < ${to}::date + 1`;

/**
 * With hidden courses, highest revenue first. Purchases by day of completion; started and finished of those who got access in the
 * range.
 */
export async function courseFigures(range: DayRange): Promise<CourseFigures[]> {
  const rows = await db().execute<Record<keyof CourseFigures, string | number>>(sql`
    with seen as (
      select course_id, sum(views)::int as views, sum(carts)::int as carts from course_days
      where day between ${range.from}::date and ${range.to}::date group by course_id
    ), guests as (
      select i.course_id, count(*)::int as begun from orders o join order_items i on i.order_id = o.id
      where ${within('o.created_at', range)} and o.claim_secret_hash is not null group by i.course_id
    ), bought as (
      select i.course_id, count(*)::int as paid,
        sum(case when o.status in ('completed', 'partially_refunded') then ${keptCents(sql`i`)} else 0 end)::bigint as cents
      from orders o join order_items i on i.order_id = o.id
      left join ${paidBackByLine()} on paid_back.item_id = i.id
      where ${within('o.completed_at', range)} group by i.course_id
    ), learned as (
      select course_id, count(*)::int as enrolled, count(*) filter (where last_accessed_at is not null)::int as started,
        count(*) filter (where completed_at is not null)::int as finished
      from enrollments where ${within('enrolled_at', range)} and ${isPerson(sql`enrollments.user_id`)} group by course_id
    )
    select c.id as "courseId", c.title, coalesce(s.views, 0) as views, coalesce(s.carts, 0) + coalesce(g.begun, 0) as carts,
      coalesce(b.paid, 0) as paid, coalesce(b.cents, 0) as "revenueCents",
      coalesce(l.enrolled, 0) as enrolled, coalesce(l.started, 0) as started, coalesce(l.finished, 0) as finished
    from courses c
    left join seen s on s.course_id = c.id
    left join guests g on g.course_id = c.id
    left join bought b on b.course_id = c.id
    left join learned l on l.course_id = c.id
    where c.draft_of is null
    order by coalesce(b.cents, 0) desc, coalesce(b.paid, 0) desc, coalesce(s.views, 0) desc, c.id`);
  return rows.map((row) => ({
    courseId: Number(row.courseId),
    title: String(row.title),
    views: Number(row.views),
    carts: Number(row.carts),
    paid: Number(row.paid),
    enrolled: Number(row.enrolled),
    started: Number(row.started),
    finished: Number(row.finished),
    revenueCents: Number(row.revenueCents),
  }));
}

/** Lesson figures are of these people. */
export async function enrolledIn(courseId: number, range: DayRange): Promise<number> {
  const [row] = await db().execute<{ people: number }>(sql`
    select count(*)::int as people from enrollments
    where course_id = ${courseId} and ${within('enrolled_at', range)} and ${isPerson(sql`enrollments.user_id`)}`);
  return Number(row!.people);
}

/** Of those who got access in the range, in order. */
export async function lessonFigures(courseId: number, range: DayRange): Promise<LessonFigures[]> {
  const rows = await db().execute<Record<keyof LessonFigures, string | number | null>>(sql`
    with people as (
      select user_id, current_lesson_id, completed_at, last_accessed_at from enrollments
      where course_id = ${courseId} and ${within('enrolled_at', range)} and ${isPerson(sql`enrollments.user_id`)}
    ), went as (
      select p.lesson_id, count(*)::int as opened, count(*) filter (where p.completed)::int as completed,
        avg(p.time_spent) filter (where p.time_spent > 0) as seconds
      from lesson_progress p join people e on e.user_id = p.user_id where p.course_id = ${courseId} group by p.lesson_id
    ), last as (
      select current_lesson_id as lesson_id, count(*)::int as stopped from people
      where completed_at is null and last_accessed_at < now() - make_interval(days => ${STOPPED_AFTER_DAYS})
      group by current_lesson_id
    )
    select l.id as "lessonId", l.title, l.section, row_number() over (order by l."order", l.id)::int as place,
      coalesce(w.opened, 0) as opened, coalesce(w.completed, 0) as completed,
      coalesce(s.stopped, 0) as stopped, w.seconds::float as "averageSeconds"
    from lessons l left join went w on w.lesson_id = l.id left join last s on s.lesson_id = l.id
    where l.course_id = ${courseId} order by l."order", l.id`);
  return rows.map((row) => ({
    lessonId: Number(row.lessonId),
    title: String(row.title),
    section: String(row.section),
    place: Number(row.place),
    opened: Number(row.opened),
    completed: Number(row.completed),
    stopped: Number(row.stopped),
    averageSeconds: row.averageSeconds === null ? null : Number(row.averageSeconds),
  }));
}

/** Most failed first. A test is its place: runs from before a move count where it was. */
export async function testFigures(courseId: number, range: DayRange): Promise<TestFigures[]> {
  const rows = await db().execute<Record<keyof TestFigures, string | number | boolean | null>>(sql`
    select l.id as "lessonId", l.title as lesson, t.place::int as test,
      coalesce(max(t.result ->> 'description'), '') as description,
      bool_or(coalesce((t.result ->> 'hidden')::boolean, false)) as "isHidden",
      count(*)::int as runs, count(*) filter (where not (t.result ->> 'passed')::boolean)::int as failed
    from lessons l
    join code_submissions s on s.lesson_id = l.id and ${within('s.submitted_at', range)} and ${isPerson(sql`s.user_id`)}
    cross join lateral jsonb_array_elements(s.results) with ordinality as t(result, place)
    where l.course_id = ${courseId} and l.type = ${coding.name} and t.result ? 'passed'
    group by l.id, t.place
    order by count(*) filter (where not (t.result ->> 'passed')::boolean) desc, count(*), l."order", l.id, t.place`);
  return rows.map((row) => ({
    lessonId: Number(row.lessonId),
    lesson: String(row.lesson),
    test: Number(row.test),
    description: String(row.description),
    isHidden: row.isHidden === true,
    runs: Number(row.runs),
    failed: Number(row.failed),
  }));
}

const COMMONEST = 5;

/** Answered by options. */
const CHOSEN: ReadonlySet<string> = new Set<KindName>(['single_choice', 'several_answers', 'true_false']);

/** Each option of a multiple choice, else the whole answer. */
function partsOf(
  question: Question,
  answer: Answer,
  isRight: boolean,
): Pick<QuestionFigures['commonest'][number], 'answer' | 'isRight'>[] {
  if (question.kind !== 'several_answers' || !Array.isArray(answer)) {
    return [{ answer: answerText(question, answer), isRight }];
  }
  const { options, correctAnswers } = question;
  return answer.map((option) => ({
    answer: plainLine(question, option),
    isRight: correctAnswers.includes(options.indexOf(option)),
  }));
}

function answerText(question: Question, answer: Answer): string {
  if (typeof answer === 'boolean') return answer ? 'True' : 'False';
  if (typeof answer === 'number')
    return 'options' in question ? plainLine(question, question.options[answer] ?? '') : String(answer);
  return Array.isArray(answer) ? answer.join(' · ') : answer;
}

/** Over all attempts of the range. */
export async function questionFigures(courseId: number, range: DayRange): Promise<QuestionFigures[]> {
  const figures = new Map<number, QuestionFigures>();
  const during = sql`${within('t.submitted_at', range)} and ${isPerson(sql`t.user_id`)}`;
  for (const given of await givenAnswers(courseId, during)) {
    const { id, lessonId, lesson, place, kind, question, isRight, sums } = given;
    const one = figures.get(id) ?? {
      ...{ lessonId, lesson, place, question: plainLine(question, question.question) },
      ...{ answered: 0, right: 0, isChosen: CHOSEN.has(kind), commonest: [] },
    };
    one.answered += sums.answered;
    one.right += sums.right;
    // An option's number and text are the same option.
    for (const part of partsOf(question, given.answer, isRight)) {
      const known = one.commonest.find(({ answer: text }) => text === part.answer);
      if (known) known.times += sums.answered;
      else one.commonest.push({ ...part, times: sums.answered });
    }
    figures.set(id, one);
  }
  for (const one of figures.values()) {
    one.commonest = one.commonest.toSorted((a, b) => b.times - a.times).slice(0, COMMONEST);
  }
  return [...figures.values()];
}

export async function courseTitle(id: number): Promise<string | null> {
  const [course] = await db().select({ title: courses.title }).from(courses).where(eq(courses.id, id));
  return course?.title ?? null;
}

/** The course with the most students. */
export async function firstCourse(): Promise<number | null> {
  const [course] = await db()
    .select({ id: courses.id })
    .from(courses)
    .orderBy(sql`${courses.studentsCount} desc`, asc(courses.id))
    .limit(1);
  return course?.id ?? null;
}

/** CSV; null for an unknown report or course. */
export async function reportCsv(
  name: string,
  courseId: number | null,
  range: DayRange,
): Promise<string | null> {
  if (name === 'courses') {
    const figures = await courseFigures(range);
    const row = (title: string, one: Omit<CourseFigures, 'courseId' | 'title'>) => [
      title,
      ...FUNNEL_STEPS.map(({ key }) => one[key]),
      centsToDecimal(one.revenueCents),
    ];
    return toCsv(
      ['Course', ...FUNNEL_STEPS.map(({ label }) => label), 'Revenue (USD, net of refunds)'],
      [...figures.map((one) => row(one.title, one)), row('All courses', totalsOf(figures))],
    );
  }
  if (name === 'sales') {
    const steps = stepsBetween(range);
    return toCsv(
      [steps.unit === 'month' ? 'Month from' : 'Day', 'Revenue (USD, net of refunds)', 'Enrollments'],
      (await salesOverTime(steps)).map((one) => [
        one.start,
        centsToDecimal(one.revenueCents),
        one.enrollments,
      ]),
    );
  }
  if (courseId === null || (await courseTitle(courseId)) === null) return null;
  if (name === 'lessons') {
    const [enrolled, figures] = await Promise.all([
      enrolledIn(courseId, range),
      lessonFigures(courseId, range),
    ]);
    return toCsv(
      ['Place', 'Section', 'Lesson', 'Opened', 'Completed', 'Stopped here', 'Average seconds'],
      [
        ['', '', 'Enrolled', enrolled, '', '', ''],
        ...figures.map((one) => [
          one.place,
          one.section,
          one.title,
          one.opened,
          one.completed,
          one.stopped,
          one.averageSeconds === null ? '' : Math.round(one.averageSeconds),
        ]),
      ],
    );
  }
  if (name === 'tests') {
    return toCsv(
      ['Lesson', 'Test', 'Description', 'Hidden', 'Runs', 'Failed'],
      (await testFigures(courseId, range)).map((one) => [
        one.lesson,
        one.test,
        one.description,
        one.isHidden ? 'yes' : 'no',
        one.runs,
        one.failed,
      ]),
    );
  }
  if (name === 'questions') {
    return toCsv(
      ['Lesson', 'Question', 'Text', 'Answered', 'Right', 'Answer', 'Times', 'Is right'],
      (await questionFigures(courseId, range)).flatMap((one) =>
        one.commonest.map(({ answer, times, isRight }) => [
          one.lesson,
          one.place,
          one.question,
          one.answered,
          one.right,
          answer,
          times,
          isRight ? 'yes' : 'no',
        ]),
      ),
    );
  }
  return null;
}

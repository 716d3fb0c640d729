import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlClient } from '#db/client.ts';
import { makeCategories } from '../../support/factories.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { findClassroom } from '#src/features/learn/classroom/classroom.server.ts';
import { openLesson } from '../../support/open-lesson.ts';
import { findNextStep, readCoursesPage } from '#src/features/learn/progress/next-step.server.ts';
import {
  getEnrollment,
  listEnrollments,
  listEnrollmentsWithContent,
  listProgress,
} from '#src/features/learn/progress/enrollments.server.ts';
import { readDashboard } from '#src/features/learn/dashboard/dashboard.server.ts';
import { wholeReads } from '../../support/plans.ts';

// Where every query finds its rows by an index, a page costs what its own learner has, however many others there are.
const BIG = [
  'users',
  'enrollments',
  'lessons',
  'lesson_progress',
  'points_ledger',
  'study_days',
  'certificates',
];
const LEARNERS = 2_000;
const own = postgres(process.env.DATABASE_URL!, { max: 1, onnotice: () => {} });
let userId: number;
let courseId: number;
let lessonId: number;

const learner = () => ({
  id: userId,
  username: 'Learner',
  email: 'learner@example.com',
  role: 'student' as const,
  emailVerified: true,
});

beforeAll(async () => {
  // Its statements may take as long as they need.
  const sql = own;
  await makeCategories();
  await sql`
    insert into courses (slug, title, description, price_cents, level, category_id)
    select 'big-' || n, 'Course ' || n, 'What one learns here.', 4900, 'beginner', 1 from generate_series(1, 100) n`;
  await sql`
    insert into lessons (course_id, title, type, content, duration, "order", points)
    select c.id, 'Lesson ' || n, 'text', 'Text', '15 min', n, 5
    from courses c cross join generate_series(1, 20) n where c.slug like 'big-%'`;
  await sql`
    insert into users (username, email, role)
    select 'Learner ' || n, 'big-' || n || '@example.com', 'student' from generate_series(1, ${LEARNERS}::int) n`;
  await sql`
    insert into enrollments (user_id, course_id, progress, last_accessed_at)
    select u.id, c.id, 50, now() - interval '1 day'
    from (select id, row_number() over (order by id) as n from users where email like 'big-%') u
    join (select id, row_number() over (order by id) as n from courses where slug like 'big-%') c on c.n % 20 = u.n % 20`;
  await sql`
    insert into lesson_progress (user_id, lesson_id, course_id, completed, completed_at)
    select e.user_id, l.id, e.course_id, true, now()
    from enrollments e join lessons l on l.course_id = e.course_id and l."order" <= 4`;
  await sql`
    insert into points_ledger (user_id, lesson_id, course_id, points)
    select user_id, lesson_id, course_id, 5 from lesson_progress`;
  await sql`
    insert into study_days (user_id, day, seconds, lessons_completed)
    select u.id, current_date - d, 600, 1 from users u cross join generate_series(0, 5) d where u.email like 'big-%'`;
  await sql`
    insert into certificates (user_id, course_id, certificate_number, recipient_name, course_title, verification_url)
    select user_id, course_id, 'BIG-' || id, 'Learner', 'Course', 'http://localhost:4321/certificates/BIG-' || id
    from enrollments where id % 2 = 0`;
  await sql`analyze`;
  const [row] = await sql<{ user_id: number; course_id: number; lesson_id: number }[]>`
    select e.user_id, e.course_id, l.id as lesson_id
    from enrollments e join lessons l on l.course_id = e.course_id and l."order" = 5
    order by e.user_id desc, e.course_id limit 1`;
  userId = row!.user_id;
  courseId = row!.course_id;
  lessonId = row!.lesson_id;
}, 120_000);

afterAll(() => own.end());

describe(`with ${(LEARNERS * 5).toLocaleString('en-US')} enrollments`, () => {
  it.each([
    ['the dashboard', () => readDashboard(userId)],
    ['my courses', () => readCoursesPage(userId)],
    ['all enrollments with their outlines', () => listEnrollmentsWithContent(userId)],
    ['where one goes on', async () => findNextStep(userId, await listEnrollments(userId))],
    ['one enrollment', () => getEnrollment(userId, courseId)],
    ['the viewer', () => findClassroom(learner(), courseId)],
    ['a lesson that is opened', () => openLesson(userId, courseId, lessonId)],
    ['the progress', () => listProgress(userId)],
    ['a completion', () => completeLesson(learner(), courseId, lessonId)],
  ])('%s reads no big table from end to end', async (_, work) => {
    const { queries, found } = await wholeReads(own, BIG, work);
    expect(queries).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });

  it('a read without an index would be noticed', async () => {
    const { found } = await wholeReads(own, BIG, () =>
      sqlClient().unsafe("select user_id from lesson_progress where notes like '%x%'"),
    );
    expect(found).toHaveLength(1);
  });
});

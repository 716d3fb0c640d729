import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { findGradebook } from '#src/features/admin/grading/gradebook.server.ts';
import { SCENARIO_EXAMPLE } from '#src/features/authoring/scenario-editor/scenario-example.ts';
import { findLessonVersions } from '#src/features/authoring/lesson-editor/versions/versions.server.ts';
import { showTexts } from '#src/features/catalogue/course-page/shown-texts.server.ts';
import { findCoursePage } from '#src/features/catalogue/course-page/course-page.server.ts';
import { openLesson } from '../../support/open-lesson.ts';
import { GET as exportCourse } from '#src/pages/admin/courses/[id]/export.zip.ts';
import { GET as readChanges } from '#src/pages/api/admin/courses/[id]/changes.ts';
import { POST as addLesson } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { PUT as saveLesson } from '#src/pages/api/admin/lessons/[id].ts';
import { GET as readCourse } from '#src/pages/api/courses/[id].ts';
import { GET as searchCourses } from '#src/pages/api/courses.ts';
import { GET as readLesson } from '#src/pages/api/lessons/[id].ts';
import { callRoute, signIn } from '../../support/api.ts';
import { longestStretch, STRETCH_MAX_MS } from '../../support/longest-stretch.ts';

// The largest sums of a lesson's lists, and of a course's lessons, with all that reads them (fault U11).
const ANSWER_MAX_BYTES = 2_000_000;
const fill = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

let as: Awaited<ReturnType<typeof signIn>>;
let learner: Awaited<ReturnType<typeof signIn>>;
let learnerId: number;
const measured: { what: string; stretch: number; bytes: number }[] = [];
beforeAll(async () => {
  as = await signIn(await makeAdmin());
  const user = await makeUser();
  learnerId = user.id;
  learner = await signIn(user);
});
afterAll(() => {
  if (process.env.MEASURE) console.table(measured.toSorted((a, b) => b.stretch - a.stretch));
});

async function measure<T>(what: string, work: () => Promise<T>): Promise<T> {
  await db().delete(rateLimits);
  let made: T;
  const stretch = await longestStretch(async () => {
    made = await work();
  });
  const text = (made! as { text?: string }).text ?? JSON.stringify(made!);
  const bytes = Buffer.byteLength(text);
  measured.push({ what, stretch, bytes });
  expect(bytes, what).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
  expect(stretch, what).toBeLessThanOrEqual(STRETCH_MAX_MS);
  return made!;
}

const program = (index: number, length: number) => `let a${index} = "${fill('<&"\n', length)}";`;
const coding = (lists: object) => ({
  ...{ type: 'interactive_coding', title: 'Full', instructions: 'Write.', codingLanguage: 'javascript' },
  ...{ starterCode: '', solution: 'let a = 1;', expectedOutput: 'x', ...lists },
});
const LISTS: Record<
  string,
  { max: number; one: (index: number) => object; body: (list: object[]) => object }
> = {
  'test case': {
    max: 50,
    one: (index) => ({
      ...{ input: fill(`${index}<&"\n`, 4999), expectedOutput: fill(`${index}"\n`, 4999) },
      ...{ description: '', hidden: false },
    }),
    body: (testCases) => coding({ testCases }),
  },
  'expected mistake': {
    max: 12,
    one: (index) => ({ say: 'No.', code: `mark ${index}`, program: program(index, 60_000) }),
    body: (expectedMistakes) => coding({ expectedMistakes }),
  },
  rule: {
    max: 120,
    one: (index) => ({
      ...{ id: `rule-${index}`, title: `Rule ${index}`, feedback: fill('So. ', 1990) },
      phrases: Array.from({ length: 40 }, (_, at) => fill(`phrase ${index} ${at} `, 190)),
    }),
    body: (rules) => ({
      ...{ type: 'scenario', title: 'Full', content: '' },
      scenario: {
        ...SCENARIO_EXAMPLE,
        rules: [...rules, ...SCENARIO_EXAMPLE.rules],
      },
    }),
  },
};

describe.each(Object.entries(LISTS))(
  'a lesson with as many large entries as it can: %s',
  (name, { max, one, body }) => {
    it('is saved and read at its largest sum; one more is refused with the sum and the largest entry', async () => {
      const course = await makeCourse();
      await makeEnrollment(learnerId, course.id);
      const params = { id: String(course.id) };
      const add = (count: number) =>
        measure(`${name}: ${count} added`, () =>
          callRoute(addLesson, {
            ...{ method: 'POST', params, as },
            body: body(Array.from({ length: count }, (_, index) => one(index))),
          }),
        );
      let count = max;
      while (JSON.stringify(body(Array.from({ length: count }, (_, index) => one(index)))).length > 1_000_000)
        count -= 1;
      const refused = await add(count);
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringMatching(
          new RegExp(
            `of “Full” up to ${name} \\d+ would be \\d+ KB together, at most 640 KB are possible\\. ${name} \\d+ alone`,
            'i',
          ),
        ),
      ]);
      count = Number(/up to [a-z ]+(\d+) would/.exec(refused.body.message)![1]) - 1;
      const saved = await add(count);
      expect(saved.status, saved.text.slice(0, 300)).toBe(201);
      const { id } = saved.body as { id: number };
      // As if it had been published.
      await db().update(lessons).set({ courseId: course.id, isPreview: true }).where(eq(lessons.id, id));
      for (const who of [as, learner]) {
        await measure(`${name}: lesson`, () =>
          callRoute(readLesson, { params: { id: String(id) }, as: who }),
        );
      }
      await measure(`${name}: opened`, () => openLesson(learnerId, course.id, id));
      await measure(`${name}: course`, () => callRoute(readCourse, { params, as }));
      await measure(`${name}: course page`, () => findCoursePage(course.id, null));
      await measure(`${name}: changes`, () => callRoute(readChanges, { params, as }));
      await measure(`${name}: archive`, () => callRoute(exportCourse, { params, as }));
    });
  },
);

it('tells the changes of many long lessons as far as one answer has room, and names the fields of the others', {
  timeout: 60_000,
}, async () => {
  const course = await makeCourse();
  const made = [];
  for (let index = 0; index < 12; index += 1)
    made.push(await makeLesson(course.id, { content: fill(`${fill(`a ${index} word `, 60)}\n`, 99_000) }));
  for (const [index, { id, title }] of made.entries()) {
    const saved = await callRoute(saveLesson, {
      ...{ method: 'PUT', params: { id: String(id) }, as },
      body: { type: 'text', title, version: 1, content: fill(`${fill(`b ${index} word `, 60)}\n`, 99_000) },
    });
    expect(saved.status, saved.text.slice(0, 200)).toBe(200);
  }
  const params = { id: String(course.id) };
  const { body } = await measure('changes of long lessons', () => callRoute(readChanges, { params, as }));
  expect(body.lessons).toHaveLength(12);
  expect(body.lessons[0].differences[0].after.length).toBeGreaterThan(90_000);
  const last = body.lessons[11].differences;
  expect(last).toEqual([
    {
      label: expect.stringContaining('Content'),
      hunks: [{ lines: [expect.stringContaining('Too much')] }],
      after: '',
    },
  ]);
});

it('reads a course of a thousand lessons in a hundred sections, with its gradebook and its archive', {
  timeout: 120_000,
}, async () => {
  const course = await makeCourse({ title: 'Thousand' });
  await db()
    .insert(lessons)
    .values(
      Array.from({ length: 1000 }, (_, index) => ({
        ...{
          courseId: course.id,
          order: index + 1,
          type: index % 2 ? ('assignment' as const) : ('text' as const),
        },
        ...{
          title: fill(`課 ${index} 課題`, 149),
          section: fill(`節 ${Math.floor(index / 10)} 節題`, 99),
        },
        content: fill(`${index} *é* <b> `, 2000),
      })),
    );
  for (let index = 0; index < 50; index += 1) await makeEnrollment((await makeUser()).id, course.id);
  await makeEnrollment(learnerId, course.id);
  const params = { id: String(course.id) };
  for (const who of [as, learner]) await measure('course', () => callRoute(readCourse, { params, as: who }));
  await measure('course page', () => findCoursePage(course.id, null));
  await measure('search', () => callRoute(searchCourses, { path: '/api/courses?search=Thousand' }));
  await measure('gradebook', () =>
    findGradebook(course.id, { search: '', page: 1, filter: 'all', sort: 'name' } as unknown as Parameters<
      typeof findGradebook
    >[1]),
  );
  await measure('archive', () => callRoute(exportCourse, { params, as }));
  const [first] = await db().select().from(lessons).where(eq(lessons.courseId, course.id)).limit(1);
  await measure('versions', () => findLessonVersions(course.id, first!.id));
});

it('shows on a course’s page as many long previews as it has room for, and says so of the others', async () => {
  const course = await makeCourse();
  for (let index = 0; index < 25; index += 1) {
    await makeLesson(course.id, { isPreview: true, content: fill(`${index} words & words\n`, 99_000) });
  }
  const page = await findCoursePage(course.id, null);
  const texts = await measure('previews', async () =>
    [...(await showTexts(page!)).previews.values()].map(({ lesson: { questions }, html }) => ({
      questions,
      html,
    })),
  );
  expect(texts).toHaveLength(25);
  expect(texts[5]!.html).toContain('words &amp; words');
  expect(texts[24]!.html).toContain('this one is left out');
});

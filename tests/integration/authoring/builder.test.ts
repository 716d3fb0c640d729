import { answered } from '../../support/patient.ts';
import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCategories, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { courses, lessons } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { languagesInWords } from '#src/features/lessons/types/coding/languages.ts';
import { NO_MEMORY_LIMIT } from '#src/features/lessons/types/coding/limits.ts';
import { findLessonFields } from '#src/features/authoring/lesson-editor/lessons.server.ts';
import { SCENARIO_EXAMPLE } from '#src/features/authoring/scenario-editor/scenario-example.ts';
import { checkScenario, isPublishable } from '#src/features/scenario/check.ts';
import { stopJudge } from '#src/judge/client.ts';
import { POST as addLesson } from '#src/pages/api/admin/courses/[id]/lessons.ts';
import { POST as create } from '#src/pages/api/admin/interactive-courses.ts';
import { PUT as updateLesson } from '#src/pages/api/admin/lessons/[id].ts';
import { POST as tryLesson } from '#src/pages/api/admin/try-lesson.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { moveBack } from '../../support/move-back.ts';

let admin: Awaited<ReturnType<typeof makeAdmin>>;
beforeAll(async () => {
  await makeCategories();
  admin = await makeAdmin({ username: 'Grace Hopper' });
});
afterAll(() => stopJudge());

const post = async (body: unknown, as = admin) => callRoute(create, { body, as: await signIn(as) });
const rowsOf = (courseId: number) =>
  db().select().from(lessons).where(eq(lessons.courseId, courseId)).orderBy(asc(lessons.order));
const countOf = async (title: string) => db().$count(courses, eq(courses.title, title));

const CHOOSE = `Choose ${languagesInWords('disjunction')}`;

/** The body of spec 7, and nothing else. */
const CODING = {
  title: 'Add two numbers',
  type: 'interactive_coding',
  instructions: 'Write `add`.',
  codingLanguage: 'javascript',
  starterCode: 'function add(a, b) {\n  return 0;\n}\n',
  expectedOutput: '',
  difficulty: 'beginner',
  points: 20,
  hints: ['Use +'],
  testCases: [{ input: 'add(2, 3)', expectedOutput: '5', description: 'two and three' }],
  order: 7,
};
const COURSE = {
  title: 'Compilers',
  description: 'How a language becomes a program.',
  categoryId: 1,
  price: '49.00',
  originalPrice: '79.00',
  level: 'intermediate',
  duration: '12 hours',
  lessons: [CODING],
};
const course = (changes: object = {}) => ({ ...COURSE, title: `Compilers ${randomUUID()}`, ...changes });
const lesson = (changes: object) => course({ lessons: [{ ...CODING, ...changes }] });

describe('making a course with its lessons', () => {
  it('takes the body of the specification, in the store at once', async () => {
    const body = course();
    const answer = await post(body);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      title: body.title,
      isActive: true,
      activateWhenProven: false,
      unproven: [{ code: 'not_checked', message: expect.any(String), lessonId: expect.any(Number) }],
      lessons: [{ id: expect.any(Number), title: 'Add two numbers', order: 1 }],
      // Nobody works on jobs in this test: the check goes on without the answer.
      checked: false,
    });
    const [row] = await db().select().from(courses).where(eq(courses.id, answer.body.id));
    expect(row).toMatchObject({
      description: body.description,
      categoryId: 1,
      priceCents: 4900,
      originalPriceCents: 7900,
      level: 'intermediate',
      duration: '12 hours',
      isActive: true,
      createdBy: admin.id,
    });
    expect(await rowsOf(answer.body.id)).toMatchObject([
      {
        type: 'interactive_coding',
        order: 1,
        instructions: 'Write `add`.',
        codingLanguage: 'javascript',
        starterCode: CODING.starterCode,
        hints: ['Use +'],
        testCases: [
          {
            input: 'add(2, 3)',
            expectedOutput: '5',
            description: 'two and three',
            hidden: false,
            mode: 'call',
          },
        ],
        points: 20,
        requiredToComplete: true,
        isPreview: false,
      },
    ]);
    expect(
      await db()
        .select()
        .from(auditLog)
        .where(and(eq(auditLog.subjectType, 'course'), eq(auditLog.subjectId, String(row!.id)))),
    ).toMatchObject([
      { action: 'course.created', actorId: admin.id, details: { title: body.title, lessons: 1 } },
      { action: 'course.checked', actorId: admin.id },
    ]);
  });

  it('keeps everything that each type of lesson has', async () => {
    const answer = await post(
      course({
        lessons: [
          {
            ...CODING,
            codingLanguage: 'css',
            content: '<p class="note">Hi</p>',
            solution: '.note { color: red }',
            isPreview: true,
            requiredToComplete: false,
            duration: '10 min',
            testCases: [
              { input: '.note | color', expectedOutput: 'red', description: 'is red', hidden: true },
            ],
          },
          {
            ...CODING,
            codingLanguage: 'python',
            testCases: [{ input: '3\n4', expectedOutput: '7', mode: 'stdin' }],
          },
          {
            title: 'Check yourself',
            type: 'quiz',
            instructions: 'Four questions.',
            questions: [{ question: '2 + 2?', options: ['3', '4'], correctAnswer: 1, explanation: 'Sums.' }],
          },
          { title: 'Outage', type: 'scenario', instructions: 'Stay calm.', scenario: SCENARIO_EXAMPLE },
          { title: 'Read this', type: 'text', instructions: '# Values', content: 'More.' },
        ],
      }),
    );
    expect(answer.status, answer.text).toBe(201);
    const rows = await rowsOf(answer.body.id);
    expect(rows.map(({ type, order, points }) => [type, order, points])).toEqual([
      ['interactive_coding', 1, 20],
      ['interactive_coding', 2, 20],
      ['quiz', 3, 10],
      ['scenario', 4, 10],
      ['text', 5, 10],
    ]);
    expect(rows[0]).toMatchObject({
      content: '<p class="note">Hi</p>',
      solution: '.note { color: red }',
      isPreview: true,
      requiredToComplete: false,
      duration: '10 min',
      testCases: [{ hidden: true }],
    });
    expect(rows[1]).toMatchObject({ content: '', testCases: [{ input: '3\n4', mode: 'stdin' }] });
    expect(rows[2]).toMatchObject({ content: 'Four questions.', codingLanguage: null, starterCode: null });
    expect(rows[4]).toMatchObject({ content: '# Values\n\nMore.', instructions: null });
    expect(
      await db().select().from(quizQuestions).where(eq(quizQuestions.lessonId, rows[2]!.id)),
    ).toMatchObject([{ question: '2 + 2?', options: ['3', '4'], correctAnswer: 1, order: 1 }]);
    expect(await db().select().from(scenarios).where(eq(scenarios.lessonId, rows[3]!.id))).toMatchObject([
      { title: 'The site is down', scenarioType: 'debugging', timeLimit: 10, version: 1 },
    ]);
    expect(await findLessonFields(answer.body.id, rows[3]!.id)).toMatchObject({
      content: 'Stay calm.',
      scenario: { title: 'The site is down' },
    });
  });

  it('offers an example of a scenario that its own check finds nothing against', () => {
    const report = checkScenario(SCENARIO_EXAMPLE);
    expect(report.findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(isPublishable(report)).toBe(true);
  });

  it.each([
    [undefined, 10],
    [null, 10],
    ['', 10],
    ['many', 10],
    ['7', 7],
    [0, 0],
    [10_000, 10_000],
  ])('takes the points %j as %j (spec 5)', async (points, kept) => {
    const answer = await post(lesson({ points }));
    expect(answer.status, answer.text).toBe(201);
    expect((await rowsOf(answer.body.id))[0]!.points).toBe(kept);
  });

  it('leaves out blank hints, and keeps what is compared exactly as it was typed', async () => {
    const tests = [{ input: '  ada \n', expectedOutput: ' Hello,\n  ada', mode: 'stdin', description: '' }];
    const answer = await post(lesson({ hints: ['', ' one ', '   '], testCases: tests }));
    const [row] = await rowsOf(answer.body.id);
    expect(row!.hints).toEqual(['one']);
    expect(row!.testCases).toEqual([{ ...tests[0], hidden: false, expectsEmpty: false, strict: false }]);
  });

  it('counts places from 1, whatever order and ids are claimed', async () => {
    const answer = await post(
      course({
        id: 1,
        createdBy: 1,
        isActive: false,
        rating: '5.00',
        studentsCount: 999,
        slug: 'stolen',
        createdAt: '2001-01-01T00:00:00Z',
        builderDigest: 'x',
        version: 40,
        lessons: ['C', 'A', 'B'].map((title, index) => ({
          ...CODING,
          title,
          order: 9 - index,
          id: 1,
          courseId: 1,
          fileUrl: 'javascript:alert(1)',
          version: 12,
        })),
      }),
    );
    expect(answer.status, answer.text).toBe(201);
    const [row] = await db().select().from(courses).where(eq(courses.id, answer.body.id));
    expect(row).toMatchObject({
      createdBy: admin.id,
      isActive: false,
      rating: '0.00',
      studentsCount: 0,
      slug: null,
      version: 1,
    });
    expect(row!.createdAt.getFullYear()).toBeGreaterThan(2020);
    expect(
      (await rowsOf(row!.id)).map(({ title, order, fileUrl, version }) => [title, order, fileUrl, version]),
    ).toEqual([
      ['C', 1, null, 1],
      ['A', 2, null, 1],
      ['B', 3, null, 1],
    ]);
  });

  it('takes a free course, and the longest texts', async () => {
    const free = await post(
      course({ price: '0', originalPrice: null, level: undefined, duration: undefined }),
    );
    expect(free.status, free.text).toBe(201);
    const title = `${randomUUID()}${'x'.repeat(114)}`;
    expect(title).toHaveLength(150);
    const longest = await post(
      course({
        title,
        lessons: Array.from({ length: 200 }, (_, index) => ({ ...CODING, title: `L${index}` })),
      }),
    );
    expect(longest.status, longest.text).toBe(201);
    expect(longest.body.lessons).toHaveLength(200);
    expect(longest.body.lessons[199]).toMatchObject({ title: 'L199', order: 200 });
  });
});

describe('what it refuses', () => {
  const tests = (changes: object) => lesson({ testCases: [{ ...CODING.testCases[0], ...changes }] });
  const quiz = (changes: object) =>
    lesson({
      type: 'quiz',
      questions: [{ question: '2 + 2?', options: ['3', '4'], correctAnswer: 1, ...changes }],
    });

  it.each([
    [course({ title: ' ' }), { title: 'Title is required' }],
    [course({ title: 'x'.repeat(151) }), { title: 'Title must be at most 150 characters' }],
    [course({ title: 'a\nb' }), { title: 'Title must be a single line' }],
    [course({ title: 'a\0b' }), { title: 'Title contains characters that cannot be stored' }],
    [course({ description: undefined }), { description: 'Description is required' }],
    [
      course({ description: 'a\ud800' }),
      { description: 'Description contains characters that cannot be stored' },
    ],
    [course({ categoryId: '' }), { categoryId: 'Category is required' }],
    [course({ categoryId: 1.5 }), { categoryId: 'There is no such category' }],
    [course({ categoryId: 99_999 }), { categoryId: 'There is no such category' }],
    [course({ price: '' }), { price: 'Price is required' }],
    [course({ price: '0.20' }), { price: 'Price must be 0 for a free course, or at least 0.50' }],
    [
      course({ price: '19.999' }),
      { price: 'Price must be dollars and cents, such as 49.00, up to 99999999.99' },
    ],
    [course({ price: '-1' }), { price: 'Price must be dollars and cents, such as 49.00, up to 99999999.99' }],
    [
      course({ originalPrice: 'much' }),
      { originalPrice: 'Original price must be dollars and cents, such as 49.00, up to 99999999.99' },
    ],
    [course({ level: 'expert' }), { level: 'Choose Beginner, Intermediate or Advanced' }],
    [course({ duration: 'x'.repeat(51) }), { duration: 'Duration must be at most 50 characters' }],
    [course({ draftId: 'mine' }), { draftId: 'draftId must be a UUID' }],
    [course({ lessons: undefined }), { lessons: 'Lessons must be a list' }],
    [course({ lessons: [] }), { lessons: 'Add at least one lesson' }],
    [
      course({ lessons: Array.from({ length: 201 }, () => CODING) }),
      { lessons: 'Send at most 200 lessons at once' },
    ],
    [lesson({ title: '' }), { 'lessons.0.title': 'Title is required' }],
    [lesson({ title: 'a\0' }), { 'lessons.0.title': 'Title contains characters that cannot be stored' }],
    [lesson({ instructions: '  ' }), { 'lessons.0.instructions': 'Instructions are required' }],
    [lesson({ instructions: undefined }), { 'lessons.0.instructions': 'Instructions are required' }],
    [
      lesson({ instructions: 'x'.repeat(20_001) }),
      { 'lessons.0.instructions': 'Instructions must be at most 20000 characters' },
    ],
    [
      lesson({ type: 'video' }),
      { 'lessons.0.type': 'Type must be interactive_coding, scenario, quiz or text' },
    ],
    [lesson({ codingLanguage: undefined }), { 'lessons.0.codingLanguage': CHOOSE }],
    [lesson({ codingLanguage: 'cobol' }), { 'lessons.0.codingLanguage': CHOOSE }],
    [
      lesson({ starterCode: 'x'.repeat(65_537) }),
      { 'lessons.0.starterCode': 'Starter code must be at most 65536 characters' },
    ],
    [
      lesson({ solution: 'a\0' }),
      { 'lessons.0.solution': 'Reference solution contains characters that cannot be stored' },
    ],
    [lesson({ points: -1 }), { 'lessons.0.points': 'Points must be at least 0' }],
    [lesson({ points: '10001' }), { 'lessons.0.points': 'Points must be at most 10000' }],
    [lesson({ points: 1.5 }), { 'lessons.0.points': 'Points must be a whole number' }],
    [lesson({ points: {} }), { 'lessons.0.points': 'Points must be a whole number' }],
    [lesson({ difficulty: 'hard' }), { 'lessons.0.difficulty': 'Choose Beginner, Intermediate or Advanced' }],
    [lesson({ isPreview: 'yes' }), { 'lessons.0.isPreview': 'isPreview must be true or false' }],
    [lesson({ hints: 'one' }), { 'lessons.0.hints': 'Hints must be a list' }],
    [lesson({ hints: ['x'.repeat(1001)] }), { 'lessons.0.hints.0': 'Hint must be at most 1000 characters' }],
    [lesson({ hints: Array(21).fill('x') }), { 'lessons.0.hints': 'A lesson has at most 20 hints' }],
    [lesson({ testCases: {} }), { 'lessons.0.testCases': 'Test cases must be a list' }],
    [
      lesson({ testCases: Array(51).fill(CODING.testCases[0]) }),
      { 'lessons.0.testCases': 'A lesson has at most 50 test cases' },
    ],
    [tests({ input: ' \n' }), { 'lessons.0.testCases.0.input': 'Input is required' }],
    [tests({ input: undefined }), { 'lessons.0.testCases.0.input': 'Input is required' }],
    [
      tests({ expectedOutput: '' }),
      { 'lessons.0.testCases.0.expectedOutput': 'Expected output is required' },
    ],
    [
      tests({ input: 'a\0' }),
      { 'lessons.0.testCases.0.input': 'Input contains characters that cannot be stored' },
    ],
    [tests({ mode: 'file' }), { 'lessons.0.testCases.0.mode': 'mode must be call or stdin' }],
    [
      tests({ hidden: true, description: ' ' }),
      {
        'lessons.0.testCases.0.description':
          'A hidden test needs a description: it is all that learners see of it',
      },
    ],
    [
      lesson({ codingLanguage: 'html', testCases: [{ input: 'p', expectedOutput: 'x', mode: 'stdin' }] }),
      {
        'lessons.0.testCases.0.mode': `HTML reads no lines; only ${languagesInWords('conjunction', 'takesLines')} do`,
      },
    ],
    [quiz({ correctAnswer: 2 }), { 'lessons.0.questions.0.correctAnswer': 'Choose the correct option' }],
    [quiz({ options: ['4'] }), { 'lessons.0.questions.0.options': 'A question needs at least 2 options' }],
    [
      lesson({ type: 'scenario', scenario: { ...SCENARIO_EXAMPLE, goals: [] } }),
      { 'lessons.0.scenario.goals': expect.any(String) },
    ],
    [
      lesson({ type: 'scenario', scenario: { ...SCENARIO_EXAMPLE, state: { minutes: 1 } } }),
      { 'lessons.0.scenario.state.minutes': expect.stringContaining('clock') },
    ],
  ])('%#', async (body, fields) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toMatchObject(fields);
    if (!body.title.includes('\0')) expect(await countOf(body.title)).toBe(0);
  });

  it('is whole: one lesson that cannot be kept leaves nothing', async () => {
    const elsewhere = course({ categoryId: 4711 });
    const before = await db().$count(lessons);
    expect((await post(elsewhere)).body.fields).toEqual({ categoryId: 'There is no such category' });
    const broken = course({ lessons: [CODING, { ...CODING, title: '' }] });
    expect((await post(broken)).body.fields).toEqual({ 'lessons.1.title': 'Title is required' });
    expect(await db().$count(lessons)).toBe(before);
    expect((await countOf(broken.title)) + (await countOf(elsewhere.title))).toBe(0);
  });

  it('asks visitors to sign in, and refuses students', async () => {
    const body = course();
    expect((await callRoute(create, { body })).status).toBe(401);
    const refused = await post(body, await makeUser());
    expect(refused.status).toBe(403);
    expect(await countOf(body.title)).toBe(0);
  });
});

describe('the same request again', () => {
  it('with its draft gives the course that is there, at once or later', async () => {
    const body = course({ draftId: randomUUID() });
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await post(body)).body).toEqual(answers[0]!.body);
    expect(await countOf(body.title)).toBe(1);
    expect(await rowsOf(answers[0]!.body.id)).toHaveLength(1);
  });

  it('without one counts as one when it comes within seconds, and as another when its content differs', async () => {
    const body = course();
    const answers = await Promise.all([post(body), post(body), post(body)]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    const other = await post({ ...body, lessons: [CODING, CODING] });
    expect(other.body.id).not.toBe(answers[0]!.body.id);
    const theirs = await post(body, await makeAdmin());
    expect(theirs.body.id).not.toBe(answers[0]!.body.id);
    await moveBack(courses, eq(courses.title, body.title), { createdAt: { minutes: 1 } });
    expect((await post(body)).status).toBe(201);
    expect(await countOf(body.title)).toBe(4);
  });

  it('with other content is refused, and names the course that the draft became', async () => {
    const body = course({ draftId: randomUUID() });
    const { id } = (await post(body)).body;
    for (const [changed, as] of [
      [{ ...body, lessons: [CODING, CODING] }, admin],
      [body, await makeAdmin()],
    ] as const) {
      const answer = await post(changed, as);
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ courseId: id, message: expect.stringContaining(body.title) });
    }
    expect(await countOf(body.title)).toBe(1);
  });
});

describe('trying a lesson that is not saved', () => {
  const CODE = 'function add(a, b) { return a + b; }';
  const LESSON = {
    codingLanguage: 'javascript',
    testCases: [
      { input: 'add(2, 3)', expectedOutput: '5', description: 'small' },
      { input: 'add(-1, 1)', expectedOutput: '0', description: 'cancels out', hidden: true },
    ],
    expectedOutput: '',
    content: '',
  };
  const attempt = async (body: unknown) => {
    const as = await signIn(admin);
    return answered(() => callRoute(tryLesson, { body, as }));
  };

  it('gives the verdict that a learner would get, and keeps nothing', async () => {
    const right = await attempt({ ...LESSON, code: CODE });
    expect(right.status, right.text).toBe(200);
    expect(right.body).toMatchObject({ isCorrect: true, verdict: 'pass' });
    const wrong = await attempt({ ...LESSON, code: 'const add = (a, b) => a * b;' });
    expect(wrong.body).toMatchObject({
      isCorrect: false,
      verdict: 'wrong_answer',
      tests: [
        { input: 'add(2, 3)', expectedOutput: '5', got: '6', passed: false },
        { description: 'cancels out', hidden: true, passed: false },
      ],
    });
    expect(wrong.body.tests[1]).not.toHaveProperty('input');
    expect(wrong.body.tests[1]).not.toHaveProperty('got');
    expect(await db().$count(codeSubmissions)).toBe(0);
  });

  it('gives a program the time that the lesson allows', async () => {
    const heavy = {
      ...LESSON,
      code: 'let s = 0; for (let i = 0; i < 200e6; i++) s += i % 7;\nconst add = (a, b) => a + b;',
    };
    const short = await attempt({ ...heavy, codeLimits: { seconds: 0.5 } });
    expect(short.body).toMatchObject({ verdict: 'time_limit' });
    const long = await attempt({ ...heavy, codeLimits: { seconds: 10 } });
    expect(long.body).toMatchObject({ isCorrect: true });
  });

  it('styles the markup of a css lesson, and compares printed output where there are no tests', async () => {
    const css = await attempt({
      codingLanguage: 'css',
      testCases: [{ input: '.note | color', expectedOutput: 'rgb(255, 0, 0)' }],
      content: '<p class="note">Hi</p>',
      code: '.note { color: red }',
    });
    expect(css.body).toMatchObject({ isCorrect: true });
    const printed = await attempt({
      codingLanguage: 'javascript',
      testCases: [],
      expectedOutput: 'Hello',
      code: 'console.log("Hello")',
    });
    expect(printed.body).toMatchObject({
      isCorrect: true,
      tests: [{ expectedOutput: 'Hello', passed: true }],
    });
  });

  it.each([
    [{ ...LESSON, code: ' \n' }, 400, 'Empty Code'],
    [{ ...LESSON, code: 'x'.repeat(65_537) }, 400, 'Code must be at most 65536 characters'],
    [{ ...LESSON, code: CODE, codingLanguage: 'cobol' }, 400, CHOOSE],
    [{ ...LESSON, code: CODE, testCases: [{ input: '', expectedOutput: '1' }] }, 400, 'Input is required'],
    [
      { ...LESSON, code: CODE, testCases: [] },
      409,
      'Add a test case or an expected output first: there is nothing to compare with.',
    ],
  ])('refuses what cannot be run (%#)', async (body, status, message) => {
    const answer = await attempt(body);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toBe(message);
  });

  it('slows down whoever runs without end', async () => {
    const busy = await signIn(await makeAdmin());
    const body = { ...LESSON, code: '' };
    const answers = [];
    for (let index = 0; index < 61; index += 1) {
      answers.push((await callRoute(tryLesson, { body, as: busy })).status);
    }
    expect(answers.slice(0, 60).every((status) => status === 400)).toBe(true);
    expect(answers[60]).toBe(429);
  });
});

describe('changing afterwards what the builder made', () => {
  const change = async (id: number, body: unknown) =>
    callRoute(updateLesson, { method: 'PUT', params: { id: String(id) }, body, as: await signIn(admin) });
  // Off the store: what is changed in it does not wait to be published.
  const built = async (...given: object[]) => (await post(course({ lessons: given, isActive: false }))).body;

  it('reaches every part of a coding lesson, and warns of a colleague’s newer change', async () => {
    const { id, lessons: made } = await built(CODING);
    const lessonId = made[0].id;
    const before = (await findLessonFields(id, lessonId))!;
    const body = {
      type: 'interactive_coding',
      title: 'Add three numbers',
      ...before.exercise,
      codingLanguage: 'python',
      solution: 'def add(*all):\n    return sum(all)\n',
      testCases: [{ input: 'add(1, 2, 3)', expectedOutput: '6', description: 'three', hidden: true }],
      points: 30,
      version: before.version,
    };
    const answer = await change(lessonId, body);
    expect(answer.status, answer.text).toBe(200);
    expect((await rowsOf(id))[0]).toMatchObject({
      title: 'Add three numbers',
      codingLanguage: 'python',
      solution: body.solution,
      points: 30,
      version: 2,
      testCases: [{ input: 'add(1, 2, 3)', hidden: true, mode: 'call' }],
    });
    const late = await change(lessonId, { ...body, hints: ['Mine'] });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ version: 2, changed: [{ label: 'Hints', value: '1. Use +' }] });
    expect((await change(lessonId, { ...body, version: 2 })).body.version).toBe(2);
  });

  it('reaches a scenario, whose version follows its definition only', async () => {
    const { id, lessons: made } = await built({
      title: 'Outage',
      type: 'scenario',
      instructions: 'Stay calm.',
      scenario: SCENARIO_EXAMPLE,
    });
    const lessonId = made[0].id;
    const body = {
      type: 'scenario',
      title: 'Outage',
      content: 'Stay calm.',
      points: 10,
      scenario: SCENARIO_EXAMPLE,
    };
    const scenario = async () =>
      (await db().select().from(scenarios).where(eq(scenarios.lessonId, lessonId)))[0]!;
    expect((await change(lessonId, { ...body, title: 'Great outage', version: 1 })).body.version).toBe(2);
    expect((await scenario()).version).toBe(1);
    const longer = { ...SCENARIO_EXAMPLE, timeLimit: 25 };
    expect((await change(lessonId, { ...body, scenario: longer, version: 2 })).status).toBe(200);
    expect(await scenario()).toMatchObject({ version: 2, timeLimit: 25, definition: { timeLimit: 25 } });
    expect((await change(lessonId, { ...body, scenario: null, version: 3 })).body.fields).toEqual({
      scenario: 'Scenario is required',
    });
    expect((await findLessonFields(id, lessonId))!.scenario).toMatchObject({ timeLimit: 25 });
  });

  it('keeps an empty text that a test asks for, through saving and the form', async () => {
    const { id } = await built(CODING);
    const body = { ...CODING, order: null, testCases: [{ input: 'trim(" ")', expectsEmpty: true }] };
    const added = await callRoute(addLesson, {
      params: { id: String(id) },
      body,
      as: await signIn(admin),
    });
    expect(added.status, added.text).toBe(201);
    const fields = (await findLessonFields(id, added.body.id))!;
    expect(fields.exercise.testCases).toMatchObject([{ expectedOutput: '', expectsEmpty: true }]);
  });

  it('keeps that a test compares with the type, judges by it, and says what the type should be', async () => {
    const { id } = await built(CODING);
    const testCases = [{ input: 'add(2, 3)', expectedOutput: '5', strict: true }];
    const body = { ...CODING, order: null, testCases };
    const as = await signIn(admin);
    const added = await callRoute(addLesson, { params: { id: String(id) }, body, as });
    expect(added.status, added.text).toBe(201);
    const fields = (await findLessonFields(id, added.body.id))!;
    expect(fields.exercise.testCases).toMatchObject([{ strict: true }]);
    const run = async (code: string, tests: object[]) =>
      (
        await callRoute(tryLesson, {
          body: { codingLanguage: 'javascript', code, testCases: tests },
          as: await signIn(admin),
        })
      ).body.tests[0];
    const asText = 'const add = (a, b) => String(a + b);';
    const words = 'Expected the number 5, got the text "5".';
    expect(await run(asText, testCases)).toMatchObject({ passed: false, got: '"5"', typeDifference: words });
    expect(await run(asText, [{ ...testCases[0], strict: false }])).toMatchObject({ passed: true });
    const hidden = await run(asText, [{ ...testCases[0], hidden: true, description: 'adds' }]);
    expect(hidden).toMatchObject({ passed: false });
    expect(hidden).not.toHaveProperty('typeDifference');
    const refused = await callRoute(addLesson, {
      params: { id: String(id) },
      body: { ...body, testCases: [{ ...testCases[0], strict: 'yes' }] },
      as: await signIn(admin),
    });
    expect(refused.body.fields).toEqual({ 'testCases.0.strict': 'strict must be true or false' });
  });

  it('keeps the limits of a lesson, within their bounds, and judges by them', async () => {
    const { id } = await built(CODING);
    const add = async (body: object) =>
      callRoute(addLesson, { params: { id: String(id) }, body, as: await signIn(admin) });
    const body = { ...CODING, order: null };
    const added = await add({ ...body, codeLimits: { seconds: 2.5, memoryMb: 128 } });
    expect(added.status, added.text).toBe(201);
    const kept = (await findLessonFields(id, added.body.id))!;
    expect(kept.exercise.codeLimits).toEqual({ seconds: 2.5, memoryMb: 128 });
    const usual = await add({ ...body, codeLimits: { seconds: null } });
    expect((await findLessonFields(id, usual.body.id))!.exercise.codeLimits).toEqual({});
    const seconds = 'Time for a test must be 0.5 to 10 seconds, in steps of 0.1';
    const memory = 'Memory must be a whole number of 64 to 192 MB';
    for (const [given, fields] of [
      [{ codeLimits: { seconds: 0.4 } }, { 'codeLimits.seconds': seconds }],
      [{ codeLimits: { seconds: 10.1 } }, { 'codeLimits.seconds': seconds }],
      [{ codeLimits: { seconds: 1.25 } }, { 'codeLimits.seconds': seconds }],
      [{ codeLimits: { seconds: '5' } }, { 'codeLimits.seconds': seconds }],
      [{ codeLimits: { memoryMb: 63 } }, { 'codeLimits.memoryMb': memory }],
      [{ codeLimits: { memoryMb: 193 } }, { 'codeLimits.memoryMb': memory }],
      [{ codeLimits: { memoryMb: 100.5 } }, { 'codeLimits.memoryMb': memory }],
      [
        { codingLanguage: 'python', codeLimits: { memoryMb: 100 } },
        { 'codeLimits.memoryMb': NO_MEMORY_LIMIT },
      ],
    ] as const) {
      const answer = await add({ ...body, ...given });
      expect(answer.status, JSON.stringify(given)).toBe(400);
      expect(answer.body.fields).toEqual(fields);
    }
  });

  it('keeps the mistakes that a lesson’s author expects, and says them where it is tried', async () => {
    const { id } = await built(CODING);
    const as = await signIn(admin);
    const add = async (expectedMistakes: unknown) =>
      callRoute(addLesson, {
        params: { id: String(id) },
        body: { ...CODING, order: null, expectedMistakes },
        as,
      });
    const given = { say: 'Add `b` too.', code: 'a;', lacks: '', result: '', program: '(a, b) => a;' };
    const added = await add([given]);
    expect(added.status, added.text).toBe(201);
    expect((await findLessonFields(id, added.body.id))!.exercise.expectedMistakes).toEqual([given]);
    const refused = await add([given, { ...given, code: ' ', say: '' }]);
    expect(refused.status).toBe(400);
    expect(refused.body.fields).toEqual({
      'expectedMistakes.1.say': 'Expected mistake 2: say what the learner reads',
      'expectedMistakes.1.code':
        'Expected mistake 2: say what it is known by, text in the code or the result',
    });
    const tried = await callRoute(tryLesson, {
      body: {
        codingLanguage: 'javascript',
        code: 'const add = (a, b) => a;',
        testCases: [{ input: 'add(1, 2)', expectedOutput: '3' }],
        expectedMistakes: [given],
      },
      as,
    });
    expect(tried.body).toMatchObject({ isCorrect: false, said: 'Add `b` too.' });
  });

  it('adds lessons of both kinds to a course, by the same rules', async () => {
    const { id } = await built(CODING);
    const add = async (body: object) =>
      callRoute(addLesson, { params: { id: String(id) }, body, as: await signIn(admin) });
    const coding = await add({ ...CODING, order: null, solution: 'const add = (a, b) => a + b;' });
    expect(coding.status, coding.text).toBe(201);
    const scenario = await add({ type: 'scenario', title: 'Outage', scenario: SCENARIO_EXAMPLE });
    expect(scenario.status, scenario.text).toBe(201);
    expect(await rowsOf(id)).toMatchObject([{}, { order: 2, codingLanguage: 'javascript' }, { order: 3 }]);
    for (const [body, fields] of [
      [{ ...CODING, order: null, instructions: '' }, { instructions: 'Instructions are required' }],
      [{ ...CODING, order: null, codingLanguage: null }, { codingLanguage: CHOOSE }],
      [
        { ...CODING, order: null, testCases: [{ input: 'x', expectedOutput: ' ' }] },
        { 'testCases.0.expectedOutput': 'Expected output is required' },
      ],
      [
        { ...CODING, order: null, testCases: [{ input: 'x', expectedOutput: '1', expectsEmpty: true }] },
        {
          'testCases.0.expectedOutput': 'Leave the expected output blank, or do not ask for an empty text',
        },
      ],
      [{ type: 'scenario', title: 'Outage' }, { scenario: 'Scenario is required' }],
    ] as const) {
      const answer = await add(body);
      expect(answer.status).toBe(400);
      expect(answer.body.fields).toEqual(fields);
    }
    expect(await rowsOf(id)).toHaveLength(3);
  });
});

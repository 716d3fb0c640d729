import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, gt, or } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import {
  DEMO_COUPONS,
  DEMO_PASSWORD,
  DEMO_STUDENT_EMAIL,
  readDemoCourses,
  seedBundles,
  seedDemo,
  seedInstructors,
} from '#src/features/authoring/transfer/demo-courses.server.ts';
import { verifyPassword } from '#db/passwords.ts';
import { users } from '#db/schema/account.ts';
import { categories, courseRatings, courses, lessons } from '#db/schema/catalogue.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { isSafeAddress } from '#src/features/lessons/addresses.ts';
import { listCourses } from '#src/features/catalogue/search/search.server.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { findClassroom } from '#src/features/learn/classroom/classroom.server.ts';
import { listEnrollments } from '#src/features/learn/progress/enrollments.server.ts';
import * as mediaRoute from '#src/pages/media/[...path].ts';
import * as couponRoute from '#src/pages/api/apply-coupon.ts';
import * as cartRoute from '#src/pages/api/cart.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { callRoute, signIn } from '../../support/api.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describe('the demo data', () => {
  it('is written once, also by two instances that start together', async () => {
    const results = await Promise.all([seedDemo(), seedDemo()]);
    expect(results.sort()).toEqual([false, true]);
    expect(await seedDemo()).toBe(false);
    const demo = await readDemoCourses();
    expect(await db().select({ id: courses.id }).from(courses)).toHaveLength(demo.length);
    expect(demo.length).toBeGreaterThanOrEqual(12);
  });

  it('shows every thumbnail to everyone', async () => {
    const { rows } = await listCourses({ pageSize: 100 });
    expect(rows.length).toBeGreaterThanOrEqual(12);
    for (const { thumbnail } of rows) {
      expect(isSafeAddress(thumbnail)).toBe(true);
      const answer = await callRoute(mediaRoute.GET, { params: { path: thumbnail.replace('/media/', '') } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'image/svg+xml; charset=utf-8',
      ]);
    }
  });

  it('gives every course a made-up instructor, with a portrait that everyone sees and nobody who could sign in', async () => {
    const taught = await db()
      .select({
        slug: courses.slug,
        name: users.username,
        words: users.instructorWords,
        portrait: users.instructorPortrait,
        role: users.role,
        password: users.passwordHash,
      })
      .from(courses)
      .innerJoin(users, eq(users.id, courses.createdBy));
    expect(taught).toHaveLength((await readDemoCourses()).length);
    expect(new Set(taught.map(({ name }) => name)).size).toBe(3);
    for (const { slug, words, portrait, role, password } of taught) {
      expect(words, slug!).toMatch(/made-up/);
      expect([slug, role, password]).toEqual([slug, 'student', null]);
      const answer = await callRoute(mediaRoute.GET, { params: { path: portrait!.replace('/media/', '') } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    }
  });

  it('has the categories that the footer links to, under their ids', async () => {
    const found = await db().select({ id: categories.id, name: categories.name }).from(categories);
    expect(found).toEqual(expect.arrayContaining(FIXED_CATEGORIES.map(({ id, name }) => ({ id, name }))));
  });

  it('has no made-up reviews and ratings', async () => {
    expect(await db().$count(courseRatings)).toBe(0);
    const rated = await db()
      .select()
      .from(courses)
      .where(or(gt(courses.reviewCount, 0), gt(courses.rating, '0')));
    expect(rated).toEqual([]);
  });

  it('has the coupons that README names, which the cart takes', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const [student] = await db().select().from(users).where(eq(users.email, DEMO_STUDENT_EMAIL));
    const [course] = await db().select().from(courses).where(eq(courses.slug, 'css-by-practice'));
    const as = await signIn(student!);
    await callRoute(cartRoute.POST, { body: { courseId: course!.id }, as });
    for (const { code } of DEMO_COUPONS) {
      expect(readme).toContain(`\`${code}\``);
      const answer = await callRoute(couponRoute.POST, { body: { code }, as });
      expect([code, answer.status], answer.text).toEqual([code, 200]);
    }
  });

  it('names the file and the course of a mistake about its people', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seed-'));
    folders.push(folder);
    const instructor = (course: string, more = '') =>
      `- { id: ada, name: Ada, words: Made up., courses: [${course}]${more} }\n`;
    const read = async (text: string) => {
      await writeFile(join(folder, 'instructors.yaml'), text);
      await db().transaction((tx) => seedInstructors(tx, folder));
    };
    const twice = `${instructor('css-by-practice')}- { id: bo, name: Bo, words: Made up., courses: [css-by-practice] }\n`;
    await expect(read(twice)).rejects.toThrow(/instructors\.yaml: the file: names a course twice/);
    await expect(read(instructor('no-course'))).rejects.toThrow(
      'db/seed/instructors.yaml: no-course: is no course of the demo',
    );
    await expect(read(instructor('css-by-practice', ', age: 3'))).rejects.toThrow(/instructors\.yaml: 0: /);
    await expect(read(instructor('css-by-practice'))).rejects.toThrow(/instructors\/ada\.webp: is missing/);
    const bundle = async (text: string) => {
      await writeFile(join(folder, 'bundles.yaml'), text);
      await db().transaction((tx) => seedBundles(tx, folder));
    };
    await expect(
      bundle(
        '[{ title: Two, description: Both., priceCents: 900, courses: [css-by-practice, no-course] }]\n',
      ),
    ).rejects.toThrow('db/seed/bundles.yaml: no-course: is no course of the demo');
  });

  it('has at least four courses to study: text, video with captions, document', async () => {
    const rows = await db().select().from(lessons);
    const complete = [...Map.groupBy(rows, ({ courseId }) => courseId).values()].filter((content) =>
      (['text', 'video', 'document'] as const).every((type) =>
        content.some((lesson) => lesson.type === type),
      ),
    );
    expect(complete.length).toBeGreaterThanOrEqual(4);
    for (const lesson of rows) {
      if (lesson.type === 'text') expect(lesson.content.length).toBeGreaterThan(200);
      if (lesson.type === 'video') expect(lesson.captionsUrl).toMatch(/\.vtt$/);
      if (lesson.type === 'document') {
        const [kept] = await db().select().from(storedFiles).where(eq(storedFiles.path, lesson.fileUrl!));
        expect([lesson.fileSize, lesson.mimeType]).toEqual([kept?.size, kept?.mimeType]);
      }
    }
  });

  it('gives the student an enrollment whose numbers the site would compute itself', async () => {
    const [student] = await db().select().from(users).where(eq(users.email, DEMO_STUDENT_EMAIL));
    expect(await verifyPassword(student!.passwordHash!, DEMO_PASSWORD)).toBe(true);
    const [before] = await listEnrollments(student!.id);
    const view = await findClassroom({ id: student!.id, role: 'student' }, before!.courseId);
    const done = view!.lessons.find(({ completed }) => completed)!;
    const after = await completeLesson({ id: student!.id, role: 'student' }, before!.courseId, done.id);
    expect(before!.progress).toBeGreaterThan(0);
    expect([before!.progress, before!.totalPoints, before!.skillLevel]).toEqual([
      after.progress,
      after.totalPoints,
      after.skillLevel,
    ]);
  });

  it('has coding lessons in all languages, complete with starter, solution and hidden tests', async () => {
    const coding = (await db().select().from(lessons)).filter(({ type }) => type === 'interactive_coding');
    const languages = new Set(coding.map(({ codingLanguage }) => codingLanguage));
    expect([...languages].sort()).toEqual([
      'css',
      'html',
      'javascript',
      'python',
      'react',
      'sql',
      'typescript',
    ]);
    for (const lesson of coding) {
      expect([lesson.title, Boolean(lesson.starterCode && lesson.solution && lesson.instructions)]).toEqual([
        lesson.title,
        true,
      ]);
      expect(lesson.starterCode).not.toBe(lesson.solution);
      expect(lesson.testCases.length > 0 || lesson.expectedOutput).toBeTruthy();
      if (lesson.codingLanguage === 'css') expect(lesson.content).toContain('<');
    }
  });

  it('names the file and the field of a mistake in a coding lesson', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seed-'));
    folders.push(folder);
    await mkdir(join(folder, 'broken', 'lessons'), { recursive: true });
    await mkdir(join(folder, 'broken', 'code'));
    await writeFile(
      join(folder, 'broken', 'course.yaml'),
      `title: "A"\ndescription: "${'d'.repeat(50)}"\ncategory: 1\nlevel: beginner\nprice: "0.00"\nduration: 1 hour\nthumbnail: t.svg\ncreatedBy: admin\nisActive: true\nlessons:\n  - section: "S"\n    items: [one]\n`,
    );
    const read = async (language: string, more: string) => {
      const common = `title: "One"\ntype: interactive_coding\nsection: "S"\nduration: 5 min\nisPreview: false\nrequiredToComplete: true\npoints: 5\nlanguage: ${language}\n`;
      await writeFile(join(folder, 'broken', 'lessons', 'one.md'), `---\n${common}${more}---\nDo it.\n`);
      return readDemoCourses(folder);
    };
    const tested = 'tests:\n  - description: Works\n    input: f()\n    expectedOutput: "1"\n';
    await expect(read('cobol', tested)).rejects.toThrow(
      /one\.md: language: must be one of javascript, python/,
    );
    await expect(read('javascript', '')).rejects.toThrow(/one\.md: tests: are missing/);
    await expect(read('javascript', 'tests:\n  - input: f()\n    expectedOutput: 1\n')).rejects.toThrow(
      /tests\.0\.expectedOutput: must be text: put it in quotes/,
    );
    await expect(
      read('javascript', 'tests:\n  - input: f()\n    expectedOutput: "1"\n    hidden: true\n'),
    ).rejects.toThrow(/tests: a hidden test needs a description/);
    await expect(read('html', `${tested}    mode: stdin\n`)).rejects.toThrow(
      /mode stdin is for JavaScript, /,
    );
    const expecting = (mistake: string) => read('javascript', `${tested}mistakes:\n  - ${mistake}\n`);
    await expect(expecting('{ say: So, program: x }')).rejects.toThrow(
      /one\.md: mistakes\.0\.code: or lacks or result must be there/,
    );
    await expect(expecting('{ code: x, program: x }')).rejects.toThrow(/mistakes\.0\.say: must be text/);
    await expect(expecting('{ say: So, code: x }')).rejects.toThrow(/mistakes\.0\.program: must be text/);
    await expect(expecting('{ say: So, code: x, program: x, regex: x }')).rejects.toThrow(/mistakes\.0/);
    await expect(
      read('javascript', `${tested}mistakes:\n${'  - { say: So, code: x, program: x }\n'.repeat(13)}`),
    ).rejects.toThrow(/mistakes: has more than 12/);
    await expect(read('css', tested)).rejects.toThrow(/code\/one\.starter\.css: is missing/);
    await writeFile(join(folder, 'broken', 'code', 'one.starter.css'), 'a {}');
    await writeFile(join(folder, 'broken', 'code', 'one.solution.css'), 'a { color: red }');
    await expect(read('css', tested)).rejects.toThrow(/code\/one\.fixture\.html: is missing/);
    await writeFile(join(folder, 'broken', 'code', 'one.fixture.html'), '<a>x</a>');
    const [course] = await read('css', tested);
    expect(course!.content[0]).toMatchObject({
      language: 'css',
      content: '<a>x</a>',
      instructions: 'Do it.',
      starterCode: 'a {}',
      hints: [],
    });
  });

  it('names the file and the field of a mistake', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seed-'));
    folders.push(folder);
    await mkdir(join(folder, 'broken', 'lessons'), { recursive: true });
    const course = (price: string) =>
      `title: "A"\ndescription: "${'d'.repeat(50)}"\ncategory: 1\nlevel: beginner\nprice: ${price}\nduration: 1 hour\nthumbnail: t.svg\ncreatedBy: admin\nisActive: true\nlessons:\n  - section: "S"\n    items: [one]\n`;
    await writeFile(join(folder, 'broken', 'course.yaml'), course('49.00'));
    await expect(readDemoCourses(folder)).rejects.toThrow(
      /broken\/course\.yaml: price: must be an amount in quotes/,
    );
    await writeFile(join(folder, 'broken', 'course.yaml'), course('"49.00"'));
    await expect(readDemoCourses(folder)).rejects.toThrow(/lessons\/one\.md: is missing/);
    await writeFile(join(folder, 'broken', 'lessons', 'one.md'), '---\ntitle: x\n---\n');
    await expect(readDemoCourses(folder)).rejects.toThrow(
      /lessons\/one\.md: type: must be text, video, document, /,
    );
  });
});

import { and, asc, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson } from '../../support/factories.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { categories, courses, lessons, pictures } from '#db/schema/catalogue.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { exportCourse } from '#src/features/authoring/transfer/course-export.server.ts';
import { POST as addPicture } from '#src/pages/api/admin/courses/[id]/pictures.ts';
import { findFile } from '#src/server/files/files.ts';
import { env } from '#src/server/start/env.ts';
import { pictureFacts, picturesIn } from '#src/shared/pictures.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { type ArchiveFiles, unzip, zipOf } from '../../support/archives.ts';
import { type ImportFields, sendArchive } from '../../support/course-imports.ts';

let as: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  as = await signIn(await makeAdmin());
  await db()
    .insert(categories)
    .values(FIXED_CATEGORIES.map((one) => ({ ...one })))
    .onConflictDoNothing();
});

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

async function upload(courseId: number, name: string, bytes: Buffer): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), name);
  body.append('alt', 'In the library');
  const answer = await callRoute(addPicture, { params: { id: String(courseId) }, method: 'POST', body, as });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.path;
}

const send = (bytes: Buffer, fields?: ImportFields) => sendArchive(as, bytes, fields);

async function imported(bytes: Buffer, courseId?: number) {
  const looked = await send(bytes, { courseId });
  expect(looked.status, looked.text).toBe(200);
  const done = await send(bytes, { courseId, digest: looked.body.plan.digest });
  expect(done.status, done.text).toBe(200);
  return { plan: done.body.plan, id: done.body.appliedTo as number };
}

const download = async (id: number) =>
  Buffer.from(await new Response((await exportCourse(id)).body).arrayBuffer());
const changes = ({ rows }: { rows: { change: string }[] }) => rows.map(({ change }) => change);
const libraryOf = (id: number) =>
  db().select().from(pictures).where(eq(pictures.courseId, id)).orderBy(asc(pictures.id));
const withFile = (files: ArchiveFiles, path: string, content: Buffer | string): ArchiveFiles =>
  new Map(files).set(path, Buffer.from(content));

async function illustrated() {
  const course = await makeCourse({ title: `Illustrated ${Math.random()}` });
  const cat = await upload(course.id, 'Cat.png', await plain(600, 400, '#cc3366').png().toBuffer());
  const other = await upload(course.id, 'cat.png', await plain(500, 400, '#3366cc').png().toBuffer());
  await db()
    .update(courses)
    .set({ description: `All of it.\n\n![Cover](${cat})` })
    .where(eq(courses.id, course.id));
  const text = await makeLesson(course.id, {
    title: 'Text',
    content: `![A \\[red\\] cat](${cat} "Its \\"caption\\"")\n\nWords ${cat} stay.\n\n[![small](<${other}>)](https://example.com/)`,
  });
  const quiz = await makeLesson(course.id, { title: 'Quiz', type: 'quiz', content: '' });
  await db()
    .insert(quizQuestions)
    .values({
      lessonId: quiz.id,
      question: `What is it? ![It](${other})`,
      options: ['a', 'b'],
      correctAnswer: 0,
      explanation: `![Again](${cat})`,
      order: 1,
    });
  const code = await makeLesson(course.id, {
    title: 'Code',
    type: 'interactive_coding',
    codingLanguage: 'css',
    content: `<img src="${cat}" alt="">`,
    instructions: `![Shown](${other})`,
    starterCode: `a { background: url("${cat}") }`,
    hints: [`![Hint](${cat})`],
  });
  return { course, cat, other, text, quiz, code };
}

describe('pictures in the texts of a course', () => {
  it('travel in its archive under names of their own, beside their texts', async () => {
    const { course, cat, other } = await illustrated();
    const files = await unzip(await download(course.id));
    expect([...files.keys()].filter((path) => path.startsWith('pictures/'))).toEqual([
      'pictures/cat.png',
      'pictures/cat-2.png',
    ]);
    expect(await sharp(files.get('pictures/cat.png')!).metadata()).toMatchObject({ width: 600, height: 400 });
    const yaml = files.get('course.yaml')!.toString();
    expect(yaml).toContain('![Cover](pictures/cat.png)');
    expect(yaml).toContain(`exportedFrom: ${env().siteUrl}/courses/${course.id}\n`);
    const text = files.get('lessons/01-text.md')!.toString();
    expect(text).toContain('![A \\[red\\] cat](../pictures/cat.png "Its \\"caption\\"")');
    expect(text).toContain('[![small](<../pictures/cat-2.png>)](https://example.com/)');
    // Words are no picture, and programs stay byte for byte.
    expect(text).toContain(`Words ${cat} stay.`);
    expect(files.get('code/03-code.starter.css')!.toString()).toBe(`a { background: url("${cat}") }`);
    expect(files.get('code/03-code.fixture.html')!.toString()).toBe('<img src="../pictures/cat.png" alt="">');
    expect(files.get('lessons/02-quiz.md')!.toString()).not.toContain(other);
  });

  it('come back into a new course with their words, once, and into their own without any change', async () => {
    const { course, cat, other } = await illustrated();
    const archive = await download(course.id);
    const own = await send(archive, { courseId: course.id });
    expect(new Set(changes(own.body.plan))).toEqual(new Set(['unchanged']));
    expect(own.body.plan.newPictures).toBe(0);

    const { id, plan } = await imported(archive);
    expect(plan.newPictures).toBe(2);
    const library = await libraryOf(id);
    expect(library.map(({ name, alt }) => [name, alt])).toEqual([
      ['cat.png', 'Cover'],
      ['cat-2.png', 'small'],
    ]);
    const rows = await db()
      .select()
      .from(lessons)
      .where(eq(lessons.courseId, id))
      .orderBy(asc(lessons.order));
    const [first, second] = library.map(({ path }) => path) as [string, string];
    expect([cat, other]).not.toContain(first);
    expect(rows[0]!.content).toBe(
      `![A \\[red\\] cat](${first} "Its \\"caption\\"")\n\nWords ${cat} stay.\n\n[![small](<${second}>)](https://example.com/)`,
    );
    const [question] = await db().select().from(quizQuestions).where(eq(quizQuestions.lessonId, rows[1]!.id));
    expect([question!.question, question!.explanation]).toEqual([
      `What is it? ![It](${second})`,
      `![Again](${first})`,
    ]);
    expect(rows[2]).toMatchObject({
      content: `<img src="${first}" alt="">`,
      instructions: `![Shown](${second})`,
      hints: [`![Hint](${first})`],
      starterCode: `a { background: url("${cat}") }`,
    });
    const [copy] = await db().select().from(courses).where(eq(courses.id, id));
    expect(picturesIn(copy!.description)).toEqual([first]);
    for (const { path } of pictureFacts(first)!.files) expect(await findFile(path)).not.toBeNull();

    // Neither the archive that it was made of nor one that it makes itself changes it, and nothing is there twice.
    for (const again of [archive, await download(id)]) {
      const { plan: none } = await imported(again, id);
      expect(new Set(changes(none))).toEqual(new Set(['unchanged']));
    }
    expect(await libraryOf(id)).toEqual(library);
  });

  it('keep their place where a file is only renamed, and are added where it is another', async () => {
    const { course } = await illustrated();
    const files = await unzip(await download(course.id));
    const path = 'lessons/01-text.md';
    const renamed = withFile(files, 'pictures/tom.png', files.get('pictures/cat.png')!);
    renamed.set(
      path,
      Buffer.from(files.get(path)!.toString().replace('../pictures/cat.png', '../pictures/tom.png')),
    );
    const looked = await send(await zipOf(renamed), { courseId: course.id });
    expect(new Set(changes(looked.body.plan))).toEqual(new Set(['unchanged']));

    const painted = await plain(600, 400, '#00ff00').png().toBuffer();
    const { plan } = await imported(await zipOf(withFile(renamed, 'pictures/tom.png', painted)), course.id);
    expect(
      plan.rows.map(({ title, details }: { title: string; details: string[] }) => [title, details]),
    ).toEqual([
      [course.title, []],
      ['Text', ['Content']],
      ['Quiz', []],
      ['Code', []],
    ]);
    expect((await libraryOf(course.id)).map(({ name }) => name)).toEqual(['Cat.png', 'cat.png', 'tom.png']);
  });

  it('are all told about at once where they are missing, cut off, lie about their kind, move or are too large', async () => {
    const { course } = await illustrated();
    const files = await unzip(await download(course.id));
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 50 },
      },
    })
      .png()
      .toBuffer();
    const frames = await sharp(Buffer.alloc(4 * 8 * 3, 0).fill(255, 48), {
      raw: { width: 4, height: 8, channels: 3, pageHeight: 4 },
    })
      .gif({ loop: 0 })
      .toBuffer();
    const broken = withFile(files, 'pictures/cat.png', noise.subarray(0, noise.length / 2));
    broken.set(
      'pictures/cat-2.png',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    );
    broken.set('pictures/moves.gif', frames);
    broken.set('pictures/huge.png', await plain(10_000, 6000, '#fff').png().toBuffer());
    broken.set('pictures/drawn.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    broken.set(
      'lessons/01-text.md',
      Buffer.concat([
        files.get('lessons/01-text.md')!,
        Buffer.from('\n![a](../pictures/moves.gif) ![b](../pictures/huge.png) ![c](../pictures/drawn.svg)\n'),
        Buffer.from('![d](../pictures/lost.png)\n\n`![e](../pictures/words.png)`\n'),
      ]),
    );
    broken.set(
      'course.yaml',
      Buffer.from(files.get('course.yaml')!.toString().replace('level: ', 'levle: ')),
    );
    const before = { pictures: await db().$count(pictures), courses: await db().$count(courses) };
    const answer = await send(await zipOf(broken));
    expect(answer.status).toBe(400);
    const faults = answer.body.faults as { file: string; line: number | null; message: string }[];
    expect(faults.map(({ file, message }) => [file, message])).toEqual(
      expect.arrayContaining([
        ['course.yaml', 'is no key of the format'],
        ['lessons/01-text.md', 'names a picture that is missing: pictures/lost.png'],
        ['pictures/cat.png', 'The picture is cut off or damaged.'],
        ['pictures/cat-2.png', expect.stringContaining('not what its name says')],
        ['pictures/moves.gif', expect.stringContaining('moves')],
        ['pictures/huge.png', expect.stringContaining('60 megapixels')],
        ['pictures/drawn.svg', expect.stringContaining('Choose a picture')],
      ]),
    );
    expect(faults.find(({ message }) => message.includes('lost.png'))!.line).toBeGreaterThan(10);
    expect(faults.some(({ message }) => message.includes('words.png'))).toBe(false);
    expect({ pictures: await db().$count(pictures), courses: await db().$count(courses) }).toEqual(before);
  });

  it('are added once by two imports at the same time, and one of the two looks again', async () => {
    const { course } = await illustrated();
    const target = await makeCourse();
    const archive = await download(course.id);
    const looked = await send(archive, { courseId: target.id });
    const fields = { courseId: target.id, digest: looked.body.plan.digest };
    const answers = await Promise.all([send(archive, fields), send(archive, fields)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await libraryOf(target.id)).toHaveLength(2);
    for (const { path } of await libraryOf(target.id)) {
      for (const file of pictureFacts(path)!.files) expect(await findFile(file.path)).not.toBeNull();
    }
  });
});

describe('the course that an archive came from', () => {
  const proposed = async (bytes: Buffer) => {
    const answer = await send(bytes, { courseId: 'source' });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.plan.courseId as number | null;
  };

  it('is proposed by its address here, else by its only title, and never where two could be meant', async () => {
    const { course } = await illustrated();
    const archive = await download(course.id);
    expect(await proposed(archive)).toBe(course.id);
    const files = await unzip(archive);
    const elsewhere = withFile(
      files,
      'course.yaml',
      files
        .get('course.yaml')!
        .toString()
        .replace(/exportedFrom: .*/, 'exportedFrom: https://example.com/courses/1'),
    );
    expect(await proposed(await zipOf(elsewhere))).toBe(course.id);
    await makeCourse({ title: course.title });
    expect(await proposed(await zipOf(elsewhere))).toBeNull();
    expect(await proposed(archive)).toBe(course.id);
    await db()
      .delete(lessons)
      .where(and(eq(lessons.courseId, course.id)));
    await db().delete(courses).where(eq(courses.title, course.title));
    expect(await proposed(archive)).toBeNull();
  });

  it('must be named to be changed', async () => {
    const { course } = await illustrated();
    const archive = await download(course.id);
    const looked = await send(archive, { courseId: 'source' });
    const answer = await send(archive, { courseId: 'source', digest: looked.body.plan.digest });
    expect([answer.status, answer.body.fields]).toEqual([400, { courseId: 'Choose a course' }]);
  });
});

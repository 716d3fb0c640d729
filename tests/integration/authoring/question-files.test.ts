import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeUser } from '../../support/factories.ts';
import { quizQuestions } from '#db/schema/learn.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { POST as exportRoute } from '#src/pages/api/admin/questions/export.ts';
import { POST as filesRoute } from '#src/pages/api/admin/questions/files.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { zipOf } from '../../support/archives.ts';

let as: Awaited<ReturnType<typeof signIn>>;
beforeEach(async () => {
  as = await signIn(await makeAdmin());
  // More files than an administrator may send.
  await db().delete(rateLimits);
});

function form(content: string | Uint8Array, name = 'questions.gift.txt') {
  const sent = new FormData();
  sent.set('file', new File([content as BlobPart], name));
  return sent;
}

const read = (content: string | Uint8Array, name?: string) =>
  callRoute(filesRoute, { body: form(content, name), as });

const write = (body: unknown) => callRoute(exportRoute, { body, as });

describe('reading a file of questions', () => {
  it('gives the questions of a GIFT text with its notes, and keeps nothing', async () => {
    const before = await db().$count(quizQuestions);
    const { status, body } = await read('\ufeff// [tag:sums]\n2 + 2? {=4 ~5####Sums.}\n\nEssay {}\n');
    expect(status).toBe(200);
    const sum = {
      ...{ question: '2 + 2?', explanation: 'Sums.', tags: ['sums'] },
      ...{ options: ['4', '5'], correctAnswer: 0 },
    };
    expect(body).toEqual({
      questions: [sum],
      words: [sum],
      problems: [],
      moreProblems: 0,
      notes: [
        {
          file: null,
          line: 4,
          message: 'Left out: a question with a free text, {}, which nobody could mark',
        },
      ],
    });
    expect(await db().$count(quizQuestions)).toBe(before);
  });

  it('shows formatted questions in plain words, and writes them into QTI so', async () => {
    const { body } = await read('[markdown]**Which** `sum`? {=*a*#yes ~b####See [this](/x).}\n');
    expect(body.questions).toMatchObject([
      { question: '**Which** `sum`?', format: 'markdown', options: ['*a*', 'b'] },
    ]);
    expect(body.words).toMatchObject([
      { question: 'Which sum?', options: ['a', 'b'], explanation: 'See this (/x).', feedback: ['yes', ''] },
    ]);
    const file = await write({ format: 'qti21', questions: body.questions });
    expect(file.body.left).toEqual(['Question 1: the format of its texts']);
  });

  it('tells all mistakes with their lines, and takes the others', async () => {
    const { status, body } = await read('A? {=a ~b}\n\nB? {=b\n\nC? {#x}\n');
    expect(status).toBe(200);
    expect(body.questions).toHaveLength(1);
    expect(body.problems.map(({ line }: { line: number }) => line)).toEqual([3, 5]);
  });

  it('knows Moodle XML by what it says, under any name', async () => {
    const source =
      '<quiz><question type="truefalse"><questiontext format="html"><text>Wet?</text></questiontext><answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question></quiz>';
    for (const name of ['questions.gift.txt', 'bank.xml']) {
      const { body } = await read(source, name);
      expect(body.questions).toEqual([
        { kind: 'true_false', question: 'Wet?', explanation: '', isTrue: true },
      ]);
    }
  });

  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'There is no question that can be taken'],
    ['what is no text', new Uint8Array([0xff, 0xfe, 0x41]), 'The file is not UTF-8 text: save it as such'],
    ['a text of more than 5 MB', 'x'.repeat(5 * 1_048_576 + 1), 'The text is larger than 5 MB'],
  ])('says so of %s', async (_, content, message) => {
    const { status, body } = await read(content);
    expect([status, body.problems[0].message]).toEqual([200, message]);
  });

  it('reads an item and a package of QTI by what is in them, and refuses entities', async () => {
    const exported = await write({
      format: 'qti21',
      questions: [
        { question: 'Which?', options: ['a', 'b'], correctAnswer: 1, explanation: '', tags: ['x'] },
      ],
    });
    const { body } = await read(Buffer.from(exported.body.base64, 'base64'), 'anything');
    expect(body.questions).toEqual([
      { question: 'Which?', options: ['a', 'b'], correctAnswer: 1, explanation: '', tags: ['x'] },
    ]);
    const item = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
    const refused = await read(item, 'pasted.gift.txt');
    expect(refused.body).toMatchObject({
      questions: [],
      problems: [{ file: null, line: 1, message: 'A document type declaration is not taken' }],
    });
    expect((await read('plain', 'item.xml')).body.problems[0].message).toMatch(/^Not well-formed XML/);
  });

  it.each<[string, () => Promise<Buffer>, object]>([
    [
      'a zip file that is cut',
      async () => (await zipOf([['imsmanifest.xml', '<manifest/>']])).subarray(0, 60),
      { file: 'the archive', line: null, message: 'is no zip file, or is cut off or broken' },
    ],
    [
      'a bomb',
      () => zipOf([['imsmanifest.xml', Buffer.alloc(8_000_000)]]),
      {
        file: 'imsmanifest.xml',
        line: null,
        message: 'grows to more than 150 times its packed size, as only bombs do',
      },
    ],
    [
      'a text that is too large',
      () =>
        zipOf([
          ['imsmanifest.xml', Buffer.from(Array.from({ length: 200_000 }, (_, n) => `${n * 7919}`).join())],
        ]),
      { file: 'imsmanifest.xml', line: null, message: 'is larger than 1 MB' },
    ],
    [
      'a zip file of something else',
      () => zipOf([['course.yaml', 'title: x']]),
      { file: 'imsmanifest.xml', line: null, message: 'is missing: a package of items has one' },
    ],
    [
      'a link',
      () => zipOf([['imsmanifest.xml', '/etc/passwd']], { mode: 0o120_777 }),
      { file: 'imsmanifest.xml', line: null, message: 'is a link to another file, which is not taken' },
    ],
  ])('refuses %s', async (_, bytes, problem) => {
    const { status, body } = await read(await bytes(), 'questions.zip');
    expect([status, body.questions, body.problems]).toEqual([200, [], [problem]]);
  });

  it('reads a hostile megabyte in the time of its length', async () => {
    const { status } = await read(`::${':a\\'.repeat(300_000)} {${'=%'.repeat(70_000)}`);
    expect(status).toBe(200);
  });

  it('needs a file, and an administrator', async () => {
    const empty = new FormData();
    empty.set('text', 'A? {=a ~b}');
    const without = await callRoute(filesRoute, { body: empty, as });
    expect([without.status, without.body.fields]).toEqual([400, { file: 'Choose a file' }]);
    expect((await callRoute(filesRoute, { body: form('A? {T}') })).status).toBe(401);
    const user = await signIn(await makeUser());
    expect((await callRoute(filesRoute, { body: form('A? {T}'), as: user })).status).toBe(403);
  });

  it('is limited', async () => {
    const answers = [];
    for (let sent = 0; sent < 61; sent += 1) answers.push((await read('A? {T}')).status);
    expect(answers.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 200));
    expect(answers[60]).toBe(429);
  });
});

describe('writing a file of questions', () => {
  const question = { question: 'Which {one}?', options: ['a', 'b'], correctAnswer: 1, explanation: '' };

  it('gives GIFT that reads as the same questions, and says what it lacks', async () => {
    const ordering = { kind: 'ordering', question: 'Order.', items: ['a', 'b'], explanation: '' };
    const { status, body } = await write({ format: 'gift', questions: [question, ordering] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'questions.gift.txt',
      left: ['Question 2: GIFT cannot say it, Moodle XML can (ordering)'],
    });
    const again = await read(Buffer.from(body.base64, 'base64'));
    expect(again.body.questions).toEqual([question]);
  });

  it.each<[string, object, string]>([
    [
      'a question that is not finished',
      { questions: [{ ...question, options: ['a', ''] }] },
      'questions.0.options.1',
    ],
    ['none', { questions: [] }, 'questions'],
    ['more than a quiz has', { questions: Array.from({ length: 1001 }, () => question) }, 'questions'],
    ['another format', { format: 'xls', questions: [question] }, 'format'],
  ])('refuses %s by its field', async (_, body, field) => {
    const answer = await write({ format: 'gift', ...body });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
  });

  it('refuses to write a package with nothing in it', async () => {
    const typed = { kind: 'short_text', question: 'Who?', accepted: ['Ada'], explanation: '' };
    const { status, body } = await write({ format: 'qti3', questions: [typed] });
    expect([status, body.message]).toEqual([
      400,
      'Question 1: QTI is written for choices, orders, numbers and gaps, Moodle XML for all (short text)',
    ]);
  });

  it('needs an administrator', async () => {
    const body = { format: 'gift', questions: [question] };
    expect((await callRoute(exportRoute, { body })).status).toBe(401);
    const user = await signIn(await makeUser());
    expect((await callRoute(exportRoute, { body, as: user })).status).toBe(403);
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson, makeUser } from '../../support/factories.ts';
import { courses, failingLinks, findingOverrides, lessons, linkChecks } from '#db/schema/catalogue.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { thingsToDo } from '#src/features/admin/insights/analytics.server.ts';
import {
  deadLinksOf,
  forgetMendedLinks,
  linksJob,
  mailDeadLinks,
  tryLinks,
} from '#src/features/authoring/publishing/dead-links.server.ts';
import { publishReport } from '#src/features/authoring/publishing/publish-report.server.ts';
import * as jobs from '#src/server/jobs.ts';

vi.mock('#src/server/jobs.ts', { spy: true });

let web: Server;
let port: number;
let asked: string[] = [];
let answers: Record<string, number> = {};

const listen = (at: number) => new Promise<void>((done) => web.listen(at, '127.0.0.1', done));
const close = () => new Promise<void>((done) => web.close(() => done()).closeAllConnections());

beforeAll(async () => {
  web = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(answers[request.url!] ?? 200).end();
  });
  await listen(0);
  port = (web.address() as AddressInfo).port;
});
afterAll(() => close());
beforeEach(async () => {
  asked = [];
  answers = {};
  await db().delete(courses);
});

const network = {
  resolve: async (host: string) => {
    if (host !== 'books.test') throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
    return [{ address: '127.0.0.1', family: 4 }];
  },
  isAllowed: (address: string, at: number) => address === '127.0.0.1' && at === port,
};
const at = (path: string) => `http://books.test:${port}${path}`;
const link = (path: string) => `[read](${at(path)})`;

async function pass(days: number): Promise<void> {
  await db()
    .update(linkChecks)
    .set({ triedAt: sql`${linkChecks.triedAt} - make_interval(days => ${days})` });
  await db()
    .update(failingLinks)
    .set({ failedOn: sql`${failingLinks.failedOn} - ${days}::int` });
}

const mailsTo = (address: string) =>
  db()
    .select()
    .from(mailOutbox)
    .where(and(eq(mailOutbox.recipient, address), eq(mailOutbox.template, 'dead-links')))
    .orderBy(mailOutbox.id);

async function night(): Promise<void> {
  while (await tryLinks(network));
  await mailDeadLinks();
}

async function authored(texts: string[], values: Parameters<typeof makeCourse>[0] = {}) {
  const author = await makeAdmin();
  const course = await makeCourse({ createdBy: author.id, ...values });
  const made: (typeof lessons.$inferSelect)[] = [];
  for (const content of texts) made.push(await makeLesson(course.id, { content }));
  return { author, course, lessons: made };
}

// Many nights, and each waits between two links.
it('mails one author once when a server dies, and again only after it has worked', {
  timeout: 180_000,
}, async () => {
  const {
    author,
    course,
    lessons: made,
  } = await authored([
    `${link('/a')} and [us](/about)`,
    `Once more ${link('/a')}\n\n${link('/b')}`,
    'No link.',
  ]);
  const second = await makeCourse({ createdBy: author.id });
  const other = await makeLesson(second.id, { content: link('/c') });
  await night();
  expect(asked.toSorted()).toEqual(['/a', '/b', '/c']);
  await night();
  expect(asked).toHaveLength(3);

  await close();
  await pass(7);
  await night();
  await night();
  // One bad day is no death.
  expect(await deadLinksOf(course.id)).toEqual([]);
  expect(await mailsTo(author.email)).toEqual([]);
  await pass(1);
  await night();
  const dead = await deadLinksOf(course.id);
  expect(dead.map(({ lessonId, field, message }) => ({ lessonId, field, message }))).toEqual([
    { lessonId: made[0]!.id, field: 'content', message: `Line 1: ${at('/a')} could not be reached.` },
    ...dead.slice(1).map(({ message }) => ({ lessonId: made[1]!.id, field: 'content', message })),
  ]);
  expect(dead).toHaveLength(3);
  const [mail, ...further] = await mailsTo(author.email);
  expect(further).toEqual([]);
  expect(mail!.subject).toBe('4 links of 2 courses do not work');
  for (const part of [
    course.title,
    second.title,
    made[1]!.title,
    `Line 3: ${at('/b')} could not be reached.`,
    `/admin/courses/${course.id}/content/${made[1]!.id}#content`,
    `/admin/courses/${second.id}/content/${other.id}#content`,
  ]) {
    expect(mail!.text).toContain(part);
  }
  const [row] = await db().select().from(courses).where(eq(courses.id, course.id));
  expect(row).toMatchObject({ isActive: true });
  const report = await publishReport(course.id);
  expect(report.lessons.map(({ deadLinks }) => deadLinks.length)).toEqual([1, 2, 0]);
  expect((await thingsToDo()).deadLinks).toEqual({
    count: 2,
    newest: [
      { id: second.id, title: second.title },
      { id: course.id, title: course.title },
    ],
  });

  await pass(1);
  await night();
  await pass(7);
  await night();
  expect(await mailsTo(author.email)).toHaveLength(1);

  await listen(port);
  await pass(1);
  await night();
  expect(await deadLinksOf(course.id)).toEqual([]);
  answers = { '/b': 404 };
  await pass(7);
  await night();
  await pass(1);
  await night();
  const mails = await mailsTo(author.email);
  expect(mails.map(({ subject }) => subject)).toEqual([
    '4 links of 2 courses do not work',
    `1 link of “${course.title}” does not work`,
  ]);
  expect(mails[1]!.text).toContain('answers 404: nothing is there');
});

it('tries only what is left after a kill, and two that work at once write the same', async () => {
  const { lessons: made } = await authored([link('/one'), link('/two'), link('/three')]);
  let asking = 0;
  await tryLinks({
    ...network,
    resolve: async (host) => {
      asking += 1;
      if (asking === 2) await db().delete(lessons).where(eq(lessons.id, made[1]!.id));
      return network.resolve(host);
    },
  });
  expect(asked).toEqual(['/one', '/two', '/three']);
  // As if whoever worked had been killed before the last one.
  await db().delete(linkChecks).where(eq(linkChecks.lessonId, made[2]!.id));
  asked = [];
  answers = { '/three': 404 };
  await Promise.all([tryLinks(network), tryLinks(network)]);
  expect(new Set(asked)).toEqual(new Set(['/three']));
  expect(await db().select().from(failingLinks)).toHaveLength(1);
});

it('tries what learners of the store load, and neither hidden courses nor this site', async () => {
  await authored([link('/hidden')], { isActive: false });
  const { lessons: made } = await authored(['![kite](https://pictures.test/kite.png) and [us](/about)']);
  await night();
  expect(asked).toEqual([]);
  expect(await db().select().from(failingLinks)).toMatchObject([
    {
      lessonId: made[0]!.id,
      message: 'Line 1: https://pictures.test/kite.png names a server that does not exist.',
      deadAt: null,
    },
  ]);
});

it('does not count servers that refuse programs, and what an administrator let pass', async () => {
  const {
    author,
    course,
    lessons: made,
  } = await authored([`${link('/robots')} ${link('/many')} ${link('/gone')}`]);
  answers = { '/robots': 403, '/many': 429, '/gone': 410 };
  await night();
  const [failing, ...others] = await db().select().from(failingLinks);
  expect([failing!.message, others]).toEqual([`Line 1: ${at('/gone')} answers 410: nothing is there.`, []]);
  const [lesson] = await db().select().from(lessons).where(eq(lessons.id, made[0]!.id));
  await db().insert(findingOverrides).values({
    lessonId: lesson!.id,
    revision: lesson!.revision,
    findingKey: failing!.findingKey,
    message: failing!.message,
    reason: 'It comes back in spring',
    userName: author.username,
  });
  await pass(1);
  await night();
  expect(await deadLinksOf(course.id)).toEqual([]);
  expect(await mailsTo(author.email)).toEqual([]);
});

it('shows no link that its lesson names no more, and forgets what a publish check found mended', async () => {
  const { course, lessons: made } = await authored([link('/gone'), link('/gone')]);
  answers = { '/gone': 404 };
  await night();
  await pass(1);
  await night();
  expect(await deadLinksOf(course.id)).toHaveLength(2);
  await db().update(lessons).set({ content: 'Nothing.' }).where(eq(lessons.id, made[0]!.id));
  const [left, ...others] = await deadLinksOf(course.id);
  expect([left!.lessonId, others]).toEqual([made[1]!.id, []]);
  await db().transaction((tx) => forgetMendedLinks(tx, made[1]!.id, [{ key: left!.key }]));
  expect(await deadLinksOf(course.id)).toHaveLength(1);
  await db().transaction((tx) => forgetMendedLinks(tx, made[1]!.id, []));
  expect(await deadLinksOf(course.id)).toEqual([]);
});

it('mails nobody who runs the site no more; the page of those who do tells', async () => {
  const left = await makeUser();
  const { course } = await authored([link('/gone')], { createdBy: left.id });
  answers = { '/gone': 404 };
  await night();
  await pass(1);
  await night();
  expect(await mailsTo(left.email)).toEqual([]);
  expect((await thingsToDo()).deadLinks).toMatchObject({ count: 1, newest: [{ id: course.id }] });
});

it('mails at the end of the last job', async () => {
  const { author } = await authored(['[read](http://10.0.0.7/)']);
  await linksJob.run(undefined, { isLast: false });
  await pass(1);
  await linksJob.run({}, { isLast: false });
  expect(await mailsTo(author.email)).toHaveLength(1);
  expect(vi.mocked(jobs.sendJob)).not.toHaveBeenCalledWith(expect.anything(), linksJob, expect.anything());
});

it('asks all links of a lesson, and forgets nothing that there was no time for', async () => {
  const { lessons: made } = await authored([
    Array.from({ length: 62 }, (_, number) => link(`/${number}`)).join('\n\n'),
  ]);
  answers = { '/61': 404 };
  await night();
  // What a HEAD does not find is asked again.
  expect(asked).toHaveLength(62 + 1);
  const failing = () => db().$count(failingLinks, eq(failingLinks.lessonId, made[0]!.id));
  expect(await failing()).toBe(1);
  answers = {};
  await pass(1);
  await tryLinks(network, 0);
  expect([asked.length, await failing()]).toEqual([62 + 1, 1]);
}, 60_000);

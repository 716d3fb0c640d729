import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { eq, inArray, sql } from 'drizzle-orm';
import { pino } from 'pino';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { type Listener, listenTo } from '#db/listen.ts';
import {
  categories,
  courseRatingAnswers,
  courseRatings,
  courses,
  lessons,
  videos,
} from '#db/schema/catalogue.ts';
import { users } from '#db/schema/account.ts';
import { bundleCourses, bundles } from '#db/schema/store.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import {
  deleteRating,
  hideRating,
  saveRating,
  showRating,
} from '#src/features/catalogue/ratings/ratings.server.ts';
import { GET as listRoute } from '#src/pages/api/courses.ts';
import { GET as courseRoute } from '#src/pages/api/courses/[id].ts';
import { GET as reviewsRoute } from '#src/pages/api/courses/[id]/reviews.ts';
import { createSiteServer, type SiteServer } from '#src/server/http/http.ts';
import type { PageHandler } from '#src/server/http/site.ts';
import {
  createVisitorCache,
  VISITOR_CACHE_MS,
  type VisitorCache,
} from '#src/server/rendering/visitor-cache.ts';
import { callRoute, signIn } from '../../support/api.ts';

// Real servers over the real calls, each with a cache and a listening connection of its own, as several instances have.

const CHANNEL = 'catalogue_changed';

type Instance = {
  site: SiteServer;
  port: number;
  cache: VisitorCache;
  listener: Listener;
  /** How often something was rendered. */
  rendered: () => number;
  /** What happens between reading the data and giving the answer. */
  beforeAnswer: () => Promise<void>;
};

async function startInstance(): Promise<Instance> {
  let count = 0;
  const handler: PageHandler = async (request, locals) => {
    count += 1;
    const path = request.url!;
    const [, id, reviews] = /^\/api\/courses\/(\d+)(\/reviews)?/.exec(path) ?? [];
    locals.route = '/api/courses';
    const answer = await callRoute(reviews ? reviewsRoute : id ? courseRoute : listRoute, {
      path,
      params: id ? { id } : {},
      headers: request.headers.authorization ? { authorization: request.headers.authorization } : {},
    });
    await instance.beforeAnswer();
    locals.tags = answer.tags;
    const headers = new Headers(answer.headers);
    if (path.includes('give=cookie')) headers.set('set-cookie', `own=${count}`);
    return new Response(answer.text, { status: answer.status, headers });
  };
  const cache: VisitorCache = createVisitorCache({ provenAt: () => listener.provenAt() });
  const listener = listenTo(CHANNEL, {
    url: process.env.DATABASE_URL!,
    onMessage: (tag) => cache.clear(tag),
  });
  const site = await createSiteServer({
    handler,
    visitorCache: cache,
    readiness: async () => ({}),
    siteUrl: 'http://localhost:4321',
    log: pino({ level: 'silent' }),
  });
  const port = await site.listen(0, '127.0.0.1');
  const instance: Instance = {
    site,
    port,
    cache,
    listener,
    rendered: () => count,
    beforeAnswer: async () => {},
  };
  await vi.waitFor(() => expect(listener.provenAt()).toBeGreaterThan(0), { timeout: 10_000 });
  return instance;
}

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

function ask(
  { port }: Instance,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((done, fail) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        // The answer to HEAD names a coding and has no bytes.
        const coding = bytes.length > 0 ? response.headers['content-encoding'] : undefined;
        const body = coding === 'gzip' ? gunzipSync(bytes) : bytes;
        done({ status: response.statusCode!, headers: response.headers, text: body.toString() });
      });
      response.on('error', fail);
    });
    request.on('error', fail);
    request.end();
  });
}

const priceOf = async (instance: Instance, id: number) =>
  JSON.parse((await ask(instance, `/api/courses/${id}`)).text).price as string;
const setPrice = (id: number, priceCents: number) =>
  db().update(courses).set({ priceCents }).where(eq(courses.id, id));

/** Asks until two answers in a row come from memory: nothing that was changed before is under way any more. */
async function settled(instance: Instance, path: string): Promise<Answer> {
  for (;;) {
    await ask(instance, path);
    const before = instance.rendered();
    await sleep(60);
    const answer = await ask(instance, path);
    if (instance.rendered() === before) return answer;
  }
}

let a: Instance;
let b: Instance;
let admin: postgres.Sql;

beforeAll(async () => {
  admin = postgres(process.env.DATABASE_URL!, { max: 1, onnotice: () => {} });
  [a, b] = await Promise.all([startInstance(), startInstance()]);
});
afterAll(async () => {
  await Promise.all([a, b].map(({ listener }) => listener.stop()));
  await Promise.all([a, b].map(({ site }) => site.drain(100)));
  await admin.end();
});
beforeEach(() => {
  a.beforeAnswer = async () => {};
});

describe('what visitors share', () => {
  it('is rendered once, and again on every instance as soon as the price changes', async () => {
    const { id } = await makeCourse({ priceCents: 4900 });
    const path = `/api/courses/${id}`;
    for (const instance of [a, b]) {
      await settled(instance, path);
      const before = instance.rendered();
      // Longer than an answer is shown without the proof that nothing has changed.
      await sleep(VISITOR_CACHE_MS + 400);
      for (let time = 0; time < 5; time += 1) expect(await priceOf(instance, id)).toBe('49.00');
      expect(instance.rendered()).toBe(before);
    }
    await setPrice(id, 5900);
    await expect.poll(() => priceOf(b, id), { interval: 5 }).toBe('59.00');
    await expect.poll(() => priceOf(a, id), { interval: 5 }).toBe('59.00');
  });

  it('stays where a change does not touch it: another course, lists that do not show what changed', async () => {
    const [changed, other] = [
      await makeCourse({ title: 'Changing' }),
      await makeCourse({ title: 'Staying' }),
    ];
    const lesson = await makeLesson(changed.id);
    const list = (text: string) => `/api/courses?search=${text}`;
    const paths = [
      `/api/courses/${other.id}`,
      list('staying'),
      `/api/courses/${changed.id}`,
      list('changing'),
    ];
    const renderedAnew = async (change: () => Promise<unknown>) => {
      for (const path of paths) await settled(b, path);
      await change();
      const heard = performance.now();
      await expect.poll(() => b.listener.provenAt()).toBeGreaterThan(heard);
      const touched = [];
      for (const path of paths) {
        const before = b.rendered();
        await ask(b, path);
        if (b.rendered() > before) touched.push(path);
      }
      return touched;
    };
    const ofLesson = () => db().update(lessons).set({ points: 99 }).where(eq(lessons.id, lesson.id));
    expect(await renderedAnew(ofLesson)).toEqual([`/api/courses/${changed.id}`, list('changing')]);
    const ofPrice = () => setPrice(changed.id, 7700);
    expect(await renderedAnew(ofPrice)).toEqual([
      list('staying'),
      `/api/courses/${changed.id}`,
      list('changing'),
    ]);
    const ofPicture = () =>
      db().update(courses).set({ thumbnail: '/media/x.png' }).where(eq(courses.id, changed.id));
    expect(await renderedAnew(ofPicture)).toEqual([`/api/courses/${changed.id}`, list('changing')]);
  });

  it('ends with a course that is hidden or deleted', async () => {
    const { id } = await makeCourse({ title: 'Soon gone' });
    const list = `/api/courses?search=${encodeURIComponent('soon gone')}`;
    expect((await settled(b, `/api/courses/${id}`)).status).toBe(200);
    expect(JSON.parse((await settled(b, list)).text)).toHaveLength(1);
    await db().update(courses).set({ isActive: false }).where(eq(courses.id, id));
    await expect.poll(async () => (await ask(b, `/api/courses/${id}`)).status, { interval: 5 }).toBe(404);
    await expect.poll(async () => (await ask(b, list)).text, { interval: 5 }).toBe('[]');
    await db().update(courses).set({ isActive: true }).where(eq(courses.id, id));
    // A refusal is not kept, so that it is there again at once.
    expect((await ask(b, `/api/courses/${id}`)).status).toBe(200);
    await settled(b, `/api/courses/${id}`);
    await db().delete(courses).where(eq(courses.id, id));
    await expect.poll(async () => (await ask(b, `/api/courses/${id}`)).status, { interval: 5 }).toBe(404);
  });

  it('follows reviews as they are written, changed, hidden, shown and deleted, and their authors’ names', async () => {
    const { id } = await makeCourse();
    const author = await makeUser({ username: 'Before Marriage' });
    await makeEnrollment(author.id, id);
    const lesson = await makeLesson(id);
    await db().insert(lessonProgress).values({
      userId: author.id,
      courseId: id,
      lessonId: lesson.id,
      completed: true,
      completedAt: new Date(),
    });
    const viewer = { id: author.id, role: 'student' as const };
    const adminUser = await makeAdmin();
    const actor = { id: adminUser.id, name: adminUser.username };
    const path = `/api/courses/${id}/reviews`;
    const texts = async () =>
      JSON.parse((await ask(b, path)).text).reviews.map(
        (one: { username: string; review: string }) => `${one.username}: ${one.review}`,
      );
    const steps: [() => Promise<unknown>, string[]][] = [
      [() => saveRating(viewer, id, { rating: 5, review: 'Clear' }), ['Before Marriage: Clear']],
      [() => saveRating(viewer, id, { rating: 4, review: 'Fair' }), ['Before Marriage: Fair']],
      [() => db().update(users).set({ username: 'After' }).where(eq(users.id, author.id)), ['After: Fair']],
      [async () => hideRating(actor, await ratingIdOf(id), 'rude'), []],
      [async () => showRating(actor, await ratingIdOf(id)), ['After: Fair']],
      [() => deleteRating(viewer, id), []],
    ];
    for (const [change, expected] of steps) {
      await settled(b, path);
      await change();
      await expect.poll(texts, { interval: 5 }).toEqual(expected);
    }
  });

  it('is not kept where it was rendered from what a change has made old meanwhile', async () => {
    const { id } = await makeCourse({ priceCents: 1000 });
    const path = `/api/courses/${id}`;
    await settled(b, path);
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    const read = new Promise<void>((done) => {
      a.beforeAnswer = () => {
        done();
        return released;
      };
    });
    const early = priceOf(a, id);
    await read;
    a.beforeAnswer = async () => {};
    await setPrice(id, 2000);
    // The notification has reached this instance too once the other one shows the new price and a proof has passed.
    await expect.poll(() => priceOf(b, id), { interval: 5 }).toBe('20.00');
    const seen = performance.now();
    await expect.poll(() => a.listener.provenAt()).toBeGreaterThan(seen);
    // Who asks after the change does not wait for the answer from before it.
    expect(await priceOf(a, id)).toBe('20.00');
    release();
    expect(await early).toBe('10.00');
    expect(await priceOf(a, id)).toBe('20.00');
  });

  it('is rendered once for all who ask at one moment', async () => {
    const { id } = await makeCourse();
    await settled(b, `/api/courses/${id}`);
    a.beforeAnswer = () => sleep(50);
    const before = a.rendered();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(a, `/api/courses/${id}?together`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(a.rendered()).toBe(before + 1);
  });

  it('is rendered for the others where the first who asked goes away', async () => {
    const { id } = await makeCourse();
    let isAsked = () => {};
    let release = () => {};
    const asked = new Promise<void>((done) => {
      isAsked = done;
    });
    const released = new Promise<void>((done) => {
      release = done;
    });
    a.beforeAnswer = () => {
      isAsked();
      return released;
    };
    const path = `/api/courses/${id}?first-goes`;
    const first = httpRequest({ host: '127.0.0.1', port: a.port, path });
    first.on('error', () => {});
    first.end();
    await asked;
    const others = [ask(a, path), ask(a, path)];
    first.destroy();
    release();
    for (const answer of await Promise.all(others)) expect(answer.status).toBe(200);
  });
});

describe('without the listening connection', () => {
  it('no answer is older than a second; once it is back, changes are seen at once again', async () => {
    const { id } = await makeCourse({ priceCents: 100 });
    const path = `/api/courses/${id}`;
    await settled(a, path);
    const changes: { at: number; price: string }[] = [{ at: 0, price: '1.00' }];
    const until = performance.now() + 4_000;
    const cutting = (async () => {
      while (performance.now() < until) {
        await admin`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'academy listening'`;
        await sleep(10);
      }
    })();
    const changing = (async () => {
      for (let cents = 200; performance.now() < until; cents += 100) {
        await setPrice(id, cents);
        changes.push({ at: performance.now(), price: (cents / 100).toFixed(2) });
        await sleep(350);
      }
    })();
    const wrong: string[] = [];
    let reads = 0;
    while (performance.now() < until) {
      const asked = performance.now();
      const price = await priceOf(a, id);
      reads += 1;
      // It must have been the price at some moment of the second before the question, or since.
      const index = changes.findIndex((one) => one.price === price);
      const replacedAt = changes[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      if (index >= 0 && replacedAt < asked - 1_000)
        wrong.push(`${price} at ${asked}, replaced at ${replacedAt}`);
      await sleep(5);
    }
    await Promise.all([cutting, changing]);
    expect(wrong).toEqual([]);
    expect(reads).toBeGreaterThan(20);
    const ended = performance.now();
    await expect.poll(() => a.listener.provenAt(), { timeout: 10_000 }).toBeGreaterThan(ended);
    await settled(a, path);
    const before = a.rendered();
    await sleep(VISITOR_CACHE_MS + 400);
    await ask(a, path);
    expect(a.rendered()).toBe(before);
    await setPrice(id, 99_00);
    await expect.poll(() => priceOf(a, id), { interval: 5 }).toBe('99.00');
  }, 30_000);
});

describe('who and what is left out', () => {
  it('somebody signed in gets their own answer, and nobody else gets it', async () => {
    const { id } = await makeCourse({ isActive: false });
    const owner = await makeUser();
    await makeEnrollment(owner.id, id);
    const path = `/api/courses/${id}`;
    const authorization = `Bearer ${(await signIn(owner)).token}`;
    for (let time = 0; time < 3; time += 1) {
      const own = await ask(a, path, { headers: { authorization } });
      expect([own.status, own.headers['cache-control'], own.headers.etag]).toEqual([
        200,
        'no-store',
        undefined,
      ]);
      expect((await ask(a, path)).status).toBe(404);
    }
  });

  it('a request with any cookie is rendered for itself', async () => {
    const { id } = await makeCourse();
    const path = `/api/courses/${id}`;
    await settled(a, path);
    const before = a.rendered();
    const answer = await ask(a, path, { headers: { cookie: 'theme=dark' } });
    expect([answer.status, answer.headers.etag]).toEqual([200, undefined]);
    expect(a.rendered()).toBe(before + 1);
  });

  it('an answer that sets a cookie goes to one alone', async () => {
    const { id } = await makeCourse();
    const path = `/api/courses/${id}?give=cookie`;
    const cookies = [];
    for (let time = 0; time < 3; time += 1) cookies.push((await ask(a, path)).headers['set-cookie']?.[0]);
    expect(new Set(cookies).size).toBe(3);
  });

  it('unknown paths, writes and long addresses are none of its business', async () => {
    const { id } = await makeCourse();
    const long = `/api/courses/${id}?${'x'.repeat(400)}`;
    const before = a.rendered();
    for (let time = 0; time < 2; time += 1) expect((await ask(a, long)).status).toBe(200);
    expect(a.rendered()).toBe(before + 2);
  });
});

describe('an answer from memory', () => {
  it('says the same as a rendered one, in every coding, to GET and HEAD', async () => {
    const { id } = await makeCourse({ description: 'Many words to make it worth packing. '.repeat(100) });
    const path = `/api/courses/${id}`;
    await settled(a, path);
    const before = a.rendered();
    const rendered = await ask(a, `${path}?again`, { headers: { 'accept-encoding': 'gzip' } });
    expect(a.rendered()).toBe(before + 1);
    const same = ({ headers }: Answer) => {
      const { 'x-request-id': _id, date: _date, ...rest } = headers;
      return rest;
    };
    const gzipped = { headers: { 'accept-encoding': 'gzip' } };
    const first = await ask(a, `${path}?again`, gzipped);
    expect(same(first)).toEqual(same(rendered));
    expect(first.headers['x-request-id']).not.toBe(rendered.headers['x-request-id']);
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      vary: 'Cookie, Authorization, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
    });
    const plain = await ask(a, `${path}?again`);
    expect([plain.text, plain.headers['content-encoding']]).toEqual([rendered.text, undefined]);
    const head = await ask(a, `${path}?again`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', rendered.headers.etag]);
    expect(a.rendered()).toBe(before + 1);
    const anew = await ask(a, `${path}?head-first`, { method: 'HEAD', ...gzipped });
    expect([anew.status, anew.text, anew.headers.etag]).toEqual([200, '', rendered.headers.etag]);
    expect((await ask(a, `${path}?head-first`)).text).toBe(rendered.text);
    expect(a.rendered()).toBe(before + 2);
  });

  it('carries a tag: who has it already is told so, until it changes', async () => {
    const { id } = await makeCourse({ title: 'Tagged' });
    const path = `/api/courses/${id}`;
    const { etag } = (await settled(a, path)).headers;
    const again = await ask(a, path, { headers: { 'if-none-match': `"other", ${etag}` } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    await db().update(courses).set({ title: 'Renamed' }).where(eq(courses.id, id));
    await expect
      .poll(async () => (await ask(a, path, { headers: { 'if-none-match': etag! } })).status, { interval: 5 })
      .toBe(200);
  });
});

describe('the memory', () => {
  it('lets nobody wait twice: who waited for an answer that could not be made hears so with the first', async () => {
    let rendered = 0;
    let give: () => void = () => {};
    const asked = new Promise<void>((done) => {
      give = done;
    });
    const site = await createSiteServer({
      handler: async () => {
        rendered += 1;
        await asked;
        return Response.json({}, { status: 503 });
      },
      visitorCache: createVisitorCache({ provenAt: () => performance.now() }),
      readiness: async () => ({}),
      siteUrl: 'http://localhost:4321',
      log: pino({ level: 'silent' }),
    });
    const port = await site.listen(0, '127.0.0.1');
    const answers = Array.from({ length: 5 }, () => fetch(`http://127.0.0.1:${port}/api/courses`));
    await vi.waitFor(() => expect(rendered).toBe(1), 20_000);
    // Nothing shows from outside that the others have come to wait.
    await sleep(200);
    give();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(503));
    expect(rendered).toBe(1);
    await site.drain(1_000);
  });

  it('shows nothing for longer than a moment without the proof that nothing has changed, and nothing for ever with it', async () => {
    const started = performance.now();
    const [proven, unproven] = [() => performance.now(), () => started].map((provenAt) =>
      createVisitorCache({ provenAt }),
    );
    for (const cache of [proven!, unproven!]) {
      cache.join('/courses').flight.land({ body: Buffer.from('page'), headers: [], route: '/courses' });
      expect(cache.find('/courses')).toBeDefined();
    }
    await sleep(VISITOR_CACHE_MS + 50);
    expect(unproven!.find('/courses')).toBeUndefined();
    expect(proven!.find('/courses')).toBeDefined();
    vi.spyOn(performance, 'now').mockReturnValue(started + 11_000);
    expect(proven!.find('/courses')).toBeUndefined();
    vi.restoreAllMocks();
  });

  it('has a limit in bytes, and lets go of what was not asked for longest', () => {
    const cache = createVisitorCache({ provenAt: () => performance.now(), maxBytes: 100_000 });
    const body = Buffer.from(
      Array.from({ length: 900 }, (_, index) => String.fromCharCode(33 + (index % 90))).join(''),
    );
    for (let index = 0; index < 1_000; index += 1) {
      cache.join(`/courses?page=${index}`).flight.land({ body, headers: [], route: '/courses' });
    }
    expect(cache.use().bytes).toBeLessThanOrEqual(100_000);
    expect(cache.use().answers).toBeGreaterThan(5);
    expect(cache.find('/courses?page=0')).toBeUndefined();
    expect(cache.find('/courses?page=999')).toBeDefined();
    cache.clear();
    expect(cache.use().answers).toBe(0);
  });
});

/** What is told of a change, in alphabetical order. */
async function told(change: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = [];
  const { unlisten } = await admin.listen(CHANNEL, (text) => heard.push(text));
  await change();
  await admin.notify(CHANNEL, 'end');
  await expect.poll(() => heard.includes('end')).toBe(true);
  await unlisten();
  return [...new Set(heard)].filter((text) => text !== 'end').sort();
}

describe('the database tells', () => {
  /** Columns that no page of visitors shows, or that may be seen a few seconds late. */
  const SILENT = [
    'id',
    'slug',
    'students_count',
    'builder_draft',
    'archived_at',
    'published_at',
    'draft_of',
    'builder_digest',
    'certificate_months',
    'empty_sections',
    'version',
    'updated_at',
    'search_text',
  ];
  const OTHER_VALUES: Record<string, string> = {
    text: `'other'`,
    integer: '777',
    bigint: '777',
    numeric: '1.25',
    boolean: 'false',
    'timestamp with time zone': `'2001-01-01'`,
    uuid: 'gen_random_uuid()',
    smallint: '7',
    tsvector: `''::tsvector`,
    jsonb: `'[1]'`,
  };

  it('of every column of a course that visitors see, and not of purchases', async () => {
    const [course, other] = [await makeCourse(), await makeCourse()];
    const author = await makeUser();
    const columns = await admin<{ name: string; type: string }[]>`
      select column_name as name, data_type as type from information_schema.columns
      where table_name = 'courses' and table_schema = 'public'`;
    const silent: string[] = [];
    for (const { name, type } of columns) {
      // A course that is in the store does not wait for it.
      if (name === 'id' || name === 'activate_when_proven') continue;
      const special: Record<string, string> = {
        level: `'advanced'`,
        created_by: String(author.id),
        draft_of: String(other.id),
        category_id: '2',
        original_price_cents: '99900',
      };
      const value = special[name] ?? OTHER_VALUES[type];
      if (!value) throw new Error(`no other value for ${name}, ${type}`);
      const changed = await told(() =>
        db().execute(sql.raw(`update courses set "${name}" = ${value} where id = ${course.id}`)),
      );
      if (changed.length === 0) silent.push(name);
      // What no list is filtered, searched or ordered by touches only what shows the course.
      const alone = ['thumbnail', 'original_price_cents', 'duration', 'created_by'].includes(name);
      if (changed.length > 0)
        expect(changed, name).toEqual([...(alone ? [] : ['catalogue']), `course:${course.id}`]);
    }
    expect(silent.sort()).toEqual(SILENT.filter((name) => name !== 'id').sort());
  });

  it('of a column that a later version adds, before anybody thought of it', async () => {
    const course = await makeCourse();
    await admin`alter table courses add column added_later text`;
    try {
      const changed = () =>
        told(() => db().execute(sql`update courses set added_later = 'shown' where id = ${course.id}`));
      expect(await changed()).toEqual(['catalogue', `course:${course.id}`]);
      expect(await changed()).toEqual([]);
    } finally {
      await admin`alter table courses drop column added_later`;
    }
  });

  it('of new, changed and deleted rows of whatever else is shown', async () => {
    const course = await makeCourse();
    const author = await makeUser();
    const lesson = await makeLesson(course.id, { type: 'quiz' });
    const ofCourse = `course:${course.id}`;
    const ofList = ['catalogue', ofCourse];
    expect(await told(() => makeCourse())).toContain('catalogue');
    // A new lesson is found by searches.
    expect(await told(() => makeLesson(course.id))).toEqual(ofList);
    expect(
      await told(() => db().update(lessons).set({ points: 77 }).where(eq(lessons.id, lesson.id))),
    ).toEqual([ofCourse]);
    expect(
      await told(() => db().update(lessons).set({ title: 'Other' }).where(eq(lessons.id, lesson.id))),
    ).toEqual(ofList);
    expect(
      await told(() =>
        db().execute(sql`
          insert into quiz_questions (lesson_id, question, options, correct_answer, "order")
          values (${lesson.id}, 'Which?', '["a","b"]', 0, 1)`),
      ),
    ).toEqual([ofCourse]);
    expect(
      await told(() =>
        db().execute(sql`update quiz_questions set question = 'What?' where lesson_id = ${lesson.id}`),
      ),
    ).toEqual([ofCourse]);
    expect(
      await told(() => db().update(categories).set({ icon: 'icon-other' }).where(eq(categories.id, 1))),
    ).toEqual(['']);
    expect(
      await told(() =>
        db().insert(courseRatings).values({ userId: author.id, courseId: course.id, rating: 3 }),
      ),
    ).toEqual([ofCourse]);
    const bundle = { id: 1, title: 'Both', description: 'Two.', priceCents: 900 };
    expect(await told(() => db().insert(bundles).overridingSystemValue().values(bundle))).toEqual(['']);
    const place = { bundleId: 1, position: 0, courseId: course.id };
    expect(await told(() => db().insert(bundleCourses).values(place))).toEqual(['']);
    expect(await told(() => db().delete(bundles))).toEqual(['']);
    const answer = { reviewId: await ratingIdOf(course.id), courseId: course.id, body: 'Thank you.' };
    expect(await told(() => db().insert(courseRatingAnswers).values(answer))).toEqual([ofCourse]);
    expect(await told(() => db().update(courseRatingAnswers).set({ body: 'Thanks.' }))).toEqual([ofCourse]);
    expect(await told(() => db().delete(courseRatingAnswers))).toEqual([ofCourse]);
    expect(
      await told(() => db().update(users).set({ username: 'Renamed' }).where(eq(users.id, author.id))),
    ).toEqual([ofCourse]);
    for (const shown of [{ instructorWords: 'I teach.' }, { instructorPortrait: '/media/a/b.webp' }]) {
      expect(await told(() => db().update(users).set(shown).where(eq(users.id, author.id)))).toEqual([
        ofCourse,
      ]);
    }
    expect(
      await told(() => db().update(users).set({ weeklyGoal: 5 }).where(eq(users.id, author.id))),
    ).toEqual([]);
    // The review goes with its author.
    expect(await told(() => db().delete(users).where(eq(users.id, author.id)))).toEqual([ofCourse]);
    expect(await told(() => db().delete(lessons).where(eq(lessons.id, lesson.id)))).toContain(ofCourse);
    expect(await told(() => db().delete(courses).where(eq(courses.id, course.id)))).toEqual(ofList);
    expect(await told(() => makeUser())).toEqual([]);
    // So many that naming them takes longer than making everything anew.
    const many = await Promise.all(Array.from({ length: 51 }, () => makeCourse()));
    const ids = many.map(({ id }) => id);
    expect(
      await told(() => db().update(courses).set({ duration: 'long' }).where(inArray(courses.id, ids))),
    ).toEqual(['']);
  });
});

it('the database tells when the video of a lesson can be played, and not how far it is', async () => {
  const course = await makeCourse();
  const path = `/files/${randomUUID()}/film.mp4`;
  await makeLesson(course.id, { type: 'video', fileUrl: path });
  const id = randomUUID();
  await db().insert(videos).values({ id, courseId: course.id, name: 'film.mp4', size: 1, path });
  const set = (values: Partial<typeof videos.$inferInsert>) => () =>
    db().update(videos).set(values).where(eq(videos.id, id));
  expect(await told(set({ status: 'converting', percent: 1 }))).toEqual([`course:${course.id}`]);
  expect(await told(set({ percent: 50, movedAt: new Date() }))).toEqual([]);
  expect(await told(set({ sizes: [{ path: `${path}/480.mp4`, height: 480 }] }))).toEqual([
    `course:${course.id}`,
  ]);
  expect(await told(set({ status: 'ready', percent: 100 }))).toEqual([`course:${course.id}`]);
});

async function ratingIdOf(courseId: number): Promise<number> {
  const [row] = await db()
    .select({ id: courseRatings.id })
    .from(courseRatings)
    .where(eq(courseRatings.courseId, courseId));
  return row!.id;
}

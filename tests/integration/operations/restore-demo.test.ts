import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeBackup } from '#db/backup.ts';
import { closeDatabase, db } from '#db/client.ts';
import { makeEnrollment, makeUser } from '../../support/factories.ts';
import { localFileStore } from '#db/file-store.ts';
import { putBack, restoreBackup, unpackBackup } from '#db/restore.ts';
import { CODING_LANGUAGES, lessons } from '#db/schema/catalogue.ts';
import { assignments, quizAttempts } from '#db/schema/learn.ts';
import { codeSubmissions } from '#db/schema/practice.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { storeFile } from '#db/stored-files.ts';
import { rehearse } from '../../../scripts/rehearse.ts';
import { seedDemo } from '#src/features/authoring/transfer/demo-courses.server.ts';
import { completeLesson } from '#src/features/learn/progress/completion.server.ts';
import { LESSON_TYPES } from '#src/features/lessons/registry.ts';
import { VERDICTS } from '#src/features/practice/practice.ts';
import { startScenario } from '#src/features/scenario/scenario.server.ts';
import { env } from '#src/server/start/env.ts';
import { databaseOn } from '../../support/database-url.ts';
import { hasOldestPostgres, startOldestPostgres } from '../../support/oldest-postgres.ts';
import { bought, type Payments, startPayments } from '../../support/payments.ts';

const url = process.env.DATABASE_URL!;
const oldest = hasOldestPostgres ? await startOldestPostgres() : null;
let folder: string;
let payments: Payments;
let expected: Record<string, string>;

/** How many rows each table has, and their hash. */
async function hashesOf(database: string): Promise<Record<string, string>> {
  const client = postgres(database, { max: 1, onnotice: () => {}, connection: { TimeZone: 'UTC' } });
  const tables = await client<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const [rows] = await client.unsafe(`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, chr(10) order by t::text collate "C")), '') as hash from public."${name}" t`);
    hashes[name] = String(rows!.hash);
  }
  await client.end();
  return hashes;
}

const unpacked = () => unpackBackup(join(folder, 'demo.tar.gz'), join(folder, 'data'));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'academy-demo-'));
  payments = await startPayments();
  const { dataDir } = env();
  await seedDemo();
  await bought(payments, [4900, 1900]);
  const learner = await makeUser({ scenarioTime: 'half_more' });
  const lessonOf = async (type: (typeof LESSON_TYPES)[number]) => {
    const [lesson] = await db().select().from(lessons).where(eq(lessons.type, type)).limit(1);
    await makeEnrollment(learner.id, lesson!.courseId).catch(() => {});
    return lesson!;
  };
  const text = await lessonOf('text');
  await completeLesson(learner, text.courseId, text.id);
  for (const [at, language] of CODING_LANGUAGES.entries()) {
    const [lesson] = await db().select().from(lessons).where(eq(lessons.codingLanguage, language)).limit(1);
    const verdict = VERDICTS[at]!;
    await db()
      .insert(codeSubmissions)
      .values({
        userId: learner.id,
        lessonId: lesson!.id,
        language,
        submittedCode: 'a\tb\\n\n"ü"',
        isCorrect: verdict === 'pass',
        verdict,
        attempts: 1,
      });
  }
  const userId = learner.id;
  const quiz = await lessonOf('quiz');
  await db()
    .insert(quizAttempts)
    .values({ userId, lessonId: quiz.id, answers: {}, score: 50, passed: false });
  const stored = await storeFile(db(), localFileStore(dataDir), {
    area: 'files',
    originalName: 'essay.txt',
    mimeType: 'text/plain',
    bytes: Buffer.from('An essay.\n'),
  });
  const assignment = await lessonOf('assignment');
  await db()
    .insert(assignments)
    .values({ userId, lessonId: assignment.id, submission: 'Mine.', fileUrl: `/files/${stored.path}` });
  const { courseId, id } = await lessonOf('scenario');
  const [scenario] = await db().select().from(scenarios).where(eq(scenarios.lessonId, id));
  expect(courseId).toBeGreaterThan(0);
  await startScenario(learner, scenario!.id);
  await payments.sandbox.control.settled();
  await writeBackup({ url, store: localFileStore(dataDir), out: join(folder, 'demo.tar.gz') });
  expected = await hashesOf(url);
});

afterAll(async () => {
  await payments.close();
  await oldest?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('is of a demo with every type of lesson, every language and every table of a learner', async () => {
  const rows = await db().select({ type: lessons.type, language: lessons.codingLanguage }).from(lessons);
  expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual([...LESSON_TYPES].sort());
  const languages = new Set(rows.flatMap(({ language }) => language ?? []));
  expect([...languages].sort()).toEqual([...CODING_LANGUAGES].sort());
  for (const name of [
    'orders',
    'ledger_entries',
    'enrollments',
    'lesson_progress',
    'quiz_attempts',
    'assignments',
    'scenario_progress',
    'code_submissions',
    'mail_outbox',
    'stored_files',
  ]) {
    expect(expected[name], name).not.toMatch(/^0 /);
  }
});

describe.each([
  { server: 'the newest PostgreSQL', serverUrl: inject('postgres').url },
  ...(oldest ? [{ server: 'the oldest PostgreSQL', serverUrl: oldest.url }] : []),
])('the whole demo after use, on $server', { timeout: 240_000 }, ({ serverUrl }) => {
  const name = `demo_${randomUUID().replaceAll('-', '')}`;
  const target = databaseOn(serverUrl, name);
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  beforeAll(() => admin.unsafe(`create database ${name}`));
  afterAll(async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  const restore = async (replace: boolean) =>
    restoreBackup({
      url: target,
      store: localFileStore(join(folder, 'files')),
      backup: await unpacked(),
      replace,
    });

  it('is restored into an empty database, row by row', async () => {
    await restore(false);
    expect(await hashesOf(target)).toEqual(expected);
  });

  it('is restored over a full one, which can be put back', async () => {
    const client = postgres(target, { max: 1 });
    await client`update users set username = 'since the backup'`;
    await client`update lessons set coding_language = 'sql' where coding_language = 'typescript'`;
    await client.end();
    const before = await hashesOf(target);
    await restore(true);
    expect(await hashesOf(target)).toEqual(expected);
    await putBack(target);
    expect(await hashesOf(target)).toEqual(before);
  });
});

it('is rehearsed beside the site', async () => {
  const said = await rehearse(url, await unpacked());
  await closeDatabase(1);
  expect(said).toContain('Every row was compared.');
  expect(said).toContain('The site has as many rows in every table now as the backup has.');
});

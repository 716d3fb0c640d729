import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCategories } from '../../support/factories.ts';
import { courses } from '#db/schema/catalogue.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { lessonJob } from '#src/features/authoring/publishing/publish-check.server.ts';
import { publishReport } from '#src/features/authoring/publishing/publish-report.server.ts';
import { startJudge, stopJudge } from '#src/judge/client.ts';
import { POST } from '#src/pages/api/admin/interactive-courses.ts';
import { setEnvironment } from '#src/server/start/env.ts';
import { startJobs } from '#src/server/jobs.ts';
import { callRoute, signIn } from '../../support/api.ts';

let session: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  session = await signIn(await makeAdmin());
  await makeCategories();
  startJudge({ log: () => {} });
  await startJobs([lessonJob]);
});
afterAll(() => stopJudge());

const SOLUTION = 'function add(a, b) {\n  return a + b;\n}\n';
const post = (solution: string, wish: Record<string, unknown> = {}) =>
  callRoute(POST, {
    as: session,
    body: {
      ...wish,
      draftId: randomUUID(),
      title: `Sums ${randomUUID()}`,
      description: 'How numbers are added.',
      categoryId: 1,
      price: '49.00',
      level: 'beginner',
      duration: '1 hour',
      lessons: [
        {
          title: 'Add two numbers',
          type: 'interactive_coding',
          instructions: 'Write `add`.',
          codingLanguage: 'javascript',
          starterCode: 'function add(a, b) {\n  return 0;\n}\n',
          solution,
          testCases: [
            { input: 'add(2, 3)', expectedOutput: '5', description: 'two and three' },
            { input: 'add(-2, 2)', expectedOutput: '0', description: 'a number and its opposite' },
            { input: 'add(10, -4)', expectedOutput: '6', description: 'one below zero' },
          ],
        },
      ],
    },
  });
const checked = async (id: number) => {
  let report = await publishReport(id);
  while (report.run?.status === 'running') {
    await new Promise((done) => setTimeout(done, 50));
    report = await publishReport(id);
  }
  return report;
};
const isInStore = async (id: number) =>
  (await db().select({ isActive: courses.isActive }).from(courses).where(eq(courses.id, id)))[0]!.isActive;

describe('a course from the builder (decision 49)', () => {
  it('is in the store at once, and proven a little later', async () => {
    const answer = await post(SOLUTION);
    expect(answer.status, answer.text).toBe(201);
    // The check takes as long as it takes; the answer does not wait for it.
    expect(answer.body).toMatchObject({ isActive: true, checked: false });
    expect(await isInStore(answer.body.id)).toBe(true);
    expect(await checked(answer.body.id)).toMatchObject({ ready: true, run: { status: 'finished' } });
  });

  it('stays there when something is to be fixed, which its author is told by mail', async () => {
    const answer = await post(SOLUTION.replace('a + b', 'a - b'));
    expect(answer.status, answer.text).toBe(201);
    const { lessons, ready } = await checked(answer.body.id);
    expect(ready).toBe(false);
    expect(lessons[0]!.findings.map(({ message }) => message).join()).toMatch(
      /solution gives a wrong answer/,
    );
    expect(await isInStore(answer.body.id)).toBe(true);
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.template, 'course-unproven'));
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('solution gives a wrong answer');
  });

  it('waits where it is asked to, and comes in by itself', async () => {
    const waits = { isActive: false, activateWhenProven: true };
    const faulty = await post(SOLUTION.replace('a + b', 'a - b'), waits);
    expect(faulty.body).toMatchObject(waits);
    await checked(faulty.body.id);
    expect(await isInStore(faulty.body.id)).toBe(false);
    const sound = await post(SOLUTION, waits);
    expect(sound.body).toMatchObject(waits);
    await checked(sound.body.id);
    expect(await isInStore(sound.body.id)).toBe(true);
  });

  it('waits whatever it asks where PUBLISH_CHECK is required', async () => {
    setEnvironment({ PUBLISH_CHECK: 'required' });
    try {
      const answer = await post(SOLUTION);
      expect(answer.body).toMatchObject({ isActive: false, activateWhenProven: true });
      await checked(answer.body.id);
      expect(await isInStore(answer.body.id)).toBe(true);
    } finally {
      setEnvironment({ PUBLISH_CHECK: undefined });
    }
  });
});

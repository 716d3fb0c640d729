import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCategories } from '#db/factories.ts';
import { courses } from '#db/schema/catalogue.ts';
import { publishReport, lessonJob } from '#src/features/authoring/publishing/publish-check.server.ts';
import { startJudge, stopJudge } from '#src/judge/client.ts';
import { POST } from '#src/pages/api/admin/interactive-courses.ts';
import { startJobs } from '#src/server/jobs.ts';
import { callRoute, signIn } from '../support/api.ts';

let session: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  session = await signIn(await makeAdmin());
  await makeCategories();
  startJudge({ log: () => {} });
  await startJobs([lessonJob]);
});
afterAll(() => stopJudge());

const SOLUTION = 'function add(a, b) {\n  return a + b;\n}\n';
const post = (solution: string) =>
  callRoute(POST, {
    as: session,
    body: {
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
/** How the check of a course ended, as the page that follows it sees. */
const checked = async (id: number) => {
  let report = await publishReport(id);
  while (report.run?.status === 'running') {
    await new Promise((done) => setTimeout(done, 50));
    report = await publishReport(id);
  }
  return report;
};
const isListed = async (id: number) =>
  (await db().select({ listed: courses.listed }).from(courses).where(eq(courses.id, id)))[0]!.listed;

describe('a course from the builder (decision 49)', () => {
  it('is in the store when every lesson is proven', async () => {
    const answer = await post(SOLUTION);
    expect(answer.status, answer.text).toBe(201);
    // The check takes as long as it takes; the answer does not wait for it.
    expect(answer.body).toMatchObject({ isActive: true, checked: false });
    expect(await checked(answer.body.id)).toMatchObject({ listed: true, run: { status: 'finished' } });
    expect(await isListed(answer.body.id)).toBe(true);
  });

  it('is not listed when something is to be fixed, and says what', async () => {
    const answer = await post(SOLUTION.replace('a + b', 'a - b'));
    expect(answer.status, answer.text).toBe(201);
    const { lessons, listed } = await checked(answer.body.id);
    expect(listed).toBe(false);
    expect(lessons[0]!.findings.map(({ message }) => message).join()).toMatch(
      /solution gives a wrong answer/,
    );
    expect(await isListed(answer.body.id)).toBe(false);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeLesson } from '../../support/factories.ts';
import { scenarios } from '#db/schema/scenario.ts';
import { env } from '#src/server/start/env.ts';
import type { lessons } from '#db/schema/catalogue.ts';
import { newPath, storeFile } from '#db/stored-files.ts';
import { proveLesson } from '#src/features/authoring/publishing/check-lessons.server.ts';
import { lessonJob, startPublishCheck } from '#src/features/authoring/publishing/publish-check.server.ts';
import { publishReport } from '#src/features/authoring/publishing/publish-report.server.ts';
import { fileStore } from '#src/server/files/files.ts';
import { videoFile } from '../../support/video-files.ts';

type Row = typeof lessons.$inferSelect;

const CODING = { type: 'interactive_coding', codingLanguage: 'javascript' } as const;

const said = async (lesson: Row) =>
  (await proveLesson({ lesson, questions: [], bank: [], scenario: null })).findings.map(
    ({ severity, field, message }) => `${severity} ${field}: ${message}`,
  );

describe('the video of a lesson', () => {
  let courseId: number;
  beforeAll(async () => {
    courseId = (await makeCourse({ isActive: false })).id;
  });
  const kept = async (kind: 'mp4' | 'webm', bytes: Buffer) => {
    const path = newPath('files', `film.${kind}`);
    const mimeType = `video/${kind}`;
    await storeFile(db(), fileStore(), {
      area: 'files',
      path,
      originalName: `film.${kind}`,
      mimeType,
      bytes,
    });
    return path;
  };
  const film = (fileUrl: string, more: Partial<Row> = {}) =>
    makeLesson(courseId, { type: 'video', content: '', fileUrl, ...more });

  it.each(['mp4', 'webm'] as const)('as %s is there to its end', async (kind) => {
    const whole = await videoFile(kind, 20);
    expect(await said(await film(await kept(kind, whole)))).toEqual([]);
    const path = await kept(kind, whole.subarray(0, whole.length / 2));
    expect(await said(await film(path, { watchRequired: true, durationSeconds: 20 }))).toEqual([
      expect.stringMatching(
        new RegExp(
          `^error fileUrl: The file: ${path} is cut off: it says that it lasts 20 s, and only (9|10) s of it are there\\. Upload it again\\.$`,
        ),
      ),
    ]);
    // A last picture that is missing is enough.
    expect(await said(await film(await kept(kind, whole.subarray(0, -600))))).toEqual(
      kind === 'mp4' ? [expect.stringContaining('is cut off')] : [],
    );
  });

  it('is one', async () => {
    const path = await kept('mp4', Buffer.from('no film at all'));
    expect(await said(await film(path))).toEqual([
      `error fileUrl: The file: ${path} holds no video that can be read: upload it again.`,
    ]);
  });

  it('lasts as long as its learners must watch it', async () => {
    const path = await kept('webm', await videoFile('webm', 10));
    const watched = (durationSeconds: number, watchRequired = true) =>
      film(path, { watchRequired, durationSeconds }).then(said);
    expect(await watched(10)).toEqual([]);
    expect(await watched(11)).toEqual([]);
    expect(await watched(20, false)).toEqual([]);
    expect(await watched(20)).toEqual([
      'error durationSeconds: The video lasts 10 s and not 20 s, so that nobody can watch 90% of it and complete the lesson.',
    ]);
    expect(await watched(5)).toEqual([
      'warning durationSeconds: The video lasts 10 s and not 5 s, so that the lesson is completed before its end.',
    ]);
  });
});

describe('links to pages of this site', () => {
  const scenarioOf = async (courseId: number) => {
    const lesson = await makeLesson(courseId, { type: 'scenario', content: '' });
    const [row] = await db()
      .insert(scenarios)
      .values({
        ...{ lessonId: lesson.id, title: 'Talk', scenarioType: 'others' as const, timeLimit: 10 },
        ...{ initialState: {}, goals: [] },
      })
      .returning({ id: scenarios.id });
    return row!.id;
  };

  it('lead to what learners of the course can open', async () => {
    const own = await makeCourse({ isActive: false });
    const listed = await makeCourse();
    const hidden = await makeCourse({ isActive: false });
    const [first, other, preview] = [
      await makeLesson(own.id),
      await makeLesson(listed.id),
      await makeLesson(listed.id, { ...CODING, isPreview: true }),
    ];
    const [ownTalk, otherTalk] = [await scenarioOf(own.id), await scenarioOf(listed.id)];
    const none = 2_000_000_000;
    const nowhere = {
      course: 'leads to a course that does not exist',
      lesson: 'leads to a lesson that does not exist',
      here: 'leads to a lesson that this course does not have',
      scenario: 'leads to a scenario that does not exist',
      admin: 'is for those who run the site: learners cannot open it',
    };
    const elsewhere =
      'leads into another course, which learners of this one need not have: say so beside the link, or bring it here';
    const unlisted = 'leads to a course that is not in the store: only those who have it find it';
    const cases: [string, string?, string?][] = [
      [`/learn/${own.id}`],
      [`/learn/${own.id}?lesson=${first.id}`],
      [`${env().siteUrl}/learn/${own.id}/news`],
      [`?lesson=${first.id}`],
      [`/courses/${own.id}`],
      [`/course/${own.id}`],
      [`/lesson/${first.id}`],
      [`/scenario/${ownTalk}`],
      [`/courses/${listed.id}`],
      [`/lesson/${preview.id}`],
      [`/learn/${own.id}?lesson=${none}`, 'error', nowhere.here],
      [`/learn/${own.id}?lesson=${other.id}`, 'error', nowhere.here],
      [`?lesson=${none}`, 'error', nowhere.here],
      [`/learn/${none}`, 'error', nowhere.course],
      [`/courses/${none}`, 'error', nowhere.course],
      [`/lesson/${none}`, 'error', nowhere.lesson],
      [`/lessons/99999999999`, 'error', nowhere.lesson],
      [`/lessons/first`, 'error', nowhere.lesson],
      [`/scenario/${none}`, 'error', nowhere.scenario],
      [`/scenarios/${none}`, 'error', nowhere.scenario],
      ['/admin', 'error', nowhere.admin],
      [`/admin/courses/${own.id}/publish`, 'error', nowhere.admin],
      [`/lesson/${other.id}`, 'warning', elsewhere],
      [`/scenario/${otherTalk}`, 'warning', elsewhere],
      [`/learn/${listed.id}?lesson=${other.id}`, 'warning', elsewhere],
      [`/courses/${hidden.id}`, 'warning', unlisted],
    ];
    const content = cases.map(([address]) => `[x](${address})`).join('\n\n');
    expect(await said(await makeLesson(own.id, { content }))).toEqual(
      cases.flatMap(([address, severity, why], at) =>
        severity ? [`${severity} content: Line ${at * 2 + 1}: ${address} ${why}.`] : [],
      ),
    );
  });
});

describe('the addresses of a lesson', () => {
  const many = Array.from({ length: 70 }, (_, at) => `![x](/media/none/${at}.png)`);

  it('are all asked, each once', async () => {
    const { id } = await makeCourse({ isActive: false });
    const found = await said(await makeLesson(id, { content: [...many, many[0]].join('\n\n') }));
    expect(found).toHaveLength(many.length);
    expect(found.at(-1)).toBe('error content: Line 139: /media/none/69.png is no file of this site.');
  });

  it('say so where there is no time for them', async () => {
    const { id } = await makeCourse({ isActive: false });
    const lesson = await makeLesson(id, { content: many.join('\n\n') });
    const { findings, facts } = await proveLesson(
      { lesson, questions: [], bank: [], scenario: null },
      { linksMs: 0 },
    );
    expect(facts.links).toBe(0);
    expect(findings).toMatchObject([
      {
        severity: 'error',
        message:
          'Line 1: 70 addresses were not asked, from /media/none/0.png on: the others took too long to answer. Check the course again, or name fewer.',
      },
    ]);
  });
});

describe('a run', () => {
  it('asks for what the page of the course itself shows and links to, which stands against no lesson', async () => {
    const course = await makeCourse({
      isActive: false,
      thumbnail: '/media/none/cover.png',
      description: 'Plan:\n\n![Plan](/media/none/plan.png) and [a lesson](/lesson/2000000000)',
    });
    const lesson = await makeLesson(course.id);
    const { run } = await startPublishCheck({ ...(await makeAdmin()), name: 'Grace' }, course.id);
    await lessonJob.run({ runId: run!.id, lessonId: lesson.id }, { isLast: true });
    const report = await publishReport(course.id);
    expect(report).toMatchObject({ ready: true, run: { status: 'finished' } });
    expect(report.findings.map(({ severity, field, message }) => `${severity} ${field}: ${message}`)).toEqual(
      [
        'error thumbnail: The picture: /media/none/cover.png is no file of this site.',
        'error description: Line 3: /media/none/plan.png is no file of this site.',
        'error description: Line 3: /lesson/2000000000 leads to a lesson that does not exist.',
      ],
    );
  });
});

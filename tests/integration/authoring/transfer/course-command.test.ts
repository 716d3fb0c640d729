import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { FIXED_CATEGORIES } from '#src/shared/content/categories.ts';
import { auditLog } from '#db/schema/account.ts';
import { categories, courses } from '#db/schema/catalogue.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const DEMO = join(ROOT, 'db/seed/courses/first-programs-in-five-languages');

function course(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [join(ROOT, 'scripts/course.ts'), ...args],
      { cwd: ROOT, env: process.env, timeout: 280_000 },
      (error, out, err) =>
        done({
          code: error ? ((error.code as unknown as number) ?? -1) : 0,
          out,
          err: err.replace(/^Database: .*\n/, ''),
        }),
    );
  });
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'course-command-'));
  await db()
    .insert(categories)
    .values(FIXED_CATEGORIES.map((one) => ({ ...one })))
    .onConflictDoNothing();
  await cp(DEMO, join(folder, 'first-programs'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('npm run course', () => {
  it('finds every mistake at once, what an import refuses and what the publish check finds', {
    timeout: 900_000,
  }, async () => {
    const broken = join(folder, 'broken');
    await cp(DEMO, broken, { recursive: true });
    const edit = async (path: string, change: (source: string) => string) =>
      writeFile(join(broken, path), change(await readFile(join(broken, path), 'utf8')));
    await edit('course.yaml', (yaml) => yaml.replace(/^level: .*$/m, 'level: expert'));
    await edit('lessons/01-a-greeting.md', (text) => `${text}\n![Lost](../pictures/lost.png)\n`);
    await edit('code/01-a-greeting.solution.js', () => 'function greet() { return "Hi"; }\n');
    await edit('course.yaml', (yaml) => `${yaml.trimEnd()}\n      - 06-bank\n      - 07-exam\n`);
    const head = (title: string) =>
      `---\ntitle: ${title}\ntype: quiz\nsection: Pages\nduration: 5 min\nisPreview: false\nrequiredToComplete: true\npoints: 5\n`;
    await writeFile(
      join(broken, 'lessons/06-bank.md'),
      `${head('Bank')}questions:\n  - question: Which?\n    options: [a, b]\n    correctAnswer: 1\n    explanation: So it is.\n    tags: [x]\n---\n\nWords.\n`,
    );
    await writeFile(
      join(broken, 'lessons/07-exam.md'),
      `${head('Exam')}quizSettings:\n  draw:\n    - { tag: x, count: 2, from: course }\n---\n\nWords.\n`,
    );
    const bad = await course('check', broken);
    expect(bad.code).toBe(1);
    expect(bad.out).toContain('error   course.yaml, line');
    expect(bad.out).toContain('level: must be beginner, intermediate or advanced');
    expect(bad.out).toContain('names a picture that is missing: pictures/lost.png');
    expect(bad.out).toMatch(/error {3}lessons\/01-a-greeting\.md: solution: /);
    expect(bad.out).toContain('lessons/07-exam.md: quizSettings: 2 are to be drawn of 1 with the tag “x”.');
    expect(bad.out).not.toContain('lessons/07-exam.md: questions');
    expect(bad.out).toMatch(/^\d+ errors, /m);
  });

  it('reads a folder into a new course, writes it out again and knows where it came from', {
    timeout: 300_000,
  }, async () => {
    const made = await course('import', join(folder, 'first-programs'));
    expect([made.code, made.err]).toEqual([0, '']);
    const id = Number(/^Course (\d+): 5 new lessons\. It is hidden\.$/m.exec(made.out)![1]);
    const [row] = await db().select().from(courses).where(eq(courses.id, id));
    expect(row).toMatchObject({ isActive: false, createdBy: null, slug: 'first-programs' });
    const [entry] = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(id)));
    expect(entry).toMatchObject({ action: 'course.imported', actorId: null });

    const file = join(folder, 'course.zip');
    const written = await course('export', String(id), file);
    expect([written.code, written.out.trim()]).toEqual([0, file]);
    expect((await stat(file)).size).toBeGreaterThan(1000);
    const asked = await course('import', file);
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining(`Say --into ${id} to change it`)]);
    const same = await course('import', file, '--into', String(id));
    expect([same.code, same.out.trim()]).toEqual([0, 'Nothing to change.']);

    await writeFile(join(folder, 'first-programs/course.yaml'), 'title: [');
    const refused = await course('import', join(folder, 'first-programs'), '--into', String(id));
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
    const none = await course('export', '999999', join(folder, 'none.zip'));
    expect([none.code, none.err.trim()]).toEqual([1, 'Course not found']);
  });

  it.each([
    [[]],
    [['check']],
    [['import', 'x', '--into', 'many']],
    [['export', '-1']],
    [['import', 'x', '--into', '1', '--new-version']],
    [['import', 'x', '--new-version', 'all']],
    [['check', '/nowhere/at/all']],
  ])('that is wrong itself says how it is meant: %j', async (args) => {
    const { code, err } = await course(...args);
    expect([code, err.length > 0]).toEqual([2, true]);
  });
});

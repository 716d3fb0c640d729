import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Turns } from '#db/turns.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COURSES = join(ROOT, 'db/seed/courses');

// Each course has a judge of its own.
const limit = new Turns(2);

/** What the check of a course prints, and the code that it ends with. */
const check = (name: string) =>
  new Promise<[code: unknown, out: string]>((done) => {
    execFile(
      process.execPath,
      [join(ROOT, 'scripts/course.ts'), 'check', join(COURSES, name)],
      { cwd: ROOT },
      (error, out, err) => done([error?.code ?? 0, out + err]),
    );
  });

describe('a demo course can be published without a word of the check', () => {
  it.concurrent.each(readdirSync(COURSES))('%s', { timeout: 900_000 }, async (name) => {
    expect(await limit.run(() => check(name))).toEqual([0, '0 errors, 0 warnings.\n']);
  });
});

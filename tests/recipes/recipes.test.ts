import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture } from './fixture.ts';
import { courseField } from './fixtures/course-field.ts';
import { judgeLanguage } from './fixtures/judge-language.ts';
import { lessonField } from './fixtures/lesson-field.ts';
import { lessonType } from './fixtures/lesson-type.ts';
import { page } from './fixtures/page.ts';
import { questionKind } from './fixtures/question-kind.ts';
import { differences, stepsOf } from './steps.ts';

// What `docs/adding.md` says is enough: somebody who does what it names, and nothing else, has a project that the compiler,
// the generator of migrations and the tests without a database take.

const root = resolve(import.meta.dirname, '../..');
const adding = readFileSync(join(root, 'docs/adding.md'), 'utf8');
const FIXTURES = [page, judgeLanguage, courseField, lessonType, lessonField, questionKind];

describe.each(FIXTURES.map((fixture) => [fixture.recipe, fixture] as const))('%s', (recipe, fixture) => {
  it('is followed to the letter', () => {
    expect(stepsOf(adding, recipe, fixture.name).length).toBeGreaterThan(1);
    expect(differences(adding, fixture)).toEqual([]);
  });
});

describe('a recipe', () => {
  const recipe =
    '## A thing\n\n1. `src/NAME.ts` and `list.ts`: it, and\n   its line.\n2. `db/a.ts`: a column.\n- `docs/`: a page.\n';
  const thing: Fixture = {
    recipe: 'A thing',
    name: 'cup',
    files: { 'src/cup.ts': '' },
    lines: { 'src/list.ts': [], 'db/a.ts': [], 'docs/cup.md': [] },
  };

  it('that forgets a file is found out', () => {
    expect(differences(recipe, thing)).toEqual([]);
    expect(differences(recipe.replace('2. `db/a.ts`: a column.\n', ''), thing)).toEqual([
      'A thing: does not name db/a.ts',
    ]);
    expect(differences(adding.replace(/^\d+\. `tests\/support\/routes.ts`.*\n/m, ''), page)).toEqual([
      'A page: does not name tests/support/routes.ts',
    ]);
  });

  it('that names a file which nothing is done with is found out', () => {
    expect(differences(recipe, { ...thing, files: {} })).toEqual(['A thing: src/cup.ts was left out']);
  });
});

// One compiler is busy on one processor.
describe.concurrent('a project in which all recipes were followed', () => {
  let copy: string;
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const filesOf = (folder: string) =>
    execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
      cwd: folder,
      encoding: 'utf8',
    })
      .split('\0')
      .filter((file) => file !== '' && existsSync(join(folder, file)));
  const run = promisify(execFile);
  /** What a program of the project's packages said, whether it was content or not. */
  const said = async (program: string, ...words: string[]) =>
    run(process.execPath, [join(root, 'node_modules', program), ...words], {
      cwd: copy,
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, NO_COLOR: '1', TEST_FAILURES_FILE: '' },
    }).then(
      ({ stdout }) => ({ isContent: true, output: stdout }),
      ({ stdout, stderr }: { stdout: string; stderr: string }) => ({
        isContent: false,
        output: stdout + stderr,
      }),
    );
  const before = new Set<string>();

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'academy-recipes-'));
    for (const file of filesOf(root)) {
      before.add(file);
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
    // Each package by itself, so that what Vite keeps beside them is the copy's own.
    mkdirSync(join(copy, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!name.startsWith('.'))
        symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
    }
    // Tests of the project ask git for its files.
    execFileSync('git', ['init', '--quiet'], { cwd: copy });
    for (const { files, lines } of FIXTURES) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(copy, file)), { recursive: true });
        writeFileSync(join(copy, file), text);
      }
      for (const [file, edits] of Object.entries(lines)) {
        let text = readFileSync(join(copy, file), 'utf8');
        for (const edit of edits) {
          const parts = text.split(edit.after);
          if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${edit.after}`);
          text = parts.join(`${edit.after}${edit.text}`);
        }
        writeFileSync(join(copy, file), text);
      }
    }
  });

  it('has its migration from the generator, in which everything new is and nothing is lost', async () => {
    const first = await said('drizzle-kit/bin.cjs', 'generate');
    expect(first).toMatchObject({ isContent: true });
    const made = filesOf(copy).filter((file) => !before.has(file) && file.startsWith('db/migrations/'));
    expect(
      made.filter((file) => !/^db\/migrations\/(\d{4}_\w+\.sql|meta\/\d{4}_snapshot\.json)$/.test(file)),
    ).toEqual([]);
    const sql = made
      .filter((file) => file.endsWith('.sql'))
      .map((file) => readFileSync(join(copy, file), 'utf8'));
    expect(sql).toHaveLength(1);
    for (const added of ["'reflection'", "'echo'", '"prerequisites"', '"credits"']) {
      expect(sql[0]).toContain(added);
    }
    // The check of a list is made anew with the new value.
    const checks = [...sql[0]!.matchAll(/DROP CONSTRAINT ("\w+_value")/g)].map((match) => match[1]!);
    for (const check of checks) expect(sql[0]).toContain(`ADD CONSTRAINT ${check} CHECK`);
    expect(sql[0]!.match(/\bDROP\b/g) ?? []).toHaveLength(checks.length);
    expect((await said('drizzle-kit/bin.cjs', 'generate')).output).toContain('No schema changes');
  });

  it('compiles', async () => {
    // Without the types of pages and content the compiler knows less than it has to.
    const sync = await said('astro/bin/astro.mjs', 'sync');
    expect(sync.isContent, sync.output).toBe(true);
    const compiled = await said('typescript/bin/tsc', '--noEmit', ...['--pretty', 'false']);
    // What stands below a finding in spaces goes into its parts.
    expect(compiled.output.split('\n').filter((line) => /^\S/.test(line))).toEqual([]);
    expect(compiled.isContent).toBe(true);
  });

  it('passes the tests that need no database', async () => {
    const rooms = ['features/lessons', 'features/authoring', 'features/practice', 'features/learn', 'shared'];
    const tests = ['tests/architecture.test.ts', ...rooms.map((room) => `src/${room}/`)];
    const { isContent, output } = await said(
      'vitest/vitest.mjs',
      ...['run', '--config', 'tests/vitest.config.ts', '--project', 'unit', '--project', 'architecture'],
      ...tests,
    );
    expect(isContent, output).toBe(true);
  });
});

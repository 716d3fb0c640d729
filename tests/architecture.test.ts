import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';
import { lessons } from '#db/schema/catalogue.ts';
import { LESSON_TYPES } from '#src/features/lessons/registry.ts';
import { importsOf, linterRules, refusal, targetOf } from '../walls/layers.ts';
import { PAGES } from './support/routes.ts';
import { guardClientImports } from '../vite-plugins/server-modules.ts';

const root = resolve(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(src|db)\/.*\.(ts|tsx|astro|mjs)$/.test(file) && existsSync(resolve(root, file)));
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** Imports that the layers forbid, each made on purpose; every guard must refuse every one it can see. */
const BAD_IMPORTS = [
  ['src/shared/bad.ts', '#src/server/start/env.ts'],
  ['src/shared/bad.ts', '#db/client.ts'],
  ['src/server/bad.ts', '#src/features/store/cart/cart.server.ts'],
  ['src/components/Bad.tsx', '#src/features/store/cart/cart.ts'],
  ['src/components/Bad.tsx', '#src/server/log.ts'],
  ['src/pages/bad.astro', '#db/client.ts'],
  ['src/pages/api/bad.ts', '#db/schema/store.ts'],
  ['src/features/account/bad.server.ts', '#src/features/store/cart/cart.server.ts'],
  ['src/features/store/bad.server.ts', '#src/features/learn/progress/completion.server.ts'],
  ['src/features/lessons/bad.server.ts', '#src/features/learn/progress/completion.server.ts'],
  ['src/features/lessons/types/quiz/bad.ts', '#src/features/catalogue/catalogue.ts'],
  ['src/features/lessons/types/quiz/EditorPart.tsx', '#src/features/admin/people/people.ts'],
  ['src/features/learn/bad.server.ts', '#src/features/lessons/types/quiz/check.server.ts'],
  ['src/features/learn/bad.server.ts', '#src/features/review/review.server.ts'],
  ['src/features/review/due/bad.server.ts', '#src/features/practice/practice.server.ts'],
  ['src/features/store/bad.server.ts', '#src/features/review/due/due.server.ts'],
  ['src/features/catalogue/Bad.tsx', '#src/features/lessons/types/quiz/EditorPart.tsx'],
  ['src/features/store/Bad.tsx', '#src/features/store/cart/cart.server.ts'],
  ['src/features/store/Bad.tsx', '#db/client.ts'],
  ['src/features/store/bad.server.ts', '#src/payment-sandbox/server.ts'],
  ['src/judge/bad.ts', '#src/shared/errors.ts'],
  ['src/payment-sandbox/bad.ts', '#src/server/log.ts'],
  ['db/bad.ts', '#src/shared/money.ts'],
] as const;

describe('the layers', () => {
  it('import only what they may', () => {
    const violations = files.flatMap((file) =>
      importsOf(read(file)).flatMap((specifier) => {
        const target = targetOf(specifier, file);
        const reason = target && refusal(file, target);
        return reason ? [`${file} imports ${specifier}: ${reason}`] : [];
      }),
    );
    expect(violations).toEqual([]);
  });

  it.each(BAD_IMPORTS)('would refuse %s importing %s', (importer, specifier) => {
    expect(refusal(importer, targetOf(specifier, importer)!)).not.toBeNull();
  });

  it('lead no file back to itself', () => {
    const known = new Set(files);
    const imports = new Map(
      files.map((file) => [
        file,
        importsOf(read(file)).flatMap((specifier) => {
          const target = targetOf(specifier, file);
          return target && target !== file && known.has(target) ? [target] : [];
        }),
      ]),
    );
    // What imports nothing that is left is in no circle; what stays in the end is, or leads to one.
    for (let before = -1; before !== imports.size; ) {
      before = imports.size;
      for (const [file, targets] of imports) {
        if (!targets.some((target) => imports.has(target))) imports.delete(file);
      }
    }
    expect([...imports.keys()]).toEqual([]);
  });

  it('reach every file they name', () => {
    // Tests hold programs of learners in their texts, whose imports are no imports.
    const broken = files
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .flatMap((file) =>
        importsOf(read(file)).flatMap((specifier) => {
          const target = targetOf(specifier, file);
          return target && /\.(ts|tsx|astro|css|yaml)$/.test(target) && !existsSync(resolve(root, target))
            ? [`${file} imports ${specifier}`]
            : [];
        }),
      );
    expect(broken).toEqual([]);
  });
});

describe('the linter', () => {
  // Biome reads its rules from the folder it checks, so the bad files live in a folder of their own.
  const folder = mkdtempSync(join(tmpdir(), 'academy-lint-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const bad = BAD_IMPORTS.map(([importer, specifier], index) => {
    // A part of a lesson type is known by its name.
    const file = importer.includes('/types/')
      ? importer.replace('/types/', `/types/${index}-`)
      : join(dirname(importer), `${index}-${basename(importer)}`);
    const statement = `import * as bad from '${specifier}';\n`;
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(
      join(folder, file),
      file.endsWith('.astro')
        ? `---\n${statement}---\n<p>{String(bad)}</p>\n`
        : `${statement}\nexport const used = bad;\n`,
    );
    return { file, specifier };
  });
  for (const name of ['biome.jsonc', 'walls/linter.json']) cpSync(resolve(root, name), join(folder, name));
  const run = spawnSync(
    process.execPath,
    [
      resolve(root, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      '--vcs-enabled=false',
      '--max-diagnostics=200',
      '.',
    ],
    { cwd: folder, encoding: 'utf8' },
  );

  it('has the rules of the table (npm run walls)', () => {
    expect(JSON.parse(read('walls/linter.json'))).toEqual(linterRules());
  });

  it.each(bad)('refuses $file importing $specifier', ({ file }) => {
    const findings = (run.stdout + run.stderr)
      .split('\n')
      .filter((text) => text.includes('noRestrictedImports'));
    expect(findings.some((text) => text.includes(file))).toBe(true);
    expect(run.status).not.toBe(0);
  });
});

describe('the bundler', () => {
  const bundle = (specifier: string) => {
    const entry: Plugin = {
      name: 'entry',
      resolveId: (id) => (id === 'virtual:entry' ? resolve(root, 'src/features/store/entry.tsx') : null),
      load: (id) =>
        id.endsWith('src/features/store/entry.tsx')
          ? `import * as x from '${specifier}'; console.log(x);`
          : null,
    };
    return build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [entry, guardClientImports()],
      build: { write: false, rollupOptions: { input: 'virtual:entry' } },
    });
  };

  it.each([
    '#src/server/start/env.ts',
    '#db/client.ts',
    './cart.server.ts',
    '#src/payment-sandbox/server.ts',
  ])('fails when code for the browser imports %s', async (specifier) => {
    await expect(bundle(specifier)).rejects.toThrow('Browser code must not import server code');
  });

  it('lets code for the browser import what is shared', async () => {
    await expect(bundle('#src/shared/money.ts')).resolves.toBeDefined();
  });
});

describe('the public stylesheet', () => {
  // The public pages' stylesheet leaves out what visitors never see; a page that shows it needs the other one.
  const leftOut = [...read('src/styles/site.css').matchAll(/@source not "\.\.\/([^"]+)"/g)].map(
    (match) => `src/${match[1]}`,
  );
  const reached = (file: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(file) || !existsSync(resolve(root, file))) return seen;
    seen.add(file);
    if (/\.(astro|tsx)$/.test(file)) {
      for (const specifier of importsOf(read(file))) {
        const target = targetOf(specifier, file);
        if (target) reached(target, seen);
      }
    }
    return seen;
  };
  const hidden = (file: string) => leftOut.some((place) => file === place || file.startsWith(`${place}/`));
  const pages = files
    .filter((file) => /^src\/pages\/.*\.astro$/.test(file))
    .map((file) => ({ file, parts: [...reached(file)] }))
    .filter(({ parts }) => parts.includes('src/layouts/Site.astro') && !parts.includes('src/styles/app.css'));

  it('leaves out only what no public page shows', () => {
    expect(leftOut.length).toBeGreaterThan(5);
    expect(pages.length).toBeGreaterThan(5);
    const unstyled = pages.flatMap(({ file, parts }) =>
      parts
        .filter((part) => /\.(astro|tsx)$/.test(part) && hidden(part))
        .map((part) => `${file} shows ${part}`),
    );
    expect(unstyled).toEqual([]);
  });
});

describe('the store', () => {
  it('goes by isActive alone, never by what is proven (decision 54)', () => {
    const asking = files.filter(
      (file) =>
        /^src\/(features|pages)\//.test(file) &&
        !/^src\/features\/(admin|authoring|lessons)\//.test(file) &&
        /\bproven_revision\b|\bprovenRevision\b/.test(read(file)),
    );
    // What administrators are told of a course.
    expect(asking).toEqual(['src/features/catalogue/unproven.server.ts']);
  });
});

describe('the lessons', () => {
  it('are written in one place', () => {
    const writes =
      /\b(?:insert|update|delete)\(\s*(?:lessons|quizQuestions|scenarios)\s*\)|\b(?:insert into|update|delete from) (?:\$\{)?(?:lessons|quiz_questions|quizQuestions|scenarios)\b/;
    expect(writes.test('tx.update(lessons)')).toBe(true);
    expect(writes.test('insert into quiz_questions')).toBe(true);
    const writers = files.filter((file) => !/\.test\.tsx?$/.test(file) && writes.test(read(file)));
    expect(writers.toSorted()).toEqual([
      'src/features/lessons/lesson-store.server.ts',
      // Copies of lessons as they are, row by row.
      'src/features/lessons/working-copy.server.ts',
    ]);
  });

  it('are told apart by their definitions, not by the names of their types', () => {
    const naming = files.filter(
      (file) => !/\.test\.tsx?$/.test(file) && read(file).includes('interactive_coding'),
    );
    expect(naming).toEqual(['db/schema/catalogue.ts', 'src/features/lessons/types/coding/definition.ts']);
  });

  it('are of the types that the database knows', () => {
    expect(LESSON_TYPES.toSorted()).toEqual(lessons.type.enumValues.toSorted());
  });
});

describe('the calls', () => {
  it('each have the endpoint file that their contract names', async () => {
    const missing: string[] = [];
    let count = 0;
    for (const file of files.filter((name) => /^src\/features\/.*\bschema\.ts$/.test(name))) {
      const exports = (await import(/* @vite-ignore */ resolve(root, file))) as Record<string, unknown>;
      for (const value of Object.values(exports)) {
        if (!isContract(value)) continue;
        count += 1;
        const base = `src/pages${value.path.replace(/\{\w+\}/g, '[*]')}`;
        const found = files.find((name) => {
          const plain = name.replace(/\[\w+\]/g, '[*]');
          return plain === `${base}.ts` || plain === `${base}/index.ts`;
        });
        if (!found || !new RegExp(`export const ${value.method}\\b`).test(read(found))) {
          missing.push(`${value.method} ${value.path}`);
        }
      }
    }
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });
});

function isContract(value: unknown): value is { method: string; path: string } {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'output' in value
  );
}

describe('the pages', () => {
  it('are in the table of whom they open for, and nothing else is', () => {
    const pages = files
      .flatMap((file) => /^src\/pages(\/.*)\.astro$/.exec(file)?.[1] ?? [])
      .map((page) => page.replace(/(.)\/index$/, '$1').replace(/^\/index$/, '/'));
    expect(pages.toSorted()).toEqual(Object.keys(PAGES).toSorted());
  });
});

describe('the files', () => {
  it('have names that tell their content', () => {
    const banned = files.filter((file) => {
      const name = file.split('/').at(-1)!;
      if (/^src\/pages\//.test(file)) return false;
      return /^(utils?|helpers?|misc|common|index)\.(ts|tsx)$/.test(name);
    });
    expect(banned).toEqual([]);
  });

  it('import no .tsx into a .ts, which Node would have to run and cannot', () => {
    // Types are gone before a file runs.
    const values =
      /^(?!import type\b|export type\b)(?:import|export)\b[^;]*?['"][^'"\n]+\.tsx['"]|\bimport\(\s*['"][^'"\n]+\.tsx['"]/gm;
    const valuesOf = (source: string) => source.match(values) ?? [];
    expect(valuesOf("import { Card } from './Card.tsx';")).toHaveLength(1);
    expect(valuesOf("const Card = await import('./Card.tsx');")).toHaveLength(1);
    expect(valuesOf("import type { Props } from './Card.tsx';")).toEqual([]);
    const wrong = files
      .filter((file) => /\.ts$/.test(file))
      .flatMap((file) => valuesOf(read(file)).map((statement) => `${file}: ${statement}`));
    expect(wrong).toEqual([]);
  });

  it('use Lucia in one place', () => {
    const users = files.filter((file) => importsOf(read(file)).includes('lucia'));
    expect(users).toEqual(['src/features/account/session.server.ts']);
  });
});

describe('components', () => {
  it('write no ref while they are drawn, because a drawing may be thrown away', () => {
    // The formatter indents the statements of a component itself by two spaces.
    const written = files
      .filter((file) => /\.tsx$|\/use-[^/]*\.ts$/.test(file))
      .flatMap((file) =>
        (read(file).match(/^ {2}(?:if \(.*\) )?\w+\.current = .*$/gm) ?? []).map((line) => `${file}:${line}`),
      );
    expect(written).toEqual([]);
  });
});

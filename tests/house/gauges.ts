import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { ADMIN_ENTRIES } from '#src/features/admin/shell/navigation.ts';
import { MAIL_KINDS } from '#src/server/mail/mail-kinds.ts';
import { importsOf, targetOf } from '../../walls/layers.ts';

// What the house is measured by. `limits.ts` has how much of each may be; a test holds it, `npm run house` prints it.

const root = resolve(import.meta.dirname, '../..');
const files = ['src', 'db', 'scripts', 'tests/integration']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  )
  .filter((file) => !/^db\/(migrations|seed\/courses)\//.test(file));
const sources = new Map<string, string>();
export const read = (file: string): string => {
  const known = sources.get(file) ?? readFileSync(join(root, file), 'utf8');
  sources.set(file, known);
  return known;
};
/** The files that the product is made of. */
export const product = files.filter(
  (file) => /^(src|db)\//.test(file) && /\.(tsx?|astro|css|js|py)$/.test(file) && !/\.test\.tsx?$/.test(file),
);
const linesOf = (text: string) => text.split('\n').length - 1;
const frontmatterOf = (file: string) => /^---\n([\s\S]*?)\n---$/m.exec(read(file))?.[1] ?? '';

/** A measure: what is measured, and how much there is of it. */
export type Measure = Map<string, number>;

/** Files side by side in a folder; pages are routes, and the design system is one drawer. */
function filesOfFolders(): Measure {
  const counts: Measure = new Map();
  for (const file of files) {
    if (/^src\/(pages|components)\//.test(file)) continue;
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  return counts;
}

type Function = { name: string; lines: number; states: number; isComponent: boolean };

/** The functions of a file with their lines; components with the states that they have themselves. */
function functionsOf(file: string): Function[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found: Function[] = [];
  const visit = (node: ts.Node, around: Function | null): void => {
    let inside = around;
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const named = ts.isVariableDeclaration(node.parent) ? node.parent.name : node.name;
      const name = named?.getText(source) ?? '(unnamed)';
      const isComponent = file.endsWith('.tsx') && /^[A-Z]/.test(name);
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      const one = { name, lines, states: 0, isComponent };
      found.push(one);
      if (isComponent) inside = one;
    }
    if (inside && ts.isCallExpression(node) && node.expression.getText(source) === 'useState')
      inside.states += 1;
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, null);
  return found;
}

const code = files.filter((file) => /\.(tsx?|js)$/.test(file) && !/\.test\.tsx?$/.test(file));
const functions = code.flatMap((file) => functionsOf(file).map((one) => ({ ...one, file })));
/** The largest of each name in a file. */
function largest(found: readonly (Function & { file: string })[], value: (one: Function) => number): Measure {
  const measure: Measure = new Map();
  for (const one of found) {
    const name = `${one.file} ${one.name}`;
    measure.set(name, Math.max(measure.get(name) ?? 0, value(one)));
  }
  return measure;
}

const templates = product.filter((file) => file.endsWith('.astro'));
const pages = templates.filter((file) => file.startsWith('src/pages/'));

/** Every gauge by what it measures. */
export const GAUGES = {
  'files in a folder': filesOfFolders,
  'lines of a service': () =>
    new Map(
      product
        .filter((file) => file.endsWith('.server.ts'))
        .map((file) => [file, linesOf(read(file))] as const),
    ),
  'lines of a function': () =>
    largest(
      functions.filter(({ isComponent }) => !isComponent),
      ({ lines }) => lines,
    ),
  'lines of a component': () =>
    largest(
      functions.filter(({ isComponent }) => isComponent),
      ({ lines }) => lines,
    ),
  'states of a component': () =>
    largest(
      functions.filter(({ isComponent }) => isComponent),
      ({ states }) => states,
    ),
  'imports of a page': () =>
    new Map(pages.map((file) => [file, [...frontmatterOf(file).matchAll(/^import /gm)].length])),
  'lines of logic of a page': () =>
    new Map(
      pages.map((file) => {
        const logic = frontmatterOf(file).replace(/^import [\s\S]*?;$/gm, '');
        return [
          file,
          logic.split('\n').filter((line) => /\S/.test(line) && !/^\s*(\/\/|\/?\*)/.test(line)).length,
        ];
      }),
    ),
  'template lines over 140 characters': () =>
    new Map([
      [
        'all templates',
        templates.reduce(
          (sum, file) =>
            sum +
            read(file)
              .split('\n')
              .filter((line) => line.length > 140).length,
          0,
        ),
      ],
    ]),
  /** Which enrollment gives access is said in `catalogue/access.server.ts` alone. */
  'raw rules of access': () =>
    new Map(
      product
        .filter((file) => file.endsWith('.server.ts') && file !== 'src/features/catalogue/access.server.ts')
        .map(
          (file) => [file, [...read(file).matchAll(/(?<!\bset )\bstatus\}? = 'active'/g)].length] as const,
        ),
    ),
  /** What a lesson is knows nothing of the rooms that use it. */
  'imports of lessons from the rooms above': () =>
    new Map(
      product
        .filter((file) => file.startsWith('src/features/lessons/'))
        .map((file) => {
          const targets = importsOf(read(file)).map((one) => targetOf(one, file) ?? '');
          const above = targets.filter((to) => /^src\/features\/(?!lessons\/)/.test(to));
          return [file, above.length] as const;
        }),
    ),
} satisfies Record<string, () => Measure>;
export type Gauge = keyof typeof GAUGES;

/** Files with text that somebody wrote, below a folder. */
const written = (folder: string, kinds: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kinds.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

/** Characters that are not blank, so that formatting neither helps nor hurts. */
const charactersOf = (list: readonly string[]): number =>
  list.reduce((sum, file) => sum + read(file).replace(/\s/g, '').length, 0);

const CODE = /\.(tsx?|astro|css|js|py)$/;
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
/** What the mass of the product is: its code without tests, migrations and what the demo is made of. */
const weighed = ['src', 'db', 'scripts']
  .flatMap((folder) => written(folder, CODE))
  .filter((file) => !isTest(file) && !/^db\/(migrations|seed)/.test(file));
const roomOf = (file: string): string =>
  /^src\/features\/[^/]+|^src\/[^/]+(?=\/)|^[^/]+/.exec(file)?.[0] ?? file;
const comments = (file: string): string =>
  read(file)
    .split('\n')
    .filter((line) => /^\s*(\/\/|\/?\*|\{\/\*|<!--)/.test(line))
    .join('');

/**
 * How much of the product there is, by what is counted: characters without blanks, per cent of comments, packages,
 * tables and kinds of mail. `limits.ts` has how much there may be.
 */
export function mass(): Map<string, number> {
  const rooms = new Map<string, string[]>();
  for (const file of weighed) rooms.set(roomOf(file), [...(rooms.get(roomOf(file)) ?? []), file]);
  const product = charactersOf(weighed);
  const commented = weighed.reduce((sum, file) => sum + comments(file).replace(/\s/g, '').length, 0);
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  return new Map([
    ['product', product],
    ['tests', charactersOf(written('tests', CODE))],
    [
      'unit tests beside the product',
      charactersOf(['src', 'db', 'scripts'].flatMap((folder) => written(folder, CODE)).filter(isTest)),
    ],
    ['docs', charactersOf(written('docs', /\.md$/))],
    ['per cent of comments', Math.round((1_000 * commented) / product) / 10],
    ['packages', Object.keys(dependencies).length],
    [
      'tables',
      written('db/schema', CODE).reduce((sum, file) => sum + read(file).split('pgTable(').length - 1, 0),
    ],
    ['kinds of mail', Object.keys(MAIL_KINDS).length],
    ['entries of the administration', ADMIN_ENTRIES.length],
    [
      'entries of the account menu',
      read('src/layouts/AccountMenu.astro').split('<a role="menuitem"').length - 1,
    ],
    ...[...rooms]
      .map(([room, list]) => [room, charactersOf(list)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

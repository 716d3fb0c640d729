import { posix } from 'node:path';

/**
 * Who may import whom: the one table. The architecture test reads it, the linter's rules are made from it
 * (`npm run walls`), and the bundler's guard asks it which files are for the server alone.
 */

/** The features from the most dependent to the least, each with those that it may import. */
const FEATURES: Record<string, readonly string[]> = {
  admin: [
    'organisations',
    'authoring',
    'scenario',
    'review',
    'practice',
    'learn',
    'store',
    'catalogue',
    'lessons',
    'account',
    'company',
  ],
  authoring: ['scenario', 'practice', 'learn', 'store', 'catalogue', 'lessons', 'account'],
  organisations: ['store', 'catalogue', 'account'],
  review: ['practice', 'learn', 'store', 'catalogue', 'lessons', 'account'],
  scenario: ['learn', 'store', 'catalogue', 'lessons', 'account'],
  practice: ['learn', 'store', 'catalogue', 'lessons', 'account'],
  learn: ['store', 'catalogue', 'lessons', 'account'],
  store: ['catalogue', 'account'],
  catalogue: ['lessons', 'account'],
  lessons: [],
  account: [],
  company: [],
};

/**
 * Files in the folder of one feature that are part of another: they may import what that one may, and features below it may
 * not import them. A type of lesson has its editor and player beside it; the learner's side counts and starts reviews.
 */
const PARTS: Record<string, string> = {
  'src/features/lessons/types/**/*EditorPart.tsx': 'authoring',
  'src/features/lessons/types/**/*archive.server.ts': 'authoring',
  'src/features/lessons/types/**/*PlayerPart.tsx': 'learn',
  'src/features/lessons/types/**/*opened.server.ts': 'learn',
  'src/features/lessons/types/**/*check.server.ts': 'authoring',
  'src/features/review/due/**': 'learn',
};

/** The layers, each with those that it may import beside itself. */
const LAYERS: Record<string, readonly string[]> = {
  db: [],
  shared: [],
  server: ['shared', 'db'],
  components: ['shared', 'styles'],
  features: ['server', 'shared', 'db', 'components', 'styles'],
  layouts: ['features', 'server', 'shared', 'components', 'styles', 'content'],
  pages: ['layouts', 'features', 'server', 'shared', 'components', 'styles', 'content'],
  judge: [],
  'payment-sandbox': ['shared'],
  styles: [],
  content: [],
};

/** What of a feature's layers its server files may import, and what all its other files may. */
const SERVER_SIDE = ['server', 'shared', 'db'];
const BOTH_SIDES = ['shared', 'components', 'styles'];

/** The one door to the judge; the processes behind it know nothing of the site. */
const JUDGE_DOOR = 'src/judge/client.ts';
/** What programs find around them, as a text: editors tell it to learners. */
const JUDGE_TEXT = 'src/judge/languages/typescript/globals.ts';

type Place = { layer: string; feature?: string; isServer: boolean };

function place(path: string): Place {
  const isServer = isServerOnly(path);
  const part = Object.keys(PARTS).find((pattern) => posix.matchesGlob(path, pattern));
  const feature = part ? PARTS[part] : /^src\/features\/([^/]+)\//.exec(path)?.[1];
  if (feature) return { layer: 'features', feature, isServer };
  if (path === 'src/middleware.ts') return { layer: 'pages', isServer };
  const layer = /^(?:src\/)?([^/]+)\//.exec(path)?.[1] ?? '';
  if (layer in LAYERS) return { layer, isServer };
  return { layer: 'start', isServer };
}

/**
 * Whether a file must never reach a browser: services, server machinery, the database, stand-alone programs.
 *
 * @param path from the project's root
 */
export function isServerOnly(path: string): boolean {
  if (path === JUDGE_TEXT) return false;
  return /\.server\.ts$/.test(path) || /^(db|src\/server|src\/judge|src\/payment-sandbox)\//.test(path);
}

/** Every module specifier that a file imports, types included. */
export function importsOf(source: string): string[] {
  const found = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]/g);
  return [...found].map((match) => match[1]!);
}

/** The project path that a specifier names, or null for packages. */
export function targetOf(specifier: string, importer: string): string | null {
  const path = specifier.split('?')[0]!;
  if (path.startsWith('#src/')) return `src/${path.slice(5)}`;
  if (path.startsWith('#db/')) return `db/${path.slice(4)}`;
  if (path.startsWith('.')) return posix.normalize(posix.join(posix.dirname(importer), path));
  return null;
}

/** Why `importer` must not import `target`, or null where it may. Both are paths from the project's root. */
export function refusal(importer: string, target: string): string | null {
  const from = place(importer);
  const to = place(target);
  if (from.layer === 'start' || /\.test\.tsx?$/.test(importer)) return null;
  if (from.layer !== 'features') {
    return to.layer === from.layer || LAYERS[from.layer]!.includes(to.layer)
      ? null
      : `${from.layer} may not import ${to.layer}`;
  }
  if (to.layer === 'features') {
    if (to.feature !== from.feature && !FEATURES[from.feature!]?.includes(to.feature!)) {
      return `the feature ${from.feature} may not import the feature ${to.feature}`;
    }
    return to.isServer && !from.isServer
      ? 'a file that may run in the browser may not import server code'
      : null;
  }
  if (from.isServer) {
    return SERVER_SIDE.includes(to.layer) || target === JUDGE_DOOR
      ? null
      : `a feature's server file may not import ${to.layer}`;
  }
  if (to.isServer) return 'a file that may run in the browser may not import server code';
  return BOTH_SIDES.includes(to.layer) || target === JUDGE_TEXT
    ? null
    : `a feature may not import ${to.layer}`;
}

/** Where the files of a feature lie beside its folder. */
const partsOf = (features: readonly string[]) =>
  Object.keys(PARTS).filter((part) => features.includes(PARTS[part]!));

/** The pattern of all imports of a layer. */
const allOf = (layer: string) => (layer === 'db' ? '#db/**' : `#src/${layer}/**`);

function rule(includes: string[], group: string[], message: string) {
  const options = { patterns: [{ group, message }] };
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } },
  };
}

/** The same table as settings of the linter, which sees the files of pages too. */
export function linterRules() {
  const besides = (allowed: readonly string[]) =>
    Object.keys(LAYERS)
      .filter((layer) => !allowed.includes(layer))
      .map(allOf);
  const layers = Object.entries(LAYERS)
    .filter(([layer]) => layer !== 'features' && layer !== 'styles' && layer !== 'content')
    .map(([layer, others]) => {
      const own = layer === 'db' ? 'db/**' : `src/${layer}/**`;
      const includes = layer === 'pages' ? [own, 'src/middleware.ts'] : [own];
      const allowed = [layer, ...others];
      const list = others.length > 0 ? `${others.join(', ')} and its own files` : 'its own files alone';
      return rule([...includes, '!**/*.test.ts'], besides(allowed), `${layer} may import ${list}.`);
    });
  const features = Object.entries(FEATURES).flatMap(([feature, others]) => {
    const unknown = Object.keys(FEATURES).filter((other) => other !== feature && !others.includes(other));
    const strangers = [
      ...unknown.map((other) => `#src/features/${other}/**`),
      ...partsOf(unknown).map((part) => `#${part}`),
      ...partsOf([feature, ...others]).map((part) => `!#${part}`),
    ];
    const parts = partsOf([feature]);
    const elsewhere = Object.keys(PARTS)
      .filter((part) => part.startsWith(`src/features/${feature}/`))
      .map((part) => `!${part}`);
    const order = others.length > 0 ? `the features ${others.join(', ')}` : 'no other feature';
    return [
      rule(
        [
          `src/features/${feature}/**/*.server.ts`,
          ...parts
            .map((part) => part.replace(/\*\*$/, '**/*.server.ts'))
            .filter((part) => part.endsWith('.server.ts')),
          ...elsewhere,
        ],
        [...strangers, ...besides(['features', ...SERVER_SIDE]), `!#${JUDGE_DOOR}`],
        `A server file of ${feature} may import ${order}, ${SERVER_SIDE.join(', ')}.`,
      ),
      rule(
        [`src/features/${feature}/**`, ...parts, '!**/*.server.ts', '!**/*.test.ts', ...elsewhere],
        [
          ...strangers,
          ...besides(['features', ...BOTH_SIDES]),
          `!#${JUDGE_TEXT}`,
          '#src/features/**/*.server.ts',
        ],
        `A file of ${feature} that may run in the browser may import ${order}, ${BOTH_SIDES.join(', ')}; no server files.`,
      ),
    ];
  });
  return { overrides: [...layers, ...features] };
}

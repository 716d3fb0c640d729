import { posix } from 'node:path';

/** The features from the most dependent to the least: each may import those to its right (architecture 3). */
const FEATURE_CHAINS = [
  ['admin', 'scenario', 'learn', 'store', 'catalogue', 'account'],
  ['admin', 'practice', 'learn', 'store', 'catalogue', 'account'],
  ['admin', 'company'],
];

type Place = { layer: string; feature?: string; isServer: boolean };

function place(path: string): Place {
  const isServer = /\.server\.ts$/.test(path) || /^(db|src\/server)\//.test(path);
  const feature = /^src\/features\/([^/]+)\//.exec(path)?.[1];
  if (feature) return { layer: 'features', feature, isServer };
  const folder = /^src\/(shared|server|components|layouts|pages|content|styles|judge|payment-sandbox)\//.exec(
    path,
  )?.[1];
  if (folder) return { layer: folder, isServer };
  if (path.startsWith('db/')) return { layer: 'db', isServer };
  if (path.startsWith('src/')) return { layer: path === 'src/middleware.ts' ? 'pages' : 'start', isServer };
  return { layer: 'outside', isServer };
}

const MAY_IMPORT: Record<string, string[]> = {
  db: ['db'],
  shared: ['shared'],
  server: ['server', 'shared', 'db'],
  components: ['components', 'shared', 'styles'],
  layouts: ['layouts', 'features', 'server', 'shared', 'components', 'styles', 'content'],
  pages: ['pages', 'layouts', 'features', 'server', 'shared', 'components', 'styles', 'content'],
  judge: ['judge'],
  'payment-sandbox': ['payment-sandbox'],
};

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

/**
 * Why `importer` must not import `target`, or null where it may. Both are paths from the project's root.
 * The rules are the table of architecture 3.
 */
export function refusal(importer: string, target: string): string | null {
  const from = place(importer);
  const to = place(target);
  if (from.layer === 'outside' || from.layer === 'start') return null;
  if (/\.test\.tsx?$/.test(importer)) return null;
  if (from.layer !== 'features') {
    const allowed = MAY_IMPORT[from.layer] ?? [];
    // The one door to the judge; the processes behind it know nothing of the site.
    return allowed.includes(to.layer) ? null : `${from.layer} may not import ${to.layer}`;
  }
  if (to.layer === 'features' && to.feature !== from.feature) {
    const inOrder = FEATURE_CHAINS.some((chain) => {
      const [a, b] = [chain.indexOf(from.feature!), chain.indexOf(to.feature!)];
      return a !== -1 && b > a;
    });
    if (!inOrder) return `the feature ${from.feature} may not import the feature ${to.feature}`;
  }
  if (from.isServer) {
    if (target === 'src/judge/client.ts') return null;
    return ['features', 'server', 'shared', 'db'].includes(to.layer)
      ? null
      : `a feature's server file may not import ${to.layer}`;
  }
  if (to.isServer) return 'a file that may run in the browser may not import server code';
  return ['features', 'shared', 'components', 'styles'].includes(to.layer)
    ? null
    : `a feature may not import ${to.layer}`;
}

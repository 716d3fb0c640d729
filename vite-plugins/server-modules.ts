import { dirname, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { isServerOnly } from '../walls/layers.ts';

const root = dirname(import.meta.dirname);
const bundledFolders = ['pages', 'layouts', 'middleware.ts', 'content.config.ts'].map((name) =>
  resolve(root, 'src', name),
);

/** The project file that an import specifier names, or null for packages and virtual modules. */
function projectFile(source: string, importer: string | undefined): string | null {
  const path = source.split('?')[0]!;
  if (path.startsWith('#src/')) return resolve(root, 'src', path.slice(5));
  if (path.startsWith('#db/')) return resolve(root, 'db', path.slice(4));
  if (path.startsWith('.') && importer) return resolve(dirname(importer.split('?')[0]!), path);
  return null;
}

/**
 * Fails the build when code for the browser imports a server-only file (see walls/layers.ts): without it the bundler
 * would ship the module, secrets and all, without a word.
 */
export function guardClientImports(): Plugin {
  return {
    name: 'guard-client-imports',
    enforce: 'pre',
    resolveId(source, importer) {
      if (this.environment?.name !== 'client') return null;
      const file = projectFile(source, importer);
      if (file && isServerOnly(relative(root, file).split(sep).join('/'))) {
        this.error(`Browser code must not import server code: ${importer} imports ${source}`);
      }
      return null;
    },
  };
}

/**
 * Leaves the project's own plain TypeScript modules out of the server bundle, so that Node loads them from source
 * and the process that starts the site shares one copy of each (one connection pool, one AppError class).
 */
export function oneServerModuleGraph(): Plugin {
  return {
    name: 'one-server-module-graph',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (this.environment?.name === 'client' || !/\.ts$/.test(source)) return null;
      const file = projectFile(source, importer);
      if (!file || bundledFolders.some((folder) => file.startsWith(folder))) return null;
      for (const [prefix, folder] of [
        ['#src/', 'src'],
        ['#db/', 'db'],
      ] as const) {
        const base = resolve(root, folder) + sep;
        if (file.startsWith(base)) {
          return { id: prefix + file.slice(base.length).split(sep).join('/'), external: true };
        }
      }
      return null;
    },
  };
}

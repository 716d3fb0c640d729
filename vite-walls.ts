import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const root = dirname(fileURLToPath(import.meta.url));
const bundledFolders = ['pages', 'middleware.ts', 'content.config.ts', 'client-auth.ts'].map((name) =>
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

/** True for files that must never reach a browser: services, server machinery, the database, stand-alone programs. */
export function isServerOnly(file: string): boolean {
  const path = file
    .slice(root.length + 1)
    .split(sep)
    .join('/');
  return /\.server\.ts$/.test(path) || /^(db|src\/server|src\/judge|src\/payment-sandbox)\//.test(path);
}

/**
 * Fails the build when code for the browser imports a server-only file (architecture 3): without it the bundler
 * would ship the module, secrets and all, without a word.
 */
export function guardClientImports(): Plugin {
  return {
    name: 'guard-client-imports',
    enforce: 'pre',
    resolveId(source, importer) {
      if (this.environment?.name !== 'client') return null;
      const file = projectFile(source, importer);
      if (file && isServerOnly(file)) {
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

/**
 * Keeps Astro's islands from putting a style element amid a page, where the standard allows none; the same rule is in
 * `src/styles/theme.css`.
 */
export function islandsWithoutStyle(): Plugin {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template that is looked for
  const element = '<style>${ISLAND_STYLES}</style>';
  return {
    name: 'islands-without-style',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/astro/dist/runtime/server/scripts.js')) return null;
      if (!code.includes(element)) this.error('Astro no longer writes the style element of its islands here');
      return { code: code.replace(element, ''), map: null };
    },
  };
}

/**
 * Keeps the styles of chunks that the browser loads later, such as those of the code editor. Astro counts a style sheet
 * that belongs to no page as left over and deletes it, unless a chunk names it among its assets.
 */
export function keepLazyStyles(): Plugin {
  return {
    name: 'keep-lazy-styles',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        if (this.environment?.name !== 'client') return;
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !chunk.isDynamicEntry) continue;
          for (const sheet of chunk.viteMetadata?.importedCss ?? [])
            chunk.viteMetadata?.importedAssets.add(sheet);
        }
      },
    },
  };
}

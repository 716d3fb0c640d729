import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { isServerOnly } from './layers.ts';

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

/**
 * Fails the build when code for the browser imports a server-only file (see layers.ts): without it the bundler
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

/** What `leanRendering` changes in the packages: the end of a file's path, what is looked for in it, and what replaces it. */
const LEANER: readonly { file: string; from: string | RegExp; to: string }[] = [
  {
    // The hash of an inline script for the content security policy is the same for every page.
    file: '/astro/dist/core/encryption.js',
    from: 'async function generateCspDigest(data, algorithm) {',
    to: `const knownDigests = new Map();
async function generateCspDigest(data, algorithm) {
  const known = knownDigests.get(data);
  if (known?.algorithm === algorithm) return known.digest;
  const digest = await digestOnce(data, algorithm);
  if (knownDigests.size >= 500) knownDigests.clear();
  knownDigests.set(data, { algorithm, digest });
  return digest;
}
async function digestOnce(data, algorithm) {`,
  },
  {
    // An island's id, which nobody reads, is a hash of all of its markup and properties, character by character.
    file: '/astro/dist/runtime/server/render/component.js',
    from: /shorthash\(\s*`<!--\$\{metadata\.componentExport\.value\}:\$\{metadata\.componentUrl\}-->[\s\S]*?`\s*\)/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template
    to: 'shorthash(`${metadata.componentUrl}:${attrs?.prefix}`)',
  },
  {
    // A rendered page is there as a whole: it need not go through a web stream to the HTTP server. Of a page without a
    // body the framework believes that it failed, so that only those that did not fail go without.
    file: '/astro/dist/runtime/server/render/page.js',
    from: 'return new Response(body, { ...init, headers, status, statusText });',
    to: `const whole = !streaming && status === 200 && route?.prerender === false;
    const rendered = new Response(whole ? null : body, { ...init, headers, status, statusText });
    if (!streaming) rendered[Symbol.for("site.whole-body")] = body;
    return rendered;`,
  },
  {
    // A page's module is loaded once; each import asks the loader again.
    file: '/astro/dist/core/environment/production.js',
    from: 'return await importComponentInstance();',
    to: 'return (importComponentInstance.imported ??= await importComponentInstance());',
  },
  {
    // The address of a built file is the same for every page.
    file: '/astro/dist/core/environment/production.js',
    from: 'async resolve(manifest, specifier) {',
    to: `async resolve(manifest, specifier) {
    const known = (manifest.resolved ??= new Map());
    let address = known.get(specifier);
    if (address === undefined) known.set(specifier, (address = this.addressOf(manifest, specifier)));
    return address;
  },
  addressOf(manifest, specifier) {`,
  },
  {
    // See src/server/rendering/whole-body.ts.
    file: '/astro/dist/core/app/node.js',
    from: 'if (!body) return destination.end();',
    to: `const whole = source[Symbol.for("site.whole-body")];
  if (whole !== undefined) return destination.end(whole);
  if (!body) return destination.end();`,
  },
  {
    // An icon is two components and a component for each of its lines, all of which come out the same for the same
    // properties.
    file: '/@lucide/astro/src/createLucideIcon.ts',
    from: /^import [\s\S]*render`\$\{renderComponent\(\s*\$\$result,\s*'Icon',[\s\S]*$/,
    to: `import { createComponent, render, renderSlot, spreadAttributes, unescapeHTML } from 'astro/compiler-runtime';
import buildLucideIconNode from './utils/buildLucideIconNode';
import { hasA11yProp } from './utils/hasA11yProp';
const MOST = 1000;
const markups = new Map();
function partsOf(icon, props) {
  const { color = 'currentColor', size = 24, width = size, height = size, 'stroke-width': strokeWidth = 2,
    absoluteStrokeWidth = false, nonScalingStroke = false, class: className, ...rest } = props;
  const [, attributes, lines] = buildLucideIconNode(icon, {
    color, width, height, strokeWidth, absoluteStrokeWidth, nonScalingStroke, className, hasA11yProp: hasA11yProp(rest),
  });
  const inner = lines.map(([tag, line]) => '<' + tag + spreadAttributes(line) + '></' + tag + '>').join('');
  return '<svg' + spreadAttributes({ ...attributes, ...rest }) + '>' + inner;
}
export default function createLucideIcon(iconOrName, node = [], aliases = []) {
  const icon = typeof iconOrName === 'string' ? { name: iconOrName, node, aliases } : iconOrName;
  return createComponent(
    (result, props, slots) => {
      const key = icon.name + JSON.stringify(props);
      let markup = markups.get(key);
      if (markup === undefined) {
        markup = partsOf(icon, props);
        if (markups.size >= MOST) markups.clear();
        markups.set(key, markup);
      }
      return slots?.default
        ? render\`\${unescapeHTML(markup)}\${renderSlot(result, slots.default)}</svg>\`
        : render\`\${unescapeHTML(markup + '</svg>')}\`;
    },
    undefined,
    'none',
  );
}
`,
  },
];

/**
 * Spares the packages work that they repeat for every page. Each change is found by the exact source, so that an update
 * of a package that moves it fails the build instead of undoing the change without a word.
 */
export function leanRendering(): Plugin {
  return {
    name: 'lean-rendering',
    apply: 'build',
    enforce: 'pre',
    transform(code, path) {
      const changes = LEANER.filter(({ file }) => path.split('?')[0]!.endsWith(file));
      if (changes.length === 0) return null;
      let changed = code;
      for (const { file, from, to } of changes) {
        const before = changed;
        changed = before.replace(from, () => to);
        if (changed === before) this.error(`${file} no longer has the source that is made leaner here`);
      }
      return { code: changed, map: null };
    },
  };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** From the working directory of builds and children. */
const SANDBOX = 'src/judge/languages/web/sandbox';

const STAND_INS: [filter: RegExp, file: string][] = [
  [/^(node:.*|undici|tough-cookie)$/, 'stand-ins.ts'],
  [/\/jsdom-dispatcher(\.js)?$/, 'stand-ins.ts'],
  [/^(@exodus\/bytes\/encoding\.js|html-encoding-sniffer)$/, 'stand-in-encodings.ts'],
  [/^tr46$/, 'stand-in-hostnames.ts'],
  [/\/(WebSocket|XMLHttpRequest)-impl(\.js)?$/, 'stand-in-network.ts'],
  [/\/HTMLFrameElement-impl(\.js)?$/, 'stand-in-elements.ts'],
  [/\/window\/environment(\.js)?$/, 'environment.ts'],
  [/^lesson-containers$/, 'containers.ts'],
];
const ABSENT = /^@napi-rs\/canvas$/;
const EMPTY = /\/(request-interceptor|decompress-interceptor)(\.js)?$/;

/** Must be found exactly once. */
const MEDIA_CHANGES: [before: string, after: string][] = [
  [
    'feature = aliases.get(feature) ?? feature;\n  switch',
    'feature = aliases.get(feature) ?? feature;\n  if (windowEnvironment.features.has(feature)) return value === windowEnvironment.features.get(feature);\n  switch',
  ],
  ['return type === "screen";', 'return type === windowEnvironment.mediaType;'],
];

const CONTAINER_CHANGES: [before: string, after: string][] = [
  [
    'function matchQuery(query) {\n  return values.isOmitted(query);\n}',
    `const media = require("./media.js");
const parser = require("../parse/parser.js");
const { asMedia, matchesContainer } = require("lesson-containers");
function matchQuery(query, element) {
  if (values.isOmitted(query)) return true;
  const type = resolver.getSpecifiedValue("container-type", element);
  if (type.value === "normal") return false;
  const text = asMedia(serialization.serializeComponentValue(query));
  const list = parser.parseGrammar(text, "<media-query-list>", element._globalObject);
  return matchesContainer(
    element,
    resolver.getComputedValue,
    () => media(list, element._globalObject) === true,
  );
}`,
  ],
];

const SELECTOR_CHANGES: [before: string, after: string][] = [
  [
    '    case "active-view-transition":\n      return hasActiveViewTransition(element, context);',
    `    case "hover":
    case "active":
      return isPointedAt(element, value);
    case "active-view-transition":
      return hasActiveViewTransition(element, context);`,
  ],
  [
    'const emptyNamespaces = new Map();',
    `const windowEnvironment = require("../../window/environment.js");
const { implForWrapper } = require("../../../../generated/idl/utils.js");
function isPointedAt(element, state) {
  if (!windowEnvironment.pointedAt || (state === "active" && !windowEnvironment.isPressed)) return false;
  for (let one = implForWrapper(windowEnvironment.pointedAt); one; one = one.parentNode) {
    if (one === element) return true;
  }
  return false;
}
const emptyNamespaces = new Map();`,
  ],
];

const CHANGES: [filter: RegExp, changes: [before: string, after: string][]][] = [
  [/living.css.match.media\.js$/, MEDIA_CHANGES],
  [/living.css.match.container\.js$/, CONTAINER_CHANGES],
  [/living.css.match.selector\.js$/, SELECTOR_CHANGES],
];

/**
 * jsdom has an accessor for each CSS property, a third of a sandbox's start: they are made when asked for.
 */
const DECLARATIONS =
  /idl.CSS(?:StyleProperties|MarginDescriptors|PageDescriptors|PositionTryDescriptors|FontFaceDescriptors)\.js$/;

function withoutAccessors(source: string): string {
  const names: [attribute: string, property: string][] = [];
  let text = source.replace(
    /^ {4}get ("?)([\w-]+)\1\(\) \{\n(?:(?!^ {4}\}).*\n)*? *return \$impl\.getPropertyValue\("([^"]+)"\);\n[\s\S]*?^ {4}\}\n/gm,
    (_all, _quote, attribute: string, property: string) => {
      names.push([attribute, property]);
      return '';
    },
  );
  const known = new Set(names.map(([attribute]) => attribute));
  text = text.replace(
    /^ {4}set ("?)([\w-]+)\1\(V\) \{\n[\s\S]*?^ {4}\}\n/gm,
    (all, _quote, attribute: string) => (known.has(attribute) ? '' : all),
  );
  text = text.replace(/^ {4}("?)([\w-]+)\1: \{ enumerable: true \},\n/gm, (all, _quote, attribute: string) =>
    known.has(attribute) ? '' : all,
  );
  const traps: [before: string, after: string][] = [
    [
      '  get(target, P, receiver) {\n',
      'if ($names.has(P)) return utils.implForWrapper(target).getPropertyValue($names.get(P));\n',
    ],
    [
      '  set(target, P, V, receiver) {\n',
      'if ($names.has(P)) { utils.implForWrapper(target).setProperty($names.get(P), V === null ? "" : conversions.DOMString(V), ""); return true; }\n',
    ],
    ['  has(target, P) {\n', 'if ($names.has(P)) return true;\n'],
  ];
  for (const [before, after] of traps) {
    if (text.split(before).length !== 2) return source;
    text = text.replace(before, () => before + after);
  }
  return `${text}\nconst $names = new Map(${JSON.stringify(names)});\n`;
}

function sandboxPlugin(folder: string): Plugin {
  return {
    name: 'sandbox',
    setup(build) {
      for (const [filter, file] of STAND_INS) {
        build.onResolve({ filter }, () => ({ path: join(folder, file) }));
      }
      // The same file, from inside its folder; jsdom has another of that name for CSS's env().
      build.onResolve({ filter: /^\.\/environment$/ }, ({ importer }) =>
        /living.window/.test(importer) ? { path: join(folder, 'environment.ts') } : undefined,
      );
      for (const [filter, contents] of [
        [EMPTY, 'module.exports = () => null;'],
        [ABSENT, 'throw new Error("absent");'],
      ] as const) {
        build.onResolve({ filter }, () => ({ path: contents, namespace: 'inline' }));
      }
      build.onLoad({ filter: /./, namespace: 'inline' }, ({ path }) => ({ contents: path }));
      build.onLoad({ filter: DECLARATIONS }, async ({ path }) => ({
        contents: withoutAccessors(await readFile(path, 'utf8')),
      }));
      for (const [filter, changes] of CHANGES) {
        build.onLoad({ filter }, async ({ path }) => {
          let contents = await readFile(path, 'utf8');
          for (const [before, after] of changes) {
            const pieces = contents.split(before);
            if (pieces.length !== 2) throw new Error(`jsdom has changed: ${before}`);
            contents = pieces.join(after);
          }
          return { contents };
        });
      }
    },
  };
}

export async function bundleSandbox(): Promise<string> {
  const { build } = await import('esbuild');
  const folder = join(process.cwd(), SANDBOX);
  const result = await build({
    entryPoints: [join(folder, 'sandbox.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    mainFields: ['main', 'module'],
    conditions: ['require', 'browser'],
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"development"' },
    inject: [join(folder, 'globals.ts')],
    plugins: [sandboxPlugin(folder)],
    // The text is in every snapshot; jsdom looks at some names.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    target: 'es2022',
    logLevel: 'silent',
  });
  return result.outputFiles[0]!.text;
}

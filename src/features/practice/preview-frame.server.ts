import { fileURLToPath } from 'node:url';
import { env } from '#src/server/start/env.ts';
import { LOOP_GUARD } from './preview.ts';

const LOOP_MS = 1000;

/** The frame is sandboxed into an origin of its own, twice (attribute and header). */
const FRAME_SCRIPT = `(() => {
  const tell = (message) => parent.postMessage({ preview: message }, '*');
  const report = (error) => tell({ error: String(error?.message ?? error).slice(0, 500) });
  const listen = () => {
    addEventListener('error', (event) => report(event.error ?? event.message));
    addEventListener('unhandledrejection', (event) => report(event.reason));
    document.addEventListener('click', (event) => {
      const link = event.target.closest?.('a[href]');
      if (link && !link.getAttribute('href').startsWith('#')) event.preventDefault();
    });
  };
  let since = 0;
  globalThis.${LOOP_GUARD} = () => {
    const now = performance.now();
    if (!since) {
      since = now;
      setTimeout(() => { since = 0; });
    } else if (now - since > ${LOOP_MS}) {
      throw new Error('A loop ran for more than a second and was stopped.');
    }
  };
  const showPage = (html) => {
    document.open();
    listen();
    document.write(html);
    document.close();
    tell({ shown: true });
  };
  const showReact = (script) => {
    const library = document.createElement('script');
    library.src = '/lesson-preview/react.js';
    library.onerror = () => report('React could not be loaded.');
    library.onload = () => {
      const { modules, show } = globalThis.__previewReact;
      globalThis.exports = {};
      globalThis.module = { exports: globalThis.exports };
      globalThis.require = (name) => {
        if (Object.hasOwn(modules, name)) return modules[name];
        throw new Error('There is no module "' + name + '" here.');
      };
      const program = document.createElement('script');
      program.textContent = script;
      document.body.append(program);
      const root = document.createElement('div');
      document.body.append(root);
      if (exports.element) show(root, exports.element, report);
      tell({ shown: true });
    };
    document.head.append(library);
  };
  listen();
  addEventListener('message', (event) => {
    if (event.source !== parent) return;
    const content = event.data;
    if (content.kind === 'page') showPage(content.html);
    else showReact(content.script);
  }, { once: true });
  tell({ ready: true });
})();`;

const FRAME_STYLE = 'body{margin:12px;font:16px/1.5 system-ui,sans-serif;color:#101a2e}';

export function previewFrame(): Response {
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'unsafe-inline' 'self' ${env().siteUrl}`,
    "style-src 'unsafe-inline' https:",
    'img-src data: blob: https:',
    'font-src data: https:',
    'media-src data: blob: https:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
  return new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Preview</title><style>${FRAME_STYLE}</style></head><body><script>${FRAME_SCRIPT}</script></body></html>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'public, max-age=300',
        'x-robots-tag': 'noindex',
      },
    },
  );
}

let library: Promise<string> | undefined;

async function buildLibrary(): Promise<string> {
  // Loaded when the first react lesson is previewed: other sites never pay for the bundler.
  const { build } = await import('esbuild');
  const result = await build({
    stdin: {
      contents: `
        import * as React from 'react';
        import * as jsxRuntime from 'react/jsx-runtime';
        import * as ReactDom from 'react-dom';
        import * as client from 'react-dom/client';
        const modules = { react: React, 'react/jsx-runtime': jsxRuntime, 'react-dom': ReactDom, 'react-dom/client': client };
        const show = (container, element, report) => {
          const Shown = () => element();
          client.createRoot(container, { onUncaughtError: report, onRecoverableError: report })
            .render(React.createElement(Shown));
        };
        globalThis.__previewReact = { modules, show };`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'js',
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    // Its words about a mistake are the first help that a learner gets.
    define: { 'process.env.NODE_ENV': '"development"' },
    legalComments: 'none',
    logLevel: 'silent',
    tsconfigRaw: {},
  });
  const file = result.outputFiles[0];
  if (!file) throw new Error('The library of the preview was not built.');
  return file.text;
}

/** The preview's frame cannot load modules. */
export async function previewLibrary(): Promise<Response> {
  library ??= buildLibrary().catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  return new Response(await library, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
    },
  });
}

import node from '@astrojs/node';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, fontProviders } from 'astro/config';
import { env } from './src/server/start/env.ts';
import { inlineScript } from './vite-plugins/inline-script.ts';
import { guardClientImports, oneServerModuleGraph } from './vite-plugins/server-modules.ts';
import { scriptFiles } from './vite-plugins/script-files.ts';
import { keepLazyStyles } from './vite-plugins/styles.ts';
import { unusedSchemas } from './vite-plugins/unused-schemas.ts';

const ENTRY = new URL('./src/page-server.ts', import.meta.url);

/** Adds a bench's reference. */
const siteShell = {
  name: 'site-shell',
  hooks: {
    'astro:config:setup': ({ injectRoute, updateConfig, command }) => {
      if (process.env.BENCH_PAGES) {
        injectRoute({
          pattern: '/bench/reference',
          entrypoint: './tests/bench/bare-page.astro',
          prerender: false,
        });
      }
      if (command === 'dev') {
        // A header would keep the development server's own scripts from running.
        updateConfig({ security: { csp: false } });
      }
    },
  },
};

/** The adapter for Node with an entry of our own, which gives the HTTP server in front whole answers (src/page-server.ts). */
function adapter() {
  // The policies of prerendered pages go into a file, out of which the HTTP server makes headers.
  const { hooks, ...rest } = node({ mode: 'middleware', staticHeaders: true });
  const done = ({ setAdapter, ...given }) =>
    hooks['astro:config:done']({
      ...given,
      setAdapter: (made) => setAdapter({ ...made, serverEntrypoint: ENTRY }),
    });
  return { ...rest, hooks: { ...hooks, 'astro:config:done': done } };
}

export default defineConfig({
  output: 'server',
  server: { host: env().host, port: env().port },
  adapter: adapter(),
  session: false,
  // In the build only: this name means nothing to the programs that make it, which write for people.
  logger: { entrypoint: '#src/server/astro-log.ts' },
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  // Markdown here is marketing and legal text, without code.
  markdown: { syntaxHighlight: false },
  // Styles go into the few pages that need little of them; the rest are shared files.
  build: { inlineStylesheets: 'auto' },
  security: {
    // The endpoint wrapper checks origins itself: this check knows neither JSON bodies nor bearer tokens.
    checkOrigin: false,
    // Scripts run by hash only. Styles are open because widgets and the code editor set them from script.
    // `frame-ancestors` cannot be said in a page and is a header of the HTTP server.
    csp: {
      directives: [
        "default-src 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
        "connect-src 'self'",
        "font-src 'self' data:",
        "frame-src 'self' blob:",
        "img-src 'self' data: blob: https:",
        "media-src 'self' blob: https:",
        "worker-src 'self' blob:",
        "manifest-src 'self'",
      ],
      scriptDirective: { resources: ["'self'"] },
      styleDirective: { resources: ["'self'", "'unsafe-inline'"] },
    },
  },
  integrations: [react(), siteShell],
  fonts: [
    {
      provider: fontProviders.local(),
      name: 'Instrument Sans',
      cssVariable: '--font-instrument',
      // Astro fits Arial to our font; theme.css fits what Linux has where there is none.
      fallbacks: ['Arial', 'fitted-dejavu', 'sans-serif'],
      options: {
        variants: [
          {
            src: ['./src/styles/fonts/instrument-sans-latin-wght.woff2'],
            weight: '400 700',
            style: 'normal',
            display: 'optional',
          },
        ],
      },
    },
  ],
  vite: {
    plugins: [
      inlineScript(),
      tailwindcss(),
      guardClientImports(),
      unusedSchemas(),
      oneServerModuleGraph(),
      keepLazyStyles(),
    ],
    environments: { client: { build: { rolldownOptions: { output: { codeSplitting: scriptFiles } } } } },
  },
});

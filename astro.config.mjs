import node from '@astrojs/node';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { guardClientImports, oneServerModuleGraph } from './vite-walls.ts';

export default defineConfig({
  site: process.env.SITE_URL ?? `http://localhost:${process.env.PORT ?? 4321}`,
  output: 'server',
  outDir: process.env.BUILD_DIR ?? './dist',
  adapter: node({ mode: 'middleware' }),
  session: false,
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  security: { checkOrigin: false },
  integrations: [react()],
  vite: {
    plugins: [tailwindcss(), guardClientImports(), oneServerModuleGraph()],
  },
});

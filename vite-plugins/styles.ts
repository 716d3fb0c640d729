import type { Plugin } from 'vite';

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

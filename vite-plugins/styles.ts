import type { Plugin, Rolldown } from 'vite';

/**
 * Keeps the styles of chunks that the browser loads later, such as those of the code editor, and of what these share.
 * Astro counts a style sheet that belongs to no page as left over and deletes it, unless a chunk names it among its assets.
 */
export function keepLazyStyles(): Plugin {
  return {
    name: 'keep-lazy-styles',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        if (this.environment?.name !== 'client') return;
        const seen = new Set<Rolldown.OutputChunk>();
        const keep = (chunk: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined) => {
          if (chunk?.type !== 'chunk' || seen.has(chunk)) return;
          seen.add(chunk);
          for (const sheet of chunk.viteMetadata?.importedCss ?? [])
            chunk.viteMetadata?.importedAssets.add(sheet);
          for (const name of chunk.imports) keep(bundle[name]);
        };
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && chunk.isDynamicEntry) keep(chunk);
        }
      },
    },
  };
}

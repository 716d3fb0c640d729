import type { Plugin } from 'vite';

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

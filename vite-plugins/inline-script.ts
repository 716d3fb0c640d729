import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const QUERY = '?inline-script';

/**
 * Gives `import { code, hash } from './x.ts?inline-script'`: a script as text, with all that it imports and as small
 * as it gets, for an element in the page; and the hash that a strict content security policy needs of exactly this text.
 */
export function inlineScript(): Plugin {
  return {
    name: 'inline-script',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.endsWith(QUERY) || !importer) return null;
      return resolve(dirname(importer.split('?')[0]!), source.slice(0, -QUERY.length)) + QUERY;
    },
    async load(id) {
      if (!id.endsWith(QUERY)) return null;
      const path = id.slice(0, -QUERY.length);
      const made = await build({
        configFile: false,
        envFile: false,
        logLevel: 'error',
        build: {
          write: false,
          modulePreload: false,
          rolldownOptions: { input: path, output: { format: 'iife' } },
        },
      });
      const [chunk] = [made].flat().flatMap((one) => ('output' in one ? one.output : []));
      if (chunk?.type !== 'chunk') this.error(`${path} is not a script.`);
      for (const file of chunk.moduleIds) this.addWatchFile(file);
      const code = chunk.code.trim();
      const hash = `sha256-${createHash('sha256').update(code).digest('base64')}`;
      return `export const code = ${JSON.stringify(code)};\nexport const hash = ${JSON.stringify(hash)};`;
    },
  };
}

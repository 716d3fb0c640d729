import { existsSync } from 'node:fs';
import { glob, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { alternativeText } from '#src/features/company/stories/stories.ts';
import { PROJECT_FOLDER } from '#src/server/start/env.ts';
import type { Found } from './check-content.ts';

export interface ContentSite {
  folder: string;
  hasPage: (path: string) => boolean;
}

const PAGES_OF_FILES: Record<string, string> = { '/clients/[id]': 'cases', '/insights/[id]': 'insights' };

/** The pages of the site as their files tell, those of content files as these are there. */
export async function contentSite(folder: string): Promise<ContentSite> {
  const patterns: string[] = [];
  for await (const file of glob('**/*.{astro,xml.ts}', { cwd: join(PROJECT_FOLDER, 'src/pages') })) {
    const route = `/${file.replace(/(^|\/)index\.astro$/, '').replace(/\.(astro|ts)$/, '')}`;
    const inside = PAGES_OF_FILES[route];
    if (inside === undefined) {
      patterns.push(route.replaceAll('.', '\\.').replaceAll(/\[[^\]]+\]/g, '[^/]+'));
      continue;
    }
    const names = await readdir(join(folder, 'src/content', inside)).catch(() => []);
    patterns.push(...names.map((name) => route.replace('[id]', name.replace(/\.md$/, ''))));
  }
  const pages = new RegExp(`^(${patterns.join('|')})$`);
  return { folder, hasPage: (path) => pages.test(path.replace(/[?#].*$/, '')) };
}

const markdown = new MarkdownIt();

function linkMistake(address: string, site: ContentSite): string | null {
  if (address.startsWith('/') && !address.startsWith('//'))
    return site.hasPage(address) ? null : `leads to ${address}, but the site has no such page`;
  return /^(https:\/\/|mailto:|tel:|#)/.test(address)
    ? null
    : `leads to ${address}: write /services for a page of the site, or the whole address with https://`;
}

/** `24/7` and `and/or` are no paths. */
const PATH = /(?<=^|[\s"'“(])\/[a-z][\w./-]*/giu;

/**
 * Paths in the source of one YAML value that lead to no page and no file of `public`, with where each begins in it.
 */
export function pathMistakes(source: string, site: ContentSite): { offset: number; message: string }[] {
  return [...source.matchAll(PATH)].flatMap(({ 0: found, index }) => {
    const path = found.replace(/[./]+$/, '');
    const leads = site.hasPage(path) || existsSync(join(site.folder, 'public', path));
    return leads ? [] : [{ offset: index, message: `leads to ${path}, but the site has no such page` }];
  });
}

function pictureMistake(source: string, alt: string, file: string, site: ContentSite): string | null {
  const path = join(dirname(file), decodeURIComponent(source));
  const isOurs = path.startsWith('src/content/pictures/') && existsSync(join(site.folder, path));
  if (!isOurs) return `shows ${source}, but there is no such file in src/content/pictures`;
  const result = alternativeText.safeParse(alt);
  return result.success ? null : `the words in ![…](${source}): ${result.error.issues[0]!.message}`;
}

/** Mistakes in the Markdown below the dashes: missing pictures or words for them, links that lead nowhere. */
export function bodyMistakes(text: string, file: string, site: ContentSite): Found[] {
  const lines = text.split('\n');
  const mistakes: Found[] = [];
  for (const block of markdown.parse(text, {})) {
    let line = block.map?.[0] ?? 0;
    for (const part of block.children ?? []) {
      if (part.type === 'softbreak' || part.type === 'hardbreak') line += 1;
      const given = part.attrGet('src') ?? part.attrGet('href');
      if (given === null) continue;
      const address = String(given);
      const message =
        part.type === 'image'
          ? pictureMistake(address, part.content, file, site)
          : linkMistake(address, site);
      const column = Math.max(0, lines[line]?.indexOf(`](${decodeURI(address)}`) ?? 0) + 1;
      if (message) mistakes.push({ line: line + 1, column, message });
    }
  }
  return mistakes;
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { z } from 'zod';
import { contentFiles, contentFolders } from '#src/content-files.ts';
import { parseSearchWords, SearchWordsError } from '#src/features/catalogue/search/search-words.ts';
import { ConfigurationError, PROJECT_FOLDER } from '#src/server/start/env.ts';
import { bodyMistakes, type ContentSite, contentSite, pathMistakes } from './check-content-body.ts';

const MISSPELLED_LETTERS = 3;

const REMEDIES: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'Indent with spaces; there is a tab.',
  BAD_INDENT: 'Begin this line exactly below its neighbours: two spaces for each step.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text that holds a colon in quotes: heading: "One thing: another".',
  BLOCK_IN_FLOW: 'Put a text that holds a colon in quotes, and each list entry on a line of its own.',
  DUPLICATE_KEY: 'The same name stands twice in one group. Keep one of the two lines.',
  MISSING_CHAR: 'Something that was opened is not closed: a quote, a bracket, or a name without its colon.',
  MULTILINE_IMPLICIT_KEY: 'A name needs its colon on its own line; a longer text needs quotes around it.',
  BAD_SCALAR_START: 'Put this text in quotes: it begins with a sign that means something else here.',
  BAD_ALIAS: 'Put a text that begins with * or & in quotes.',
  UNEXPECTED_TOKEN: 'Put this text in quotes, or line it up with the lines around it.',
};

const FRONT_MATTER = /^(\uFEFF?\s*---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*$/m;

export type Found = { line: number; column: number; message: string };

function mistakesIn(text: string, schema: z.ZodType, site: ContentSite): Found[] {
  const lines = new LineCounter();
  // Markdown's reader turns dates into dates; both kinds of file must quote a date that is text.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    customTags: ['timestamp'],
  });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  // One mistake in the writing makes others after it.
  const [broken] = document.errors;
  if (broken) {
    const remedy = REMEDIES[broken.code] ?? 'Compare it with the lines around it.';
    return [{ ...at(broken.pos[0]), message: `cannot be read: ${broken.message}. ${remedy}` }];
  }
  const lost = lostPaths(document, text, site).map(({ offset, message }) => ({ ...at(offset), message }));
  const result = schema.safeParse(document.toJS());
  if (result.success) return lost;
  const missing = result.error.issues
    .filter(({ path }) => !document.hasIn(path))
    .map(({ path }) => ({ group: path.slice(0, -1).join('.'), name: String(path.at(-1)) }));
  const wrong = result.error.issues.map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    const meant = missing
      .filter(({ group }) => unknown !== undefined && group === issue.path.join('.'))
      .map(({ name }) => ({ name, wrong: distance(name, unknown!) }))
      .filter(({ wrong }) => wrong <= MISSPELLED_LETTERS)
      .toSorted((a, b) => a.wrong - b.wrong)[0];
    const field = issue.path.map(String).join('.') || 'the file';
    const said = unknown ? `has a line that the site does not use: ${unknown}` : issue.message;
    return {
      ...at(offsetOf(document, issue.path, unknown)),
      message: `${field} ${said}${meant ? `. Did you mean “${meant.name}”?` : ''}`,
    };
  });
  return [...wrong, ...lost];
}

function lostPaths(document: Document, text: string, site: ContentSite) {
  const lost: { offset: number; message: string }[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === 'key' || typeof node.value !== 'string' || !node.range) return;
      const [start, end] = node.range;
      const field = ancestors
        .flatMap((one, level) => {
          const inside = ancestors[level + 1] ?? node;
          if (isPair(one)) return [String(one.key)];
          return isSeq(one) ? [String(one.items.indexOf(inside))] : [];
        })
        .join('.');
      for (const { offset, message } of pathMistakes(text.slice(start, end), site))
        lost.push({ offset: start + offset, message: `${field} ${message}` });
    },
  });
  return lost;
}

function offsetOf(document: Document, path: readonly PropertyKey[], key?: string): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (!isNode(node)) continue;
    const named = isMap(node)
      ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.key
      : undefined;
    return (isScalar(named) ? named : node).range?.[0] ?? 0;
  }
  return 0;
}

function mistakesInFile(name: string, bytes: Uint8Array, schema: z.ZodType, site: ContentSite): Found[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return [{ line: 1, column: 1, message: 'is not saved as UTF-8. Save it again with that encoding.' }];
  }
  if (!name.endsWith('.md')) return mistakesIn(text, schema, site);
  const found = FRONT_MATTER.exec(text);
  if (!found) {
    const message =
      'must begin with a line of three dashes, the lists, and another line of three dashes; the text follows.';
    return [{ line: 1, column: 1, message }];
  }
  const before = found[1]!.split('\n').length - 1;
  const head = mistakesIn(found[2]!, schema, site).map((one) => ({ ...one, line: one.line + before }));
  const end = found.index + found[0].length;
  const linesBefore = text.slice(0, end).split('\n').length - 1;
  const body = bodyMistakes(text.slice(end), join('src/content', name), site);
  return [...head, ...body.map((one) => ({ ...one, line: one.line + linesBefore }))];
}

const ADDRESS_NAME = /^[a-z0-9]+(-[a-z0-9]+)*\.md$/;

function nameMistake(file: string): string | null {
  if (ADDRESS_NAME.test(file)) return null;
  const suggestion = `${file
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}.md`;
  const such = ADDRESS_NAME.test(suggestion) ? suggestion : 'a-new-page.md';
  return `has a name that cannot be the address of its page. Use small letters a to z, digits and single hyphens between them, and .md at the end, such as ${such}.`;
}

/** Every mistake in the files of `src/content` as "file:line:column: what is wrong and what was meant". */
export async function contentMistakes(folder = PROJECT_FOLDER): Promise<string[]> {
  const mistakes: string[] = [];
  const files: [name: string, schema: z.ZodType][] = Object.entries(contentFiles(folder));
  for (const [name, schema] of Object.entries(contentFolders(folder))) {
    const inside = await readdir(join(folder, 'src/content', name)).catch(() => []);
    // What the system or an editor keeps there beside the files is not of the site.
    for (const file of inside.toSorted().filter((one) => !one.startsWith('.'))) {
      const misnamed = nameMistake(file);
      if (misnamed) mistakes.push(`src/content/${name}/${file}:1:1: ${misnamed}`);
      else files.push([`${name}/${file}`, schema]);
    }
  }
  const site = await contentSite(folder);
  for (const [name, schema] of files) {
    const path = `src/content/${name}`;
    const bytes = await readFile(join(folder, path)).catch(() => null);
    const found = bytes
      ? mistakesInFile(name, bytes, schema, site)
      : [{ line: 1, column: 1, message: 'is missing. Its page cannot be made without it.' }];
    mistakes.push(...found.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`));
  }
  return [...mistakes, ...(await searchWordsMistakes(folder))];
}

async function searchWordsMistakes(folder: string): Promise<string[]> {
  const path = 'src/content/search-words.yaml';
  try {
    parseSearchWords(await readFile(join(folder, path), 'utf8'), path);
    return [];
  } catch (error) {
    return [error instanceof SearchWordsError ? error.message : `${path}:1: cannot be read.`];
  }
}

/**
 * Ends a build whose texts have mistakes: Astro would go on with what it cached of an unreadable file.
 * @throws {ConfigurationError}
 */
export async function checkContent(): Promise<void> {
  const mistakes = await contentMistakes();
  if (mistakes.length > 0)
    throw new ConfigurationError(`the site's texts have mistakes\n${mistakes.join('\n')}`);
}

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Characters of markup that one process keeps. */
const MOST_CHARACTERS = 2_000_000;

const fragments = new LRUCache<string, string>({
  maxSize: MOST_CHARACTERS,
  sizeCalculation: (html) => html.length + 1,
});

/**
 * The same markup without characters that would make the whole page a text of two bytes for each character, which takes
 * twice the memory and several times as long to be written out.
 */
const inOneByte = (html: string) => html.replace(/[^\0-\xff]/gu, (sign) => `&#${sign.codePointAt(0)};`);

/** Markup that was rendered before under the same key. The key must name everything that the markup depends on. */
export async function rememberedFragment(key: string, render: () => Promise<string>): Promise<string> {
  // Keys may be whole lists of rows; what is kept of them is short.
  const name = key.length > 64 ? createHash('sha256').update(key).digest('base64') : key;
  const known = fragments.get(name);
  if (known !== undefined) return known;
  const html = inOneByte(await render());
  fragments.set(name, html);
  return html;
}

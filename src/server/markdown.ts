import { createHash } from 'node:crypto';
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

// Written HTML stays text: it is shown, never run (fault U4). Sanitising afterwards is the second wall.
const parser = new MarkdownIt({ html: false, linkify: true, typographer: false });
// Bare words such as "next.js" are not addresses; https://… is.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

parser.renderer.rules.table_open = () =>
  '<div class="overflow-x-auto" tabindex="0" role="group" aria-label="Table"><table>';
parser.renderer.rules.table_close = () => '</table></div>';

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'ul', 'ol', 'li'],
    ...['a', 'strong', 'em', 's', 'code', 'pre', 'img', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'loading', 'decoding'],
    code: ['class'],
    ol: ['start'],
    div: ['class', 'tabindex', 'role', 'aria-label'],
    pre: ['tabindex'],
    th: ['style'],
    td: ['style'],
  },
  allowedClasses: { code: ['language-*'], div: ['overflow-x-auto'] },
  allowedStyles: { '*': { 'text-align': [/^(left|right|center)$/] } },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'escape',
  transformTags: {
    a: (tagName, attributes) => ({
      tagName,
      attribs: /^https?:/i.test(attributes.href ?? '')
        ? { ...attributes, rel: 'noopener nofollow' }
        : attributes,
    }),
    img: (tagName, attributes) => ({
      tagName,
      attribs: { ...attributes, loading: 'lazy', decoding: 'async' },
    }),
    // A block of code that scrolls must be reachable by keyboard.
    pre: (tagName, attributes) => ({ tagName, attribs: { ...attributes, tabindex: '0' } }),
  },
};

const CACHE_ENTRIES = 500;
const CACHED_MAX_CHARACTERS = 100_000;
const cache = new Map<string, string>();

/**
 * Markdown as HTML that is safe to put into a page: no scripts, no frames, no handlers, no addresses but http(s),
 * mail and paths. The text itself is kept.
 *
 * @param topHeading the level that the highest headings of the text become, so that they fit under the page's own
 */
export function renderMarkdown(source: string, { topHeading = 2 }: { topHeading?: 2 | 3 | 4 } = {}): string {
  const key = `${topHeading}:${createHash('sha256').update(source).digest('base64')}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const tokens = parser.parse(source, {});
  const levels = tokens.flatMap((token) => (token.type === 'heading_open' ? [Number(token.tag[1])] : []));
  const shift = topHeading - Math.min(...levels);
  for (const token of tokens) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(6, Number(token.tag[1]) + shift)}`;
    }
  }
  const html = sanitizeHtml(parser.renderer.render(tokens, parser.options, {}), ALLOWED);
  if (source.length <= CACHED_MAX_CHARACTERS) {
    if (cache.size >= CACHE_ENTRIES) cache.delete(cache.keys().next().value!);
    cache.set(key, html);
  }
  return html;
}

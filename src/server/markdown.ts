import { createHash } from 'node:crypto';
import { alert } from '@mdit/plugin-alert';
import { footnote } from '@mdit/plugin-footnote';
import { tex } from '@mdit/plugin-tex';
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt, { type Env, type RendererRule, type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { PICTURE_TYPES, type PictureFile, pictureFacts } from '#src/shared/pictures.ts';
import { FORMULA_ATTRIBUTES, FORMULA_TAGS, type FormulaCount, formulaMarkup } from './formulas.ts';

// Each also knows its other names: js and jsx, html, sh, py, yml.
const LANGUAGES = { bash, css, java, javascript, json, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
/** Code beyond this is shown as it is: coloring it would hold up everybody else. */
const HIGHLIGHTED_MAX_CHARACTERS = 20_000;

/** Code with its parts marked, as HTML; empty where its language is not known, which leaves it to the parser. */
function highlight(code: string, language: string): string {
  if (code.length > HIGHLIGHTED_MAX_CHARACTERS || !highlighter.getLanguage(language)) return '';
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

// Written HTML stays text: it is shown, never run (fault U4). Sanitising afterwards is the second wall.
const parser = new MarkdownIt({ html: false, linkify: true, typographer: false, highlight });
// Bare words such as "next.js" are not addresses; https://… is.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** What one rendering knows while it is under way. */
type Rendering = FormulaCount & {
  /** Part of the ids of its footnotes, so that two texts on a page do not share them. */
  docId: string;
} & Env;

// The plugin for this looks back over the whole text for each task.
parser.core.ruler.after('inline', 'tasks', ({ tokens, Token }) => {
  for (const [index, inline] of tokens.entries()) {
    const [item, paragraph] = [tokens[index - 2], tokens[index - 1]];
    const first = inline.type === 'inline' ? inline.children?.[0] : null;
    if (item?.type !== 'list_item_open' || paragraph?.type !== 'paragraph_open' || first?.type !== 'text') {
      continue;
    }
    const box = /^\[([ xX])\]\s/.exec(inline.content);
    if (!box) continue;
    item.attrJoin('class', 'task-list-item');
    first.content = first.content.slice(3);
    const state = box[1] === ' ' ? 'aria-label="To do"' : 'checked aria-label="Done"';
    const input = new Token('html_inline', '', 0);
    input.content = `<input type="checkbox" disabled ${state} />`;
    inline.children!.unshift(input);
  }
});

parser.use(alert, {
  titleRender: (tokens: Token[], index: number) => {
    const kind = tokens[index]!.markup;
    return `<p class="markdown-alert-title">${kind[0]!.toUpperCase()}${kind.slice(1)}</p>\n`;
  },
});

parser.use(tex, {
  render: (source: string, isBlock: boolean, env: Rendering) => formulaMarkup(source, isBlock, env),
});

parser.use(footnote);
// Notes inside notes are parsed once for each level: a hostile text would hold everybody up.
parser.disable('footnoteInline');
/** A rule that shows a token of a footnote, given its number and the ids of the note and of the place that names it. */
const noteRule =
  (show: (number: number, note: string, place: string) => string): RendererRule =>
  (tokens, index, _options, env) => {
    const { id, subId } = tokens[index]!.meta as { id: number; subId?: number };
    const name = `${(env as Rendering).docId}-${id + 1}`;
    return show(id + 1, `fn-${name}`, `fnref-${name}-${subId ?? 0}`);
  };
Object.assign(parser.renderer.rules, {
  footnote_ref: noteRule(
    (number, note, place) =>
      `<sup><a href="#${note}" id="${place}" aria-label="Footnote ${number}">${number}</a></sup>`,
  ),
  footnote_block_open: () => '<div class="footnotes" role="group" aria-label="Footnotes"><ol>\n',
  footnote_block_close: () => '</ol></div>\n',
  footnote_open: noteRule((_number, note) => `<li id="${note}">`),
  footnote_anchor: noteRule(
    (number, _note, place) =>
      ` <a href="#${place}" aria-label="Back to where footnote ${number} is named">↩</a>`,
  ),
} satisfies typeof parser.renderer.rules);

parser.renderer.rules.table_open = () =>
  '<div class="overflow-x-auto" tabindex="0" role="group" aria-label="Table"><table>';
parser.renderer.rules.table_close = () => '</table></div>';
// The corner of a table with headings on two sides is empty, and an empty heading names nothing.
parser.renderer.rules.th_open = (tokens, index, options, _env, renderer) => {
  if (tokens[index + 1]?.content === '') tokens[index]!.tag = 'td';
  return renderer.renderToken(tokens, index, options);
};
parser.renderer.rules.th_close = (tokens, index, options, _env, renderer) => {
  if (tokens[index - 1]?.content === '') tokens[index]!.tag = 'td';
  return renderer.renderToken(tokens, index, options);
};

// A picture of a course comes in the sizes and kinds that its address names, with its measures, so that nothing jumps.
parser.renderer.rules.image = (tokens, index, options, env, renderer) => {
  const token = tokens[index]!;
  token.attrSet('alt', renderer.renderInlineAsText(token.children ?? [], options, env));
  const facts = pictureFacts(String(token.attrGet('src')));
  if (!facts) return renderer.renderToken(tokens, index, options);
  token.attrSet('width', String(facts.width));
  token.attrSet('height', String(facts.height));
  const sources = (['avif', 'webp'] as const).map((kind) => {
    const files = facts.files.filter((file) => file.kind === kind);
    return `<source type="${PICTURE_TYPES[kind]}" srcset="${srcset(files)}" sizes="${PICTURE_SIZES}" />`;
  });
  return `<picture>${sources.join('')}${renderer.renderToken(tokens, index, options)}</picture>`;
};
/** How wide a text is shown, `--container-prose` of the styles. */
const PICTURE_SIZES = '(min-width: 44rem) 42rem, 92vw';
const srcset = (files: readonly PictureFile[]) =>
  files.map(({ path, width }) => `${path} ${width}w`).join(', ');

// A picture that stands alone and has a title is a figure, and the title its caption.
parser.core.ruler.push('figures', ({ tokens, Token }) => {
  for (const [index, open] of tokens.entries()) {
    const [inline, close] = [tokens[index + 1], tokens[index + 2]];
    const image = inline?.children?.length === 1 ? inline.children[0]! : null;
    const caption = open.type === 'paragraph_open' && image?.type === 'image' ? image.attrGet('title') : null;
    if (!caption || !close || open.hidden) continue;
    open.tag = 'figure';
    close.tag = 'figure';
    image!.attrs = image!.attrs!.filter(([name]) => name !== 'title');
    const text = new Token('text', '', 0);
    text.content = String(caption);
    const [begin, end] = [new Token('html_inline', '', 0), new Token('html_inline', '', 0)];
    begin.content = '<figcaption>';
    end.content = '</figcaption>';
    inline!.children!.push(begin, text, end);
  }
});

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'span', 'hr', 'blockquote', 'ul', 'ol', 'li'],
    ...['a', 'strong', 'em', 's', 'code', 'pre', 'img', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ...['figure', 'figcaption', 'picture', 'source', 'sup', 'input', ...FORMULA_TAGS],
  ],
  allowedAttributes: {
    ...Object.fromEntries(FORMULA_TAGS.map((tag) => [tag, FORMULA_ATTRIBUTES])),
    a: ['href', 'title', 'rel', 'id', 'aria-label'],
    li: ['id', 'class'],
    p: ['class'],
    input: ['type', 'disabled', 'checked', 'aria-label'],
    img: ['src', 'alt', 'title', 'loading', 'decoding', 'width', 'height'],
    source: ['type', 'srcset', 'sizes'],
    code: ['class'],
    span: ['class'],
    ol: ['start'],
    div: ['class', 'tabindex', 'role', 'aria-label'],
    pre: ['tabindex'],
    th: ['style'],
    td: ['style'],
  },
  // Names of the highlighter such as "hljs-title function_"; no class of the site can be borrowed.
  allowedClasses: {
    code: ['language-*'],
    div: ['overflow-x-auto', 'footnotes', 'formula', 'markdown-alert', 'markdown-alert-*'],
    li: ['task-list-item'],
    p: ['markdown-alert-title'],
    span: ['hljs-*', /^[a-z]+_$/, 'formula', 'formula-problem'],
  },
  allowedStyles: { '*': { 'text-align': [/^(left|right|center)$/] } },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  selfClosing: [...sanitizeHtml.defaults.selfClosing, 'source'],
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

/**
 * The paragraphs of a Markdown text as plain sentences, for mails: each heading, paragraph and line of code is one, list
 * entries begin with a dot, and links name their address.
 */
export function plainParagraphs(source: string): string[] {
  const paragraphs: string[] = [];
  let isEntry = false;
  for (const token of parser.parse(source, {})) {
    if (token.type === 'list_item_open') isEntry = true;
    if (token.type === 'fence' || token.type === 'code_block') paragraphs.push(...token.content.split('\n'));
    if (token.type !== 'inline') continue;
    let address = '';
    const parts = (token.children ?? []).map((child) => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') return ' ';
      if (child.type === 'link_open') address = String(child.attrGet('href'));
      if (child.type === 'link_close') return ` (${address})`;
      return child.content;
    });
    const text = parts.join('');
    // An address that stands for itself is told once.
    paragraphs.push(`${isEntry ? '• ' : ''}${text === `${address} (${address})` ? address : text}`);
    isEntry = false;
  }
  return paragraphs.filter((paragraph) => paragraph.trim() !== '');
}

const CACHE_ENTRIES = 500;
const CACHED_MAX_CHARACTERS = 100_000;
const cache = new Map<string, string>();

/**
 * Markdown as HTML that is safe to put into a page: no scripts, no frames, no handlers, no addresses but http(s),
 * mail and paths. The text itself is kept.
 *
 * @param topHeading the level that the highest headings of the text become, so that they fit under the page's own
 * @param pictures whether pictures are shown; else what they say stands in their place, and no other site learns who reads
 */
export function renderMarkdown(
  source: string,
  { topHeading = 2, pictures = true }: { topHeading?: 2 | 3 | 4; pictures?: boolean } = {},
): string {
  const key = `${topHeading}:${pictures}:${createHash('sha256').update(source).digest('base64')}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const env: Rendering = {
    docId: createHash('sha256').update(source).digest('hex').slice(0, 8),
    formulaCharacters: 0,
  };
  const tokens = parser.parse(source, env);
  const levels = tokens.flatMap((token) => (token.type === 'heading_open' ? [Number(token.tag[1])] : []));
  const shift = topHeading - Math.min(...levels);
  for (const token of tokens) {
    if (!pictures) for (const child of token.children ?? []) if (child.type === 'image') child.type = 'text';
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(6, Number(token.tag[1]) + shift)}`;
    }
  }
  const html = sanitizeHtml(parser.renderer.render(tokens, parser.options, env), ALLOWED);
  if (source.length <= CACHED_MAX_CHARACTERS) {
    if (cache.size >= CACHE_ENTRIES) cache.delete(cache.keys().next().value!);
    cache.set(key, html);
  }
  return html;
}

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
import { LRUCache } from 'lru-cache';
import MarkdownIt, { type Env, type RendererRule, type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { AppError } from '#src/shared/errors.ts';
import { escapeHtml } from '#src/shared/escape-html.ts';
import { PICTURE_TYPES, type PictureFile, pictureFacts } from '#src/shared/pictures.ts';
import { FORMULA_ATTRIBUTES, FORMULA_TAGS, type FormulaCount, formulaMarkup } from './formulas.ts';

// Each also knows its other names: js and jsx, html, sh, py, yml.
const LANGUAGES = { bash, css, java, javascript, json, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
/** Coloring more would hold up everybody else. */
const HIGHLIGHTED_MAX_CHARACTERS = 20_000;

const COLORED_MAX_CHARACTERS = 40_000;
const COLORED_MIN = 100;
const USER_COLORED_TIMES = 10;
let coloredSoFar = 0;

function highlight(code: string, language: string): string {
  coloredSoFar += Math.max(code.length, COLORED_MIN);
  if (code.length > HIGHLIGHTED_MAX_CHARACTERS || coloredSoFar > COLORED_MAX_CHARACTERS) return '';
  if (!highlighter.getLanguage(language)) return '';
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

function highlightOfUser(code: string, language: string): string {
  const colored = highlight(code, language);
  return colored.length > USER_COLORED_TIMES * code.length ? '' : colored;
}

/** `user` may use nothing that makes much out of little, such as tables, pictures and formulas. */
export type Writer = 'user' | 'author';

const BOUNDS: Record<Writer, { source: number; parts: number; cells: number; html: number }> = {
  user: { source: 16_384, parts: 8_000, cells: 0, html: 65_536 },
  author: { source: 250_000, parts: 30_000, cells: 8_000, html: 1_048_576 },
};

// Written HTML stays text: it is shown, never run (fault U4). Sanitising afterwards is the second wall.
const parser = new MarkdownIt({ html: false, linkify: true, typographer: false, highlight });
// Bare words such as "next.js" are not addresses; https://… is.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

const userParser = new MarkdownIt({
  html: false,
  linkify: true,
  typographer: false,
  highlight: highlightOfUser,
});
userParser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
userParser.disable(['table', 'image', 'reference']);
const USER_NESTING_MAX = 6;
for (const rule of ['blockquote', 'list'] as const) {
  const [nest] = new MarkdownIt('zero').enable(rule).block.ruler.getRules('');
  const alt = ['paragraph', 'blockquote', ...(rule === 'blockquote' ? ['list'] : [])];
  userParser.block.ruler.at(
    rule,
    (state, ...where) => {
      const rendering = state.env as { nesting?: number };
      const depth = rendering.nesting ?? 0;
      if (depth >= USER_NESTING_MAX) return false;
      rendering.nesting = depth + 1;
      try {
        return nest!(state, ...where);
      } finally {
        rendering.nesting = depth;
      }
    },
    { alt },
  );
}
const PARSERS: Record<Writer, typeof parser> = { user: userParser, author: parser };

/** The parser reads all that follows for each open bracket. */
const UNCLOSED_MAX = 100;
for (const { helpers } of [parser, userParser]) {
  const { parseLinkLabel } = helpers;
  const unclosed = new WeakMap<object, number>();
  helpers.parseLinkLabel = (state, ...where) => {
    const before = unclosed.get(state) ?? 0;
    if (before >= UNCLOSED_MAX) return -1;
    const end = parseLinkLabel(state, ...where);
    if (end < 0) unclosed.set(state, before + 1);
    return end;
  };
}

type Rendering = FormulaCount & {
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

// After a currency, between names such as $HOME/$USER, or with code before the next, it is no formula.
const TEXT_DOLLAR =
  /(?<=\p{Lu})\$(?![_^])|(?<=[\p{L}\p{N}])\$(?=[-,.;:!?)/])|\$(?:[A-Z_]{2,}|[^$]*[-/:,;=.&+@"([<{])\$(?=[\p{L}_{])|\$(?=[^$`]*`[^$]*\$)/uy;
parser.inline.ruler.before('math_inline_dollar', 'text_dollar', (state, silent) => {
  TEXT_DOLLAR.lastIndex = state.pos;
  if (!TEXT_DOLLAR.test(state.src)) return false;
  if (!silent) state.pending += '$';
  state.pos += 1;
  return true;
});

parser.use(footnote);
// Notes inside notes are parsed once for each level: a hostile text would hold everybody up.
parser.disable('footnoteInline');
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

// In the sizes and kinds that its address names, with measures, so that nothing jumps.
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
const PICTURE_SIZES = '(min-width: 44rem) 42rem, 92vw';
const srcset = (files: readonly PictureFile[]) =>
  files.map(({ path, width }) => `${path} ${width}w`).join(', ');

// A picture with a title is a figure, and the title its caption.
parser.core.ruler.push('figures', (state) => {
  const isCaptioned = (child: Token) =>
    child.type === 'image' && child.level === 0 && Boolean(child.attrGet('title'));
  const block = (type: string, tag: string, nesting: -1 | 0 | 1, like: Token) => {
    const token = new state.Token(type, tag, nesting);
    token.block = true;
    token.level = like.level;
    token.map = like.map;
    return token;
  };
  const tokens: Token[] = [];
  for (let index = 0; index < state.tokens.length; index++) {
    const open = state.tokens[index]!;
    const [inline, close] = [state.tokens[index + 1], state.tokens[index + 2]];
    const children = inline?.children ?? [];
    if (open.type !== 'paragraph_open' || !close || !children.some(isCaptioned)) {
      tokens.push(open);
      continue;
    }
    index += 2;
    let words: Token[] = [];
    const endWords = () => {
      const isBlank = ({ type, content }: Token) =>
        /break$/.test(type) || (type === 'text' && !content.trim());
      while (words.length > 0 && isBlank(words[0]!)) words.shift();
      while (words.length > 0 && isBlank(words.at(-1)!)) words.pop();
      if (words.length === 0) return;
      const [begin, line, end] = [
        block('paragraph_open', 'p', 1, open),
        block('inline', '', 0, inline!),
        block('paragraph_close', 'p', -1, close),
      ];
      begin.hidden = open.hidden;
      end.hidden = close.hidden;
      line.children = words;
      words = [];
      tokens.push(begin, line, end);
    };
    for (const child of children) {
      if (!isCaptioned(child)) {
        words.push(child);
        continue;
      }
      endWords();
      const caption = String(child.attrGet('title'));
      child.attrs = child.attrs!.filter(([name]) => name !== 'title');
      const figure = block('inline', '', 0, inline!);
      const [begin, text, end] = ['html_inline', 'text', 'html_inline'].map(
        (type) => new state.Token(type, '', 0),
      );
      begin!.content = '<figcaption>';
      text!.content = caption;
      end!.content = '</figcaption>';
      figure.children = [child, begin!, text!, end!];
      tokens.push(
        block('paragraph_open', 'figure', 1, open),
        figure,
        block('paragraph_close', 'figure', -1, close),
      );
    }
    endWords();
  }
  state.tokens = tokens;
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

class TooMuch extends Error {}

/** Counted without parsing: a heading of a hundred columns fills each line below it up to a hundred cells. */
function countCells(source: string): number {
  let cells = 0;
  let columns = 0;
  for (const line of source.split('\n')) {
    if (/^[\s>*+:|.\d)-]*$/.test(line) && line.includes('-') && line.includes('|')) {
      columns = Math.max(columns, line.split('|').length);
    }
    if (!/[^\s>]/.test(line)) columns = 0;
    cells += columns;
  }
  return cells;
}

/** @throws {TooMuch} before the parser would do much more work */
function parse(source: string, writer: Writer, env: Env): Token[] {
  const bounds = BOUNDS[writer];
  if (source.length > bounds.source) throw new TooMuch();
  if (writer === 'author' && countCells(source) > bounds.cells) throw new TooMuch();
  const tokens = PARSERS[writer].parse(source, env);
  let parts = 0;
  let characters = 0;
  const weigh = ({ type, content, attrs, children }: Token) => {
    parts += 1;
    if (type !== 'inline') characters += content.length;
    for (const [, value] of attrs ?? []) characters += String(value).length;
    for (const child of children ?? []) weigh(child);
  };
  for (const token of tokens) weigh(token);
  if (parts > bounds.parts || characters > bounds.html) throw new TooMuch();
  return tokens;
}

/** A string for each heading, paragraph, entry and line of code, links with their address. */
export function plainParagraphs(source: string, by: Writer = 'author'): string[] {
  const paragraphs: string[] = [];
  let isEntry = false;
  for (const token of parsedOrNothing(source, by)) {
    if (token.type === 'list_item_open') isEntry = true;
    if (token.type === 'fence' || token.type === 'code_block') paragraphs.push(...token.content.split('\n'));
    if (token.type !== 'inline') continue;
    let address = '';
    const parts = (token.children ?? []).map((child) => {
      if (/^(softbreak|hardbreak|html_inline)$/.test(child.type)) return ' ';
      if (child.type === 'link_open') address = String(child.attrGet('href'));
      if (child.type === 'link_close') return ` (${address})`;
      return child.content;
    });
    const text = parts.join('').trim();
    paragraphs.push(`${isEntry ? '• ' : ''}${text === `${address} (${address})` ? address : text}`);
    isEntry = false;
  }
  if (paragraphs.length === 0)
    paragraphs.push(...source.slice(0, BOUNDS[by].html).toWellFormed().split('\n'));
  return paragraphs.filter((paragraph) => paragraph.trim() !== '');
}

function parsedOrNothing(source: string, by: Writer): Token[] {
  try {
    return parse(source, by, {});
  } catch (error) {
    if (error instanceof TooMuch) return [];
    throw error;
  }
}

const CACHE_MAX_BYTES = 16_777_216;
const ENTRY_BYTES = 300;
const cache = new LRUCache<string, { html: string; isWhole: boolean }>({
  maxSize: CACHE_MAX_BYTES,
  sizeCalculation: ({ html }, key) => 2 * (html.length + key.length) + ENTRY_BYTES,
});

/** Raised with every change of the HTML, so that stored HTML is made again. */
export const RENDERER_VERSION = 2;

interface RenderOptions {
  topHeading?: 2 | 3 | 4;
  pictures?: boolean;
  by?: Writer;
}

/** No scripts, frames, handlers or foreign schemes; a text over its bounds is shown as written, and cut. */
export function renderMarkdown(source: string, options: RenderOptions = {}): string {
  return rendered(source, options).html;
}

/** Requires that a text can be rendered before it is saved. @throws {AppError} invalid_input */
export function requireRenderable(field: string, label: string, source: string, by: Writer = 'author'): void {
  if (rendered(source, { by, ...(by === 'user' ? USER_OPTIONS : {}) }).isWhole) return;
  const message = `${label} would become too large on the page: use less formatting, such as ${
    by === 'user' ? 'lists and code' : 'wide tables, footnotes and lists'
  }, or make it shorter`;
  throw new AppError('invalid_input', message, { fields: { [field]: message } });
}

const USER_OPTIONS = { by: 'user', topHeading: 4, pictures: false } as const;
export const renderUserMarkdown = (source: string): string => renderMarkdown(source, USER_OPTIONS);

function rendered(
  source: string,
  { topHeading = 2, pictures = true, by = 'author' }: RenderOptions,
): { html: string; isWhole: boolean } {
  const hash = createHash('sha256').update(source);
  const key = `${by}:${topHeading}:${pictures}:${hash.copy().digest('base64')}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  let made: { html: string; isWhole: boolean };
  try {
    const html = render(source, { topHeading, pictures, by, docId: hash.digest('hex').slice(0, 8) });
    made = { html, isWhole: true };
  } catch (error) {
    if (!(error instanceof TooMuch || error instanceof RangeError)) throw error;
    made = { html: asWritten(source, BOUNDS[by].html), isWhole: false };
  }
  cache.set(key, made);
  return made;
}

function render(
  source: string,
  { topHeading, pictures, by, docId }: Required<RenderOptions> & { docId: string },
): string {
  const env: Rendering = { docId, formulaCharacters: 0 };
  const tokens = parse(source, by, env);
  const levels = tokens.flatMap((token) => (token.type === 'heading_open' ? [Number(token.tag[1])] : []));
  const shift = topHeading - Math.min(...levels);
  for (const token of tokens) {
    if (!pictures) {
      if (token.type === 'math_block') token.type = 'code_block';
      for (const child of token.children ?? [])
        if (/^(image|math_inline)$/.test(child.type)) child.type = 'text';
    }
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.min(6, Number(token.tag[1]) + shift)}`;
    }
  }
  const { renderer, options } = PARSERS[by];
  coloredSoFar = 0;
  const markup = renderer.render(tokens, options, env);
  if (markup.length > BOUNDS[by].html) throw new TooMuch();
  const html = sanitizeHtml(markup, ALLOWED);
  if (html.length > BOUNDS[by].html) throw new TooMuch();
  return html;
}

function asWritten(source: string, max: number): string {
  const [begin, end] = ['<pre tabindex="0">', '</pre>\n'];
  const room = max - begin.length - end.length;
  // Escaping makes up to six characters of one.
  const text = escapeHtml(source.slice(0, room).toWellFormed());
  return `${begin}${
    text.length > room
      ? text
          .slice(0, room)
          .replace(/&[^;]*$/, '')
          .toWellFormed()
      : text
  }${end}`;
}

import TurndownService from 'turndown';
import { texOf } from './mathml.ts';
import { isRaised, raised } from './raised.ts';

export interface Converted {
  markdown: string;
  /** Pictures at addresses that learners cannot reach. */
  leftOut: number;
}

const HEADINGS = 'h1,h2,h3,h4,h5,h6';
const BLOCKS = `${HEADINGS},address,article,aside,blockquote,dd,div,dl,dt,figure,footer,header,hr,li,main,nav,ol,p,pre,section,table,td,th,ul`;
const MONOSPACE = /font-family:[^;]*(courier|consolas|menlo|monaco|monospace)/i;
const SPAN_MAX = 100;
const MARKS = 'b,strong,i,em,s,del,strike';

/** Formatted text of a clipboard as Markdown; null where the plain text beside it says more. */
export function htmlToMarkdown(html: string): Converted | null {
  const { body } = new DOMParser().parseFromString(html.replace(/<!(--.*?--|\[.*?\])>/gs, ''), 'text/html');
  // Code editors color what may be Markdown.
  if (/white-space:\s*pre\b/i.test(body.firstElementChild?.getAttribute('style') ?? '')) return null;
  const leftOut = clean(body);
  marksFromStyles(body);
  wordLists(body);
  lists(body);
  codeParagraphs(body);
  tables(body);
  marksAtWords(body);
  const isFormatted = body.querySelector(
    `${HEADINGS},a,ul,ol,table,pre,code,blockquote,img,hr,sup,sub,math,${MARKS}`,
  );
  if (!isFormatted && leftOut === 0) return null;
  raise(body);
  return { markdown: writer.turndown(body).trim(), leftOut };
}

const all = (root: ParentNode, selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];
const unwrap = (element: Element) => element.replaceWith(...element.childNodes);
const styleOf = (element: Element) => element.getAttribute('style') ?? '';

function rename(element: Element, tag: string): HTMLElement {
  const made = document.createElement(tag);
  made.append(...element.childNodes);
  element.replaceWith(made);
  return made;
}

/** What touches it in its line. */
function beside(node: Node, side: 'nextSibling' | 'previousSibling'): Node | null {
  let at = node;
  while (!at[side] && at.parentElement?.matches(`:not(${BLOCKS},body)`)) at = at.parentElement;
  const found = at[side] as Element | null;
  return found?.matches?.(BLOCKS) ? null : found;
}

function clean(body: HTMLElement): number {
  for (const math of all(body, 'math')) {
    // Beside it is the same as boxes or a picture.
    const whole = math.closest('.katex,.mwe-math-element,mjx-container') ?? math;
    math.textContent = math.querySelector('annotation[encoding$=tex]')?.textContent ?? texOf(math);
    whole.replaceWith(math);
  }
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.nodeValue = currentNode.nodeValue!.replace(/\u00a0/g, ' ').replace(/[\u200b\ufeff]/g, '');
  }
  const noText =
    'script,style,meta,link,title,base,template,noscript,iframe,object,embed,svg,canvas,video,audio,select,button,textarea,xml,colgroup';
  for (const element of all(body, noText)) element.remove();
  for (const element of all(body, '[style]')) {
    if (/display:\s*none|mso-hide:\s*all/i.test(styleOf(element))) element.remove();
  }
  for (const element of all(body, 'br.Apple-interchange-newline')) element.remove();
  for (const line of all(body, 'pre br,code br')) line.replaceWith('\n');
  for (const link of all(body, 'a')) {
    const isKept = /^(https?:\/\/|mailto:)/i.test(link.getAttribute('href')?.trim() ?? '');
    if (!isKept) unwrap(link);
    // A card as a link: Markdown's links hold only words.
    else if (link.querySelector(BLOCKS)) link.textContent = link.textContent!.replace(/\s+/g, ' ').trim();
  }
  let leftOut = 0;
  for (const picture of all(body, 'img')) {
    // Others may be intercepted.
    if (/^https:\/\//i.test(picture.getAttribute('src') ?? '')) continue;
    picture.remove();
    leftOut += 1;
  }
  return leftOut;
}

/** Turns inline styles into tags, and removes tags that styles undo. */
function marksFromStyles(body: HTMLElement): void {
  for (const element of all(body, 'b,strong')) {
    // Google Docs wraps a whole text in <b>.
    if (/font-weight:\s*(normal|[1-4]00)\b/i.test(styleOf(element))) unwrap(element);
  }
  for (const element of all(body, 'i,em')) {
    if (/font-style:\s*normal/i.test(styleOf(element))) unwrap(element);
  }
  for (const element of all(body, 'p.MsoTitle')) rename(element, 'h1');
  for (const element of all(body, 'span[style],font[style],font[face]')) {
    if (element.closest('pre,code') || !element.textContent!.trim()) continue;
    const style = styleOf(element);
    const face = `font-family:${element.getAttribute('face') ?? ''}`;
    const tags = [
      MONOSPACE.test(style) || MONOSPACE.test(face) ? 'code' : '',
      /font-weight:\s*(bold|[6-9]00)\b/i.test(style) && !element.closest('b,strong') ? 'strong' : '',
      /font-style:\s*italic/i.test(style) && !element.closest('i,em') ? 'em' : '',
      /text-decoration[^;]*:[^;]*line-through/i.test(style) && !element.closest('s,del,strike') ? 's' : '',
      /vertical-align:\s*(sub|sup)/.exec(style)?.[1] ?? '',
    ].filter(Boolean);
    let inner: Element = element;
    for (const tag of tags) {
      const made = document.createElement(tag);
      made.append(...inner.childNodes);
      inner.append(made);
      inner = made;
    }
  }
  // A heading is bold by itself.
  for (const element of all(body, `:is(${HEADINGS}) :is(b,strong)`)) {
    unwrap(element);
  }
  for (const element of all(body, 'code code')) unwrap(element);
  for (const element of all(body, `:is(${HEADINGS}) br`)) element.replaceWith(' ');
}

/** Markdown takes no mark between a letter and a sign. */
function marksAtWords(body: HTMLElement): void {
  for (const mark of all(body, MARKS)) {
    for (let next = mark.nextSibling; next?.nodeName === mark.nodeName; next = mark.nextSibling) {
      mark.append(...next.childNodes);
      next.remove();
    }
    for (const [side, put, letter, signs] of [
      ['nextSibling', 'after', /^[\p{L}\p{N}]/u, /[\p{P}\p{S}]+$/u],
      ['previousSibling', 'before', /[\p{L}\p{N}]$/u, /^[\p{P}\p{S}]+/u],
    ] as const) {
      if (!letter.test(beside(mark, side)?.textContent ?? '')) continue;
      const text = mark.textContent!;
      const found = signs.exec(text)?.[0];
      if (mark.querySelector(found ? '*' : 'a,code')) unwrap(mark);
      else if (found) {
        mark.textContent = text.replace(signs, '');
        mark[put](found);
      }
    }
  }
}
/** The innermost first: a power of a power has no signs. */
function raise(body: HTMLElement): void {
  for (const element of all(body, 'sup,sub').reverse()) {
    const { localName, textContent, nextSibling } = element;
    if (!isRaised(localName) || element.querySelector('a,img')) continue;
    // A digit after a dollar sign makes it a price.
    const mayBeFormula = !element.closest('code,pre') && !/^\d/.test(nextSibling?.textContent ?? '');
    element.replaceWith(raised(localName, textContent, mayBeFormula));
  }
}

/** Word writes lists as paragraphs with a level, the mark as text. */
function wordLists(body: HTMLElement): void {
  let open: { level: number; list: HTMLElement }[] = [];
  let last: Element | null = null;
  for (const item of all(body, 'p[style*="mso-list"],h1[style*="mso-list"],div[style*="mso-list"]')) {
    const level = Number(/mso-list:[^;]*level(\d)/i.exec(styleOf(item))?.[1]);
    if (!level) continue;
    const mark = all(item, '[style*="mso-list"]').find((one) => /mso-list:\s*ignore/i.test(styleOf(one)));
    const number = /(\d+|[a-z]{1,4}|[A-Z]{1,4})[.)]\s*$/.exec(mark?.textContent ?? '')?.[1];
    const tag = number ? 'ol' : 'ul';
    mark?.remove();
    // A numbered heading stays one.
    if (item.tagName.startsWith('H')) continue;
    if (!last || item.previousElementSibling !== last) open = [];
    open = open.filter((one) => one.level <= level);
    let top = open.at(-1);
    if (top?.level === level && top.list.tagName.toLowerCase() !== tag) {
      open.pop();
      top = open.at(-1);
    }
    if (!top || top.level < level) {
      const list = document.createElement(tag);
      list.setAttribute('start', number ?? '');
      const parent = top?.list.lastElementChild;
      if (parent) parent.append(list);
      else item.before(list);
      top = { level, list };
      open.push(top);
    }
    top.list.append(rename(item, 'li'));
    last = open[0]!.list;
  }
}

function lists(body: HTMLElement): void {
  for (const list of all(body, 'ul > ul,ul > ol,ol > ul,ol > ol')) {
    const before = list.previousElementSibling;
    const item = before?.tagName === 'LI' ? before : document.createElement('li');
    if (item !== before) list.before(item);
    item.append(list);
  }
  for (const item of all(body, 'li')) {
    const paragraphs = [...item.children].filter(({ tagName }) => tagName === 'P' || tagName === 'DIV');
    if (paragraphs.length === 1 && !paragraphs[0]!.querySelector(BLOCKS)) unwrap(paragraphs[0]!);
    if (item.getAttribute('role') === 'checkbox') {
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.toggleAttribute('checked', item.getAttribute('aria-checked') === 'true');
      item.prepend(box);
    }
  }
}

function codeParagraphs(body: HTMLElement): void {
  const isCode = (element: Element | null): element is Element =>
    element?.tagName === 'P' &&
    element.textContent!.trim() !== '' &&
    all(element, 'code')
      .map((code) => code.textContent)
      .join('')
      .trim() === element.textContent!.trim();
  for (const first of all(body, 'p')) {
    if (!first.isConnected || !isCode(first) || !isCode(first.nextElementSibling)) continue;
    const lines: string[] = [];
    let line: Element | null = first;
    const pre = document.createElement('pre');
    first.before(pre);
    while (isCode(line)) {
      const next: Element | null = line.nextElementSibling;
      lines.push(line.textContent!.replace(/[\r\n]+/g, ' ').trimEnd());
      line.remove();
      line = next;
    }
    pre.textContent = `${lines.join('\n')}\n`;
  }
  for (const pre of all(body, 'pre')) {
    const code = pre.querySelector('code') ?? document.createElement('code');
    code.textContent = pre.textContent;
    pre.replaceChildren(code);
  }
}

/** Equal numbers of cells, one line in each, and a first row of headings. */
function tables(body: HTMLElement): void {
  for (const table of all(body, 'table') as HTMLTableElement[]) {
    const rows = [...table.rows];
    const isLayout = table.querySelector('table') !== null || rows.every(({ cells }) => cells.length <= 1);
    if (!isLayout) continue;
    // A table for layout: its cells follow each other.
    for (const row of rows) for (const cell of [...row.cells]) rename(cell, 'div');
    for (const row of rows) unwrap(row);
    for (const part of [...table.children]) unwrap(part);
    rename(table, 'div');
  }
  for (const table of all(body, 'table') as HTMLTableElement[]) {
    const rows = [...table.rows].filter(({ cells }) => cells.length > 0);
    const lines: HTMLElement[][] = rows.map(() => []);
    rows.forEach((row, at) => {
      let column = 0;
      for (const cell of [...row.cells]) {
        while (lines[at]![column]) column += 1;
        const wide = Math.min(cell.colSpan, SPAN_MAX);
        const high = Math.min(cell.rowSpan || 1, rows.length - at);
        for (let down = 0; down < high; down++) {
          for (let right = 0; right < wide; right++) {
            lines[at + down]![column + right] ??= down + right === 0 ? cell : document.createElement('td');
          }
        }
        column += wide;
      }
    });
    const width = Math.max(...lines.map((line) => line.length));
    if (table.caption) table.before(rename(table.caption, 'p'));
    table.replaceChildren(
      ...lines.map((line, at) => {
        const row = document.createElement('tr');
        for (let column = 0; column < width; column++) {
          const cell = line[column] ?? document.createElement('td');
          for (const pre of all(cell, 'pre')) rename(pre, 'code');
          for (const code of all(cell, 'code code')) unwrap(code);
          for (const line of all(cell, 'br')) line.replaceWith(' ');
          for (const block of all(cell, BLOCKS)) {
            block.append(' ');
            unwrap(block);
          }
          row.append(rename(cell, at === 0 ? 'th' : 'td'));
        }
        return row;
      }),
    );
  }
}

const writer = new TurndownService({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
  strongDelimiter: '**',
});
const escapeText = writer.escape.bind(writer);
// Only here dollar signs are formulas and entities are signs.
writer.escape = (text) =>
  text
    .split(/(\$[_^]\{[^{}$]+\}\$)/)
    .map((part, at) => (at % 2 ? part : escapeText(part).replace(/\$|&(?=#?\w+;)/g, String.raw`\$&`)))
    .join('');
writer.addRule('struck', {
  filter: ['s', 'del', 'strike' as 's'],
  replacement: (content) => (content.trim() ? `~~${content}~~` : content),
});
writer.addRule('line', {
  filter: 'br',
  replacement(_content, node) {
    const before = beside(node, 'previousSibling');
    const after = beside(node, 'nextSibling');
    if (!before || !after || after.nodeName === 'BR') return '';
    return before.nodeName === 'BR' && !node.parentElement?.closest(MARKS) ? '\n\n' : '\\\n';
  },
});
writer.addRule('formula', {
  filter: ({ localName }) => localName === 'math',
  replacement(_content, node) {
    const style = (node as Element).getAttribute('display') === 'block' ? '\\displaystyle ' : '';
    return `$${style}${node.textContent!.replace(/\s+/g, ' ').trim()}$`;
  },
});
writer.addRule('item', {
  filter: 'li',
  replacement(content, node) {
    const parent = node.parentNode as HTMLElement | null;
    const before = [...(parent?.children ?? [])].indexOf(node as HTMLElement);
    const start = Number(/^\d{1,8}$/.exec(parent?.getAttribute('start') ?? '') ?? 1);
    const mark = parent?.nodeName === 'OL' ? `${start + before}. ` : '- ';
    const text = content.trim().replace(/\n(?!\n|$)/g, `\n${' '.repeat(mark.length)}`);
    return `${mark}${text}${node.nextSibling ? '\n' : ''}`;
  },
});
writer.addRule('box', {
  filter: (node) => node.nodeName === 'INPUT',
  replacement: (_content, node) => {
    const box = node as HTMLInputElement;
    if (box.type !== 'checkbox' || !box.closest('li')) return '';
    return box.hasAttribute('checked') ? '[x] ' : '[ ] ';
  },
});
writer.addRule('cell', {
  filter: ['th', 'td'],
  replacement: (content) => ` ${content.replace(/\s+/g, ' ').trim().replace(/\|/g, String.raw`\|`)} |`,
});
writer.addRule('row', {
  filter: 'tr',
  replacement(content, node) {
    const cells = (node as HTMLElement).children.length;
    const line = node.previousSibling ? '' : `\n|${' --- |'.repeat(cells)}`;
    return `\n|${content}${line}`;
  },
});
writer.addRule('table', {
  filter: 'table',
  replacement: (content) => `\n\n${content.trim()}\n\n`,
});

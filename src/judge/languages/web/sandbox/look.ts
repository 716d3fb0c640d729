import type { Read } from '../query.ts';
import { getterOf, textOnly, uncurried } from './intrinsics.ts';

/** White space is put in order outside (`readings.ts`), as a program may have replaced functions here. */

export type Finding =
  | { found: 'value'; value: string }
  | { found: 'nothing'; why: 'element' | 'attribute' | 'property' }
  | { found: 'bad-selector'; message: string };

// Marks inside raw text: noncharacters, which are taken out of a page's own texts.
export const BREAK = '\uFDD0';
export const PRE_START = '\uFDD1';
export const PRE_END = '\uFDD2';
export const CELL = '\uFDD3';

const ELEMENT = 1;
const TEXT = 3;

const queryAll = uncurried(Element.prototype.querySelectorAll);
const queryAllOfDocument = uncurried(Document.prototype.querySelectorAll);
const getAttribute = uncurried(Element.prototype.getAttribute);
const hasAttribute = uncurried(Element.prototype.hasAttribute);
const item = uncurried(NodeList.prototype.item);
const lengthOf = getterOf<number>(NodeList.prototype, 'length');
const firstChildOf = getterOf<Node | null>(Node.prototype, 'firstChild');
const nextSiblingOf = getterOf<Node | null>(Node.prototype, 'nextSibling');
const nodeTypeOf = getterOf<number>(Node.prototype, 'nodeType');
const localNameOf = getterOf<string>(Element.prototype, 'localName');
const dataOf = getterOf<string>(CharacterData.prototype, 'data');
const innerHtmlOf = getterOf<string>(Element.prototype, 'innerHTML');
const inputValueOf = getterOf<string>(HTMLInputElement.prototype, 'value');
const areaValueOf = getterOf<string>(HTMLTextAreaElement.prototype, 'value');
const selectValueOf = getterOf<string>(HTMLSelectElement.prototype, 'value');
const checkedOf = getterOf<boolean>(HTMLInputElement.prototype, 'checked');
const selectedOf = getterOf<boolean>(HTMLOptionElement.prototype, 'selected');
const lowerCase = uncurried(String.prototype.toLowerCase);
const indexOf = uncurried(String.prototype.indexOf as (this: string, part: string) => number);
const slice = uncurried(String.prototype.slice);
const computedStyle = getComputedStyle;
const propertyValue = uncurried(
  Object.getPrototypeOf(CSSStyleDeclaration.prototype)?.getPropertyValue ??
    CSSStyleDeclaration.prototype.getPropertyValue,
);

const set = (words: string): Record<string, true> => {
  const known = Object.create(null) as Record<string, true>;
  for (const word of words.split(' ')) known[word] = true;
  return known;
};

const BLOCKS = set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre ' +
    'search section summary table tbody tfoot thead tr ul',
);
const CELLS = set('td th');
const UNSEEN = set(
  'head script style template noscript iframe object audio video canvas svg-title title datalist',
);
const SWITCHES = set(
  'allowfullscreen async autofocus autoplay checked controls default defer disabled formnovalidate hidden inert ismap ' +
    'itemscope loop multiple muted nomodule novalidate open playsinline readonly required reversed selected',
);
const HAS_TITLE = set('head');

const LONGEST_TEXT = 1_000_000;

function hasMark(text: string): boolean {
  return (
    indexOf(text, BREAK) >= 0 ||
    indexOf(text, PRE_START) >= 0 ||
    indexOf(text, PRE_END) >= 0 ||
    indexOf(text, CELL) >= 0
  );
}

function appendText(node: Node, into: string[], inPre: boolean): void {
  const data = slice(textOnly(dataOf(node)), 0, LONGEST_TEXT);
  let text = data;
  if (hasMark(data)) {
    text = '';
    for (let i = 0; i < data.length; i++) if (data[i]! < BREAK || data[i]! > CELL) text += data[i];
  }
  into[into.length] = inPre ? `${PRE_START}${text}${PRE_END}` : text;
}

/** Marks stand where blocks, cells and preformatted parts begin and end. */
export function rawText(root: Node): string {
  const parts: string[] = [];
  const isHead = nodeTypeOf(root) === ELEMENT && HAS_TITLE[localNameOf(root)] === true;
  const walk = (node: Node, inPre: boolean): void => {
    for (let child = firstChildOf(node); child; child = nextSiblingOf(child)) {
      const type = nodeTypeOf(child);
      if (type === TEXT) {
        appendText(child, parts, inPre);
        continue;
      }
      if (type !== ELEMENT) continue;
      const name = localNameOf(child);
      if (name === 'br') {
        parts[parts.length] = BREAK;
        continue;
      }
      if (UNSEEN[name] && !isHead) continue;
      const edge = BLOCKS[name] ? BREAK : CELLS[name] ? CELL : '';
      parts[parts.length] = edge;
      walk(child, inPre || name === 'pre' || name === 'textarea');
      parts[parts.length] = edge;
    }
  };
  if (nodeTypeOf(root) === ELEMENT) {
    const name = localNameOf(root);
    walk(root, name === 'pre' || name === 'textarea');
  } else walk(root, false);
  let text = '';
  for (let i = 0; i < parts.length && text.length < LONGEST_TEXT; i++) text += parts[i];
  return text;
}

function readAttribute(element: Element, written: string): Finding {
  const kind = localNameOf(element);
  // Case counts in SVG alone.
  const name = lowerCase(written);
  let value: string | null = null;
  // What a visitor changed is in the field, not in the markup.
  if (name === 'value' && kind === 'input') value = inputValueOf(element);
  else if (name === 'value' && kind === 'textarea') value = areaValueOf(element);
  else if (name === 'value' && kind === 'select') value = selectValueOf(element);
  else if (name === 'checked' && kind === 'input') value = checkedOf(element) ? 'true' : 'false';
  else if (name === 'selected' && kind === 'option') value = selectedOf(element) ? 'true' : 'false';
  else if (SWITCHES[name]) value = hasAttribute(element, name) ? 'true' : 'false';
  else value = getAttribute(element, written);
  return value === null ? { found: 'nothing', why: 'attribute' } : { found: 'value', value: textOnly(value) };
}

function readStyle(element: Element, { name, of }: Read & { what: 'style' }): Finding {
  const value = textOnly(propertyValue(computedStyle(element, of), name));
  return value === '' ? { found: 'nothing', why: 'property' } : { found: 'value', value };
}

function readOne(element: Element, read: Read): Finding {
  switch (read.what) {
    case 'text':
      return { found: 'value', value: rawText(element) };
    case 'html':
      return { found: 'value', value: textOnly(innerHtmlOf(element)) };
    case 'attribute':
      return readAttribute(element, read.name);
    case 'style':
      return readStyle(element, read);
    case 'count':
      return { found: 'value', value: '1' };
  }
}

export function matches(root: Document | Element, selector: string, without?: Element): Element[] | string {
  let list: NodeListOf<Element>;
  try {
    list = (
      root === document ? queryAllOfDocument(document, selector) : queryAll(root as Element, selector)
    ) as NodeListOf<Element>;
  } catch (error) {
    return textOnly((error as Error | null)?.message) || 'The selector is not valid.';
  }
  const found: Element[] = [];
  const length = lengthOf(list);
  for (let i = 0; i < length; i++) {
    const element = item(list, i) as Element;
    if (element !== without) found[found.length] = element;
  }
  return found;
}

export function look(
  root: Document | Element,
  selector: string | null,
  read: Read,
  without?: Element,
): Finding {
  if (selector === null) return readOne(root as Element, read);
  const found = matches(root, selector, without);
  if (typeof found === 'string') return { found: 'bad-selector', message: found };
  if (read.what === 'count') return { found: 'value', value: `${found.length}` };
  const first = found[0];
  return first ? readOne(first, read) : { found: 'nothing', why: 'element' };
}

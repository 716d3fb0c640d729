import { type DefaultTreeAdapterTypes, type ParserError, parse, parseFragment } from 'parse5';
import type { LearnerError } from '../protocol.ts';
import { attributesOf, elementsWith, HTML_ELEMENTS, VOID_ELEMENTS } from './markup-names.ts';
import { nearest } from './nearest.ts';
import { placeIn } from './place.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.ChildNode;

interface Mistake {
  offset: number;
  message: string;
  explanation: string;
  weight: number;
}

const LONGEST_SOURCE = 20_000;
const MOST_MISTAKES = 20;

const OPTIONAL_END = new Set(
  'html head body p li dt dd option optgroup tr td th thead tbody tfoot rt rp colgroup'.split(' '),
);
const NOT_IN_ITSELF = new Set(['a', 'button', 'form', 'label']);
const SURE = 3;
const LIKELY = 2;
const STYLE = 1;

const TOKENIZER: Record<string, [message: string, explanation: string]> = {
  'duplicate-attribute': ['An attribute is there twice.', 'Keep one of them: a browser ignores the second.'],
  'missing-whitespace-between-attributes': [
    'There is no space between two attributes.',
    'Set attributes apart by spaces: <a href="/" class="link">. Or a quote ends too early.',
  ],
  'unexpected-character-in-attribute-name': [
    'A quote or < stands where a name of an attribute belongs.',
    'Look for a missing quote or a missing > before this place: <a href="page.html">.',
  ],
  'unexpected-equals-sign-before-attribute-name': [
    'There is an = without an attribute before it.',
    'Write the name first and no spaces around =: class="card".',
  ],
  'missing-attribute-value': [
    'An attribute has an = and no value.',
    'Write a value in quotes after =: href="page.html".',
  ],
  'unexpected-character-in-unquoted-attribute-value': [
    'The quotes of an attribute do not match.',
    'Put the value between two of the same quotes: class="card".',
  ],
  'eof-in-tag': [
    'A tag is not closed.',
    'A tag ends with >. Most often a quote before it is not closed and hides it.',
  ],
  'eof-in-comment': ['A comment is not closed.', 'A comment begins with <!-- and ends with -->.'],
  'incorrectly-opened-comment': [
    'This is no comment and no tag.',
    'A comment begins with <!-- and ends with -->.',
  ],
  'incorrectly-closed-comment': ['A comment is closed with --!>.', 'It ends with -->.'],
  'invalid-first-character-of-tag-name': [
    'A < is followed by something that is no name.',
    'The name comes right after <: <p>. To show a < as text write &lt;',
  ],
  'missing-end-tag-name': ['There is </> without a name.', 'Name the element that ends: </p>.'],
  'unexpected-solidus-in-tag': ['There is a / inside a tag.', 'A closing tag has its / right after <: </p>.'],
  'end-tag-with-attributes': ['A closing tag has attributes.', 'Attributes belong into the opening tag.'],
  'end-tag-with-trailing-solidus': ['A closing tag ends with />.', 'Write it as </p>.'],
  'missing-semicolon-after-character-reference': [
    'A sign such as &amp; lacks its semicolon.',
    'Names of signs end with a semicolon: &amp; &lt; &copy;',
  ],
  'unknown-named-character-reference': [
    'This sign after & is not known.',
    'Check the name, as in &amp; &lt; &nbsp;',
  ],
  'non-void-html-element-start-tag-with-trailing-solidus': [
    'A tag ends with /> though its element has content.',
    'A browser reads it as an opening tag. Write both tags: <div></div>.',
  ],
};

function listed() {
  const mistakes: Mistake[] = [];
  const add = (offset: number, message: string, explanation: string, weight = SURE) =>
    mistakes.push({ offset, message, explanation, weight });
  return { mistakes, add };
}

type Found = ReturnType<typeof listed>;

function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

const attribute = (element: Element, name: string) =>
  element.attrs.find((each) => each.name === name)?.value ?? null;

function unpaired(source: string, { mistakes, add }: Found): void {
  const open: { name: string; offset: number }[] = [];
  const text = source.replace(
    /<!--[\s\S]*?(?:-->|$)|<(script|style|textarea|title)\b[^>]*>[\s\S]*?<\/\1\s*>/gi,
    (all) => ' '.repeat(all.length),
  );
  const tags = /<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)(>|(?=<)|$)/gi;
  for (const match of text.matchAll(tags)) {
    const [all, slash, written, rest, end] = match as unknown as [string, string, string, string, string];
    const name = written.toLowerCase();
    const offset = match.index;
    if (end !== '>') {
      add(
        offset,
        `The tag <${slash}${written} is not closed with >.`,
        `Write <${slash}${written}> with a > at its end, before what follows.`,
      );
    }
    if (!slash && NOT_IN_ITSELF.has(name) && open.some((each) => each.name === name)) {
      add(
        offset,
        `<${name}> is inside another <${name}>.`,
        `Close the first with </${name}> before the second begins.`,
      );
    }
    if (!slash && /^t[dh]$/.test(name) && !open.some((each) => each.name === 'tr')) {
      add(offset, `<${name}> is outside of a row.`, 'Cells stand inside <tr>.', LIKELY);
    }
    if (name === 'image') {
      add(
        offset,
        'There is no element <image>.',
        'Did you mean <img>? It has no content and no closing tag.',
      );
    } else if (slash) close(name, offset);
    else if (!VOID_ELEMENTS.has(name) && !rest.trimEnd().endsWith('/')) open.push({ name, offset });
    if (mistakes.length > MOST_MISTAKES || all === '') break;
  }
  for (const { name, offset } of open) unclosed(name, offset);

  function unclosed(name: string, offset: number): void {
    const line = source.slice(offset, offset + 200).split('\n')[0]!;
    const twice = !OPTIONAL_END.has(name) && new RegExp(`^<${name}[^>]*>[^<]*<${name}>`, 'i').test(line);
    add(
      offset,
      `<${name}> is never closed.`,
      twice ? `The closing tag has a slash: </${name}>.` : `Add </${name}> where its content ends.`,
      OPTIONAL_END.has(name) ? STYLE : SURE,
    );
  }

  function close(name: string, offset: number): void {
    if (name === 'link') {
      add(
        offset,
        '<link> is no link to click on.',
        'It names a file that belongs to the page. A link to another page is <a href="…">…</a>.',
      );
      return;
    }
    if (VOID_ELEMENTS.has(name)) {
      add(
        offset,
        `<${name}> has no closing tag.`,
        `It has no content, so it stands alone: <${name}>. Take </${name}> away.`,
      );
      return;
    }
    const at = open.findLastIndex((each) => each.name === name);
    if (at < 0) {
      const isKnown = HTML_ELEMENTS.has(name) && !/^h\d$/.test(name);
      const meant = isKnown ? null : nearest(name, new Set(open.map((each) => each.name)));
      add(
        offset,
        `</${name}> closes nothing.`,
        meant
          ? `Did you mean </${meant}>?`
          : 'There is no open element of that name here. Take the tag away, or check its spelling.',
      );
      if (meant)
        open.splice(
          open.findLastIndex((each) => each.name === meant),
          1,
        );
      return;
    }
    const skipped = open.splice(at).slice(1);
    for (const inner of skipped) {
      // Closed right after: the two are in the wrong order. Otherwise it is not closed at all.
      const later = new RegExp(`^</${name}\\s*>[^<]*</${inner.name}\\s*>`, 'i').test(source.slice(offset));
      if (!later) {
        unclosed(inner.name, inner.offset);
        continue;
      }
      open.push(inner);
      add(
        offset,
        `</${name}> comes before </${inner.name}>.`,
        `What is opened last is closed first: close <${inner.name}> before <${name}>.`,
      );
    }
  }
}

/** https://html.spec.whatwg.org/multipage/input.html#attr-input-type */
const INPUT_TYPES = new Set(
  'button checkbox color date datetime-local email file hidden image month number password radio range reset search submit tel text time url week'.split(
    ' ',
  ),
);
const MEANT_TYPES: Record<string, string> = {
  mail: 'email',
  'e-mail': 'email',
  phone: 'tel',
  telephone: 'tel',
  string: 'text',
  integer: 'number',
  int: 'number',
  datetime: 'datetime-local',
  address: 'text',
};

const BLOCKS_IN_P =
  /^(?:address|article|aside|blockquote|div|dl|fieldset|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/;

function checkAttributes(element: Element, source: string, found: Found): void {
  const { tagName } = element;
  const locations = element.sourceCodeLocation?.attrs ?? {};
  for (const { name, value } of element.attrs) {
    const offset = locations[name]?.startOffset ?? element.sourceCodeLocation?.startOffset ?? 0;
    const add = (message: string, explanation: string, weight?: number) =>
      found.add(offset, message, explanation, weight);
    if (/[“”‘’]/.test(name + value.slice(0, 1))) {
      add('The quotes are typographic ones.', 'Use the straight quotes of the keyboard: " or \'.');
    } else if (name === 'classname')
      add('"className" is written in HTML.', 'In HTML the attribute is class. className belongs to React.');
    else if (name.includes(':') && !/^(?:xml|xlink|v-|on)/.test(name)) {
      add(
        `"${name}" is written with a colon.`,
        `In HTML an = stands between a name and its value: ${name.split(':')[0]}="…".`,
      );
    } else if (name === 'style' && /^[\w-]+\s*=/.test(value)) {
      add('The style is written with =.', 'Inside style stands CSS, with colons: style="color: red".');
    } else if (tagName === 'input' && name === 'type' && !INPUT_TYPES.has(value.toLowerCase())) {
      const meant = MEANT_TYPES[value.toLowerCase()] ?? nearest(value.toLowerCase(), INPUT_TYPES);
      add(
        `There is no input of the type "${value}".`,
        meant ? `Did you mean type="${meant}"?` : 'Browsers take it for type="text". Check the spelling.',
      );
    } else if (!isKnown(tagName, name)) {
      const elsewhere = { src: 'href', href: 'src' }[name];
      const isSwapped = elsewhere && attributesOf(tagName).has(elsewhere);
      const meant = isSwapped ? elsewhere : nearest(name, attributesOf(tagName));
      add(
        `<${tagName}> has no attribute "${name}".`,
        meant ? `Did you mean ${meant}?` : belongsElsewhere(tagName, name),
        meant ? SURE : LIKELY,
      );
    }
    const raw = source.slice(offset, locations[name]?.endOffset ?? offset);
    if (
      /^[^=]+=\s*[^"'\s]/.test(raw) &&
      /^\s+[^\s=<>"'/]+(?=[\s>])/.test(source.slice(offset + raw.length)) &&
      !/\s[\w-]+=/.test(source.slice(offset + raw.length).split('>')[0]!)
    ) {
      add(
        `The value of "${name}" is not in quotes.`,
        `Only the part before the first space counts. Put quotes around all of it: ${name}="…".`,
        LIKELY,
      );
    }
    if (/[<>]/.test(value) && /[\r\n<]/.test(value) && name !== 'srcdoc') {
      add(
        `The value of "${name}" is not closed.`,
        'A quote is missing at its end, so that the markup after it became part of it.',
      );
    }
  }
}

/** Naming more would tell a beginner nothing. */
const MOST_OWNERS = 3;

function belongsElsewhere(tagName: string, name: string): string {
  const owners = elementsWith(name).map((owner) => `<${owner}>`);
  if (owners.length === 0)
    return 'Browsers ignore attributes they do not know. Check the spelling and the quotes.';
  if (owners.length === 1)
    return `${name} belongs to ${owners[0]}. Write ${owners[0]} in place of <${tagName}>, or leave ${name} out.`;
  const others = owners.length > MOST_OWNERS ? 'others' : owners.pop()!;
  return `${name} belongs to ${owners.slice(0, MOST_OWNERS).join(', ')} and ${others}. Browsers ignore it here.`;
}

function isKnown(tagName: string, name: string): boolean {
  if (/^(?:data-|aria-|on[a-z])/.test(name) || tagName.includes('-')) return true;
  return attributesOf(tagName).has(name) || !HTML_ELEMENTS.has(tagName);
}

function checkTree(root: { childNodes: Node[] }, source: string, found: Found): void {
  const ids = new Map<string, number>();
  const stack: { node: Node; parents: string[] }[] = root.childNodes.map((node) => ({ node, parents: [] }));
  while (stack.length > 0) {
    const { node, parents } = stack.pop()!;
    if (!isElement(node)) {
      if (node.nodeName === '#text') checkText(node, parents);
      continue;
    }
    if (node.namespaceURI.endsWith('svg') || node.namespaceURI.endsWith('MathML')) continue;
    checkElement(node, parents);
    const within = parents.length > 40 ? parents : [...parents, node.tagName];
    for (const child of node.childNodes) stack.push({ node: child, parents: within });
  }

  function checkText(node: Node, parents: string[]): void {
    const text = (node as DefaultTreeAdapterTypes.TextNode).value;
    const offset = node.sourceCodeLocation?.startOffset;
    if (offset === undefined || !text.trim()) return;
    const parent = parents.at(-1);
    const lead = text.length - text.trimStart().length;
    if (parent === 'ul' || parent === 'ol') {
      found.add(
        offset + lead,
        `There is text right inside <${parent}>.`,
        'A list holds only items: put the text into <li>…</li>.',
        LIKELY,
      );
    }
  }

  function checkElement(element: Element, parents: string[]): void {
    const { tagName } = element;
    const location = element.sourceCodeLocation;
    // Elements that the browser adds by itself have no place in the source.
    if (!location) return;
    const add = (message: string, explanation: string, weight?: number) =>
      found.add(location.startOffset, message, explanation, weight);
    if (!HTML_ELEMENTS.has(tagName) && !tagName.includes('-') && !OLD.has(tagName)) {
      const meant = /^h\d+$/.test(tagName) ? null : nearest(tagName, HTML_ELEMENTS);
      const example = /^h\d+$/.test(tagName)
        ? 'Headings go from <h1> to <h6>.'
        : 'Check the spelling: browsers know no such element.';
      add(`There is no element <${tagName}>.`, meant ? `Did you mean <${meant}>?` : example);
    }
    if (OLD.has(tagName)) add(`<${tagName}> is out of date.`, 'Use CSS for how things look.', STYLE);
    checkAttributes(element, source, found);
    const parent = parents.at(-1);
    if (tagName === 'li' && parent !== 'ul' && parent !== 'ol' && parent !== 'menu') {
      add('<li> is outside of a list.', 'Put the items between <ul> and </ul>, or <ol> and </ol>.');
    }
    if ((parent === 'ul' || parent === 'ol') && !/^(?:li|script|template)$/.test(tagName)) {
      add(
        `<${tagName}> is right inside <${parent}>.`,
        'A list holds only items: put it into an <li>.',
        LIKELY,
      );
    }
    if (tagName === 'img' && attribute(element, 'src') === null) {
      add('<img> has no src.', 'Name the picture: <img src="cat.jpg" alt="A cat">.', LIKELY);
    }
    if (tagName === 'img' && attribute(element, 'alt') === null) {
      add(
        '<img> has no alt.',
        'Say what the picture shows, for those who cannot see it: alt="A cat".',
        STYLE,
      );
    }
    if (tagName === 'a' && attribute(element, 'href') === null && element.attrs.length > 0) {
      add('<a> has no href.', 'A link needs an address: <a href="page.html">.', LIKELY);
    }
    const id = attribute(element, 'id');
    if (id !== null && ids.has(id))
      add(`The id "${id}" is there twice.`, 'An id names one element. Use a class for several.', LIKELY);
    if (id !== null) ids.set(id, location.startOffset);
    if (tagName === 'label' && attribute(element, 'for') === '')
      add('The label is for nothing.', 'Write the id of its field: for="name".', STYLE);
    if (
      tagName === 'input' &&
      attribute(element, 'type') === 'radio' &&
      attribute(element, 'name') === null
    ) {
      add(
        'A radio button has no name.',
        'Those that belong together share one: <input type="radio" name="size" value="s">.',
        LIKELY,
      );
    }
    for (const side of /^(?:img|canvas|video|iframe)$/.test(tagName) ? ['width', 'height'] : []) {
      const size = attribute(element, side);
      if (size === null || /^\s*\d+%?\s*$/.test(size)) continue;
      add(`The ${side} of <${tagName}> is no number.`, `Write it without a unit: ${side}="100".`, LIKELY);
    }
  }
}

const OLD: ReadonlySet<string> = new Set(
  'acronym big center dir font frame frameset marquee nobr noframes strike tt'.split(' '),
);

function brokenParagraphs(source: string, { add }: Found): void {
  for (const match of source.matchAll(/<p\b[^>]*>((?:(?!<\/?p\b)[\s\S]){0,2000}?)<([a-z]+\d?)\b/gi)) {
    if (!BLOCKS_IN_P.test(match[2]!.toLowerCase()) || match[2]!.toLowerCase() === 'p') continue;
    const closes = source.slice(match.index).search(/<\/p\s*>/i);
    if (closes < 0 || closes < match[0].length) continue;
    add(
      match.index + match[0].length - match[2]!.length - 1,
      `<${match[2]}> is inside a paragraph.`,
      `A paragraph ends before it, as <p> holds only text and inline elements. Close <p> first, or use <div>.`,
      LIKELY,
    );
  }
}

function findMistakes(source: string): Mistake[] {
  const found = listed();
  const { mistakes, add } = found;
  unpaired(source, found);
  const isOpenTag = mistakes.some(({ message }) => message.endsWith('with >.'));
  const onParseError = (error: ParserError) => {
    const known = TOKENIZER[error.code];
    if (!known) return;
    // A quote that is not closed swallows what follows, so that other complaints come of it.
    add(error.startOffset, ...known, error.code === 'eof-in-tag' && !isOpenTag ? SURE + 1 : LIKELY);
  };
  const options = { sourceCodeLocationInfo: true, onParseError };
  const isDocument = /<(?:!doctype|html|head|body)\b/i.test(source);
  const tree = isDocument ? parse(source, options) : parseFragment(source, options);
  for (const match of source.matchAll(/<\s+\/?[a-z]+[^<>]*>|<\\[a-z]+>/gi)) {
    const isBackslash = match[0][1] === '\\';
    add(
      match.index,
      isBackslash ? 'A closing tag has a backslash.' : 'There is a space after <.',
      isBackslash ? 'It is a slash: </p>.' : 'The name comes right after <: <p>.',
    );
  }
  for (const match of source.matchAll(/<(table|tbody|thead|tr)\b[^<>]*>\s*[^<\s]/gi)) {
    add(
      match.index,
      `There is text right inside <${match[1]!.toLowerCase()}>.`,
      'Text of a table stands in its cells: <tr><td>…</td></tr>.',
      LIKELY,
    );
  }
  if (/<style\b[^>]*>(?![\s\S]*<\/style)/i.test(source)) {
    add(
      source.search(/<style\b/i),
      '<style> is never closed.',
      'Everything after it is read as CSS. Add </style> where the styles end.',
    );
  }
  checkTree(tree, source, found);
  brokenParagraphs(source, found);
  return mistakes;
}

/** The surest first, then in the order of the text. */
export function explainHtml(source: string): LearnerError[] {
  if (source.length > LONGEST_SOURCE) return [];
  let mistakes: Mistake[];
  try {
    mistakes = findMistakes(source);
  } catch {
    // Nested beyond what a parser follows: that is no beginner's mistake.
    return [];
  }
  const seen = new Set<string>();
  return mistakes
    .sort((a, b) => b.weight - a.weight || a.offset - b.offset)
    .map(({ offset, message, explanation }) => ({
      name: 'Hint',
      message,
      ...placeIn(source, offset),
      explanation,
    }))
    .filter(({ line, message }) => {
      const key = `${line} ${message}`;
      return seen.has(key) ? false : seen.add(key);
    })
    .slice(0, MOST_MISTAKES);
}

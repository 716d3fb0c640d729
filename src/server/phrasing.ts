import { type DefaultTreeAdapterTypes, html as markup, parseFragment, serialize } from 'parse5';

type Child = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

const HEADING = /^h[1-6]$/;
const BLOCKS = new Set([
  ...['p', 'div', 'figure', 'figcaption', 'blockquote', 'ul', 'ol', 'li'],
  ...['table', 'thead', 'tbody', 'tr'],
]);
const BARE = new Set(['a', 'th', 'td']);
const NOT_KEPT = new Set(['id', 'tabindex', 'role', 'aria-label']);
/** What scrolls needs a tab stop, which would take the clicks of its label. */
const CODE_CLASS = 'block whitespace-pre-wrap wrap-anywhere';

const isElement = (node: Child): node is Element => 'tagName' in node;
const textNode = (value: string): Child => ({ nodeName: '#text', value, parentNode: null }) as Child;
const wordsOf = (node: Child): string =>
  isElement(node) ? node.childNodes.map(wordsOf).join('') : 'value' in node ? node.value : '';

function element(tagName: string, className: string, children: Child[]): Element {
  const made: Element = {
    nodeName: tagName,
    tagName,
    attrs: className ? [{ name: 'class', value: className }] : [],
    namespaceURI: markup.NS.HTML,
    childNodes: children,
    parentNode: null,
  };
  for (const child of children) child.parentNode = made;
  return made;
}

function phrased(node: Child): Child[] {
  if (!isElement(node)) return 'value' in node ? [textNode(node.value)] : [];
  const { tagName, attrs } = node;
  if (tagName === 'pre') return [element('code', CODE_CLASS, [textNode(wordsOf(node).trimEnd())])];
  if (tagName === 'hr') return [];
  if (tagName === 'input') return [textNode(attrs.some(({ name }) => name === 'checked') ? '☑' : '☐')];
  const inside = childrenOf(node);
  if (BARE.has(tagName)) return inside;
  if (HEADING.test(tagName)) return [element('span', 'block', [element('strong', '', inside)])];
  if (BLOCKS.has(tagName)) return [element('span', 'block', inside)];
  const kept: Element = {
    ...node,
    attrs: attrs.filter(({ name }) => !NOT_KEPT.has(name)),
    childNodes: inside,
  };
  for (const child of inside) child.parentNode = kept;
  return [kept];
}

function childrenOf(node: Parent): Child[] {
  let place = 0;
  return node.childNodes.flatMap((child, at) => {
    const made = phrased(child);
    if (!isElement(child)) return made;
    const parent = node as Element;
    if (child.tagName === 'li') {
      place += 1;
      const start = Number(parent.attrs?.find(({ name }) => name === 'start')?.value ?? 1);
      const sign = textNode(parent.tagName === 'ol' ? `${start + place - 1}. ` : '• ');
      return made.map((one) =>
        isElement(one) ? element('span', 'block', [sign, ...unblocked(one.childNodes)]) : one,
      );
    }
    const isCell = child.tagName === 'td' || child.tagName === 'th';
    const isFirst = !node.childNodes.slice(0, at).some(isElement);
    return isCell && !isFirst ? [textNode(' | '), ...made] : made;
  });
}

const isBlock = ({ tagName, attrs }: Element) =>
  tagName === 'span' && attrs.some(({ name, value }) => name === 'class' && value === 'block');

function unblocked(children: readonly Child[]): Child[] {
  const first = children.findIndex((child) => wordsOf(child).trim() !== '' || isElement(child));
  return children.flatMap((child, at) =>
    at === first && isElement(child) && isBlock(child) ? child.childNodes : [child],
  );
}

/** Phrasing content for a label: no blocks, nothing to click or tab to. */
export function phrasing(html: string): string {
  const root = parseFragment(html);
  root.childNodes = childrenOf(root);
  for (const child of root.childNodes) child.parentNode = root;
  return serialize(root).trim();
}

export function withoutHeadings(html: string): string {
  if (!/<h[1-6]/.test(html)) return html;
  const root = parseFragment(html);
  const walk = (node: Parent) => {
    for (const [at, child] of node.childNodes.entries()) {
      if (!isElement(child)) continue;
      if (!HEADING.test(child.tagName)) walk(child);
      else {
        const bold = element('p', '', [element('strong', '', child.childNodes)]);
        bold.parentNode = node;
        node.childNodes[at] = bold;
      }
    }
  };
  walk(root);
  return serialize(root);
}

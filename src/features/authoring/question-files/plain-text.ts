import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { isRaised, raised } from '#src/features/authoring/text-editor/raised.ts';

export interface Marked {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly MarkedNode[];
}
export type MarkedNode = string | Marked;

/** Parsing nested tags takes more than linear time. */
const HTML_MAX = 20_000;
/** Honest texts stay below twenty levels. */
export const DEPTH_MAX = 100;

const BLOCKS = new Set(
  'address article blockquote dd div dl dt figure figcaption footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);
const LEFT_OUT: Record<string, string> = {
  ...{ img: 'picture', picture: 'picture', svg: 'picture', object: 'embedded file', embed: 'embedded file' },
  ...{ iframe: 'embedded page', audio: 'recording', video: 'video', math: 'formula' },
};
const SILENT = new Set(['script', 'style', 'head', 'title', 'template']);

/**
 * The text as a question has it: lines, and code between backticks.
 * @param lost gathers what it cannot hold
 */
export function plainText(nodes: readonly MarkedNode[], lost: Set<string>): string {
  let out = '';
  const walk = (node: MarkedNode, isVerbatim: boolean): void => {
    if (typeof node === 'string') {
      out += isVerbatim ? node : node.replace(/\s+/g, ' ');
      return;
    }
    const { name, attributes, children } = node;
    if (SILENT.has(name)) return;
    const kind = LEFT_OUT[name];
    if (kind) {
      lost.add(kind);
      out += attributes.get('alt') ?? '';
      return;
    }
    if (name === 'br') out += '\n';
    const isBlock = BLOCKS.has(name);
    const isCode = name === 'code' && !isVerbatim;
    if (isBlock) out += '\n';
    if (name === 'li') out += '- ';
    const before = out;
    if (isRaised(name)) out = '';
    if (isCode) out += '`';
    for (const child of children) walk(child, isVerbatim || name === 'pre' || isCode);
    if (isRaised(name)) out = before + raised(name, out);
    if (isCode) out += '`';
    if (isBlock) out += '\n';
    else if (name === 'td' || name === 'th') out += ' ';
  };
  for (const node of nodes) walk(node, false);
  return out
    .split('\n')
    .map((one) => one.trimEnd().replace(/^ (?! )/, ''))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/**
 * @param lost as of `plainText`
 * @returns null where it is too long
 */
export function textOfHtml(html: string, lost: Set<string>): string | null {
  if (html.length > HTML_MAX) return null;
  return plainText(
    parseFragment(html).childNodes.flatMap((node) => marked(node, lost, 0)),
    lost,
  );
}

function marked(node: DefaultTreeAdapterTypes.ChildNode, lost: Set<string>, depth: number): MarkedNode[] {
  if ('value' in node) return [node.value];
  if (depth > DEPTH_MAX) lost.add('text in too many tags');
  if (!('tagName' in node) || depth > DEPTH_MAX) return [];
  const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
  return [
    {
      name: node.tagName,
      attributes,
      children: node.childNodes.flatMap((child) => marked(child, lost, depth + 1)),
    },
  ];
}

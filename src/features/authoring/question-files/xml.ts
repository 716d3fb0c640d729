import { SaxesParser } from 'saxes';
import { DEPTH_MAX, type Marked, type MarkedNode } from './plain-text.ts';

/** Names without prefixes, as QTI 2 writes them. */
export interface XmlElement extends Marked {
  children: XmlNode[];
  line: number;
}
export type XmlNode = string | XmlElement;

export class XmlProblem extends Error {
  override name = 'XmlProblem';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const camel = (text: string) => text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const local = (name: string) => name.slice(name.lastIndexOf(':') + 1);
/** `qti-simple-choice` of QTI 3 is `simpleChoice` in QTI 2. */
const nameOf = (name: string) => {
  const own = local(name);
  return own.startsWith('qti-') ? camel(own.slice(4)) : own;
};

/**
 * Reads XML without fetching or expanding: a document type declaration is refused.
 * @throws {XmlProblem} with its line
 */
export function readXml(source: string): XmlElement {
  const parser = new SaxesParser();
  const refuse = (message: string): never => {
    throw new XmlProblem(message, parser.line);
  };
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  let line = 1;
  const say = (text: string) => {
    open.at(-1)?.children.push(text);
  };
  parser.on('error', ({ message }) => refuse(`Not well-formed XML: ${message.replace(/^[\d:]+\s*/, '')}`));
  parser.on('doctype', () => refuse('A document type declaration is not taken'));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && !/^(utf-8|us-ascii)$/i.test(encoding))
      refuse('The file is not in UTF-8: save it as such');
  });
  parser.on('opentagstart', () => {
    line = parser.line;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= DEPTH_MAX) refuse('Elements lie too deep in each other');
    const named = Object.entries(attributes).map(([key, value]) => [camel(local(key)), value] as const);
    const element = { name: nameOf(name), attributes: new Map(named), children: [], line };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', say);
  parser.on('cdata', say);
  parser.write(source).close();
  return root ?? refuse('There is no element');
}

export const isElement = (node: MarkedNode): node is XmlElement => typeof node !== 'string';

export function allOf(within: XmlElement, name: string): XmlElement[] {
  return within.children
    .filter(isElement)
    .flatMap((child) => [...(child.name === name ? [child] : []), ...allOf(child, name)]);
}

export function textOf(element: XmlElement | undefined): string {
  return (element?.children ?? [])
    .map((child) => (isElement(child) ? textOf(child) : child))
    .join('')
    .trim();
}

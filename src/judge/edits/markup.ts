import { attributesOf, HTML_ELEMENTS } from '../explanations/markup-names.ts';
import { nearest } from '../explanations/nearest.ts';
import { groups, near, type Rule, rule, swaps, textOf } from './tree.ts';

export const HTML: Rule[] = [
  groups('attribute', 1, 'AttributeName', 'class id', 'href src', 'id for name', 'alt title'),
  swaps('attribute', 1, 'AttributeName', 'className class', 'htmlFor for'),
  rule('attribute', 1, 'AttributeName', (place) => {
    const tag = place.node.parent?.parent?.getChild('TagName') ?? null;
    const meant = nearest(place.text, attributesOf(textOf(place, tag)));
    return meant === null ? [] : [meant];
  }),
  near('text', 1.2, 'AttributeValue UnquotedAttributeValue Text'),
  rule('element', 1.3, 'TagName', (place) => {
    const { node, text, words, code } = place;
    const element = node.parent!.parent!;
    if (!/^(?:Open|SelfClosing)Tag$/.test(node.parent!.name)) return [];
    const closing = element.lastChild?.getChild('TagName');
    const meant = nearest(text, HTML_ELEMENTS);
    const others = [
      ...(meant ? [meant] : []),
      ...[...words].filter((word) => HTML_ELEMENTS.has(word)).slice(0, 3),
    ];
    return others
      .filter((other) => other !== text)
      .map((other) =>
        closing && closing.from > node.from
          ? { from: node.from, to: closing.to, insert: other + code.slice(node.to, closing.from) + other }
          : other,
      );
  }),
];

export const CSS: Rule[] = [
  rule('selector', 1, 'ClassSelector IdSelector TagSelector', ({ text }) => {
    const [, sign, name] = /([.#]?)([\w-]+)$/.exec(text) ?? [];
    if (name === undefined) return [];
    const rest = text.slice(0, text.length - sign!.length - name.length);
    return ['.', '#', ''].filter((other) => other !== sign).map((other) => rest + other + name);
  }),
  near('name', 1.2, 'ClassName IdName TagName PseudoClassName'),
  near('property', 1.2, 'PropertyName'),
  near('text', 1.3, 'ValueName'),
  groups('unit', 1, 'Unit', 'px rem em %'),
  rule('unit', 1.2, 'NumberLiteral', ({ text }) => (/^[\d.]+$/.test(text) ? [`${text}px`] : [])),
  groups(
    'property',
    1.3,
    'PropertyName',
    ...'margin padding|color background-color|width max-width min-width|justify-content align-items'.split(
      '|',
    ),
    ...'margin-top margin-bottom|padding-top padding-bottom|top bottom|left right|font-weight font-style'.split(
      '|',
    ),
    ...'height min-height max-height|row-gap column-gap gap'.split('|'),
  ),
  groups(
    'property',
    1.5,
    'ValueName',
    ...'row column|left right center|relative absolute fixed|flex grid block|bold normal|center space-between'.split(
      '|',
    ),
  ),
  rule('selector', 1.5, 'ChildOp SiblingOp', () => [' ']),
  rule('weight', 1.7, 'Declaration', ({ text }) =>
    /!/.test(text) ? [text.replace(/\s*!.*/, '')] : [`${text} !important`],
  ),
];

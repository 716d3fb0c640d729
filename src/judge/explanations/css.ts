import { type CssNode, type Declaration, generate, lexer, parse, tokenize, tokenNames, walk } from 'css-tree';
import type { LearnerError } from '../protocol.ts';
import { HTML_ELEMENTS, SVG_ELEMENTS } from './markup-names.ts';
import { nearest } from './nearest.ts';
import { placeIn } from './place.ts';
import { marksOf, type Marks, meantSelector } from './selectors.ts';

/** `isSyntax`: not CSS; else a browser ignores a part of it. */
interface Mistake {
  offset: number;
  message: string;
  explanation: string;
  isSyntax: boolean;
  isWeak?: true;
}

/** No lesson has longer sources. */
const LONGEST_SOURCE = 20_000;
const MOST_MISTAKES = 20;
const LONGEST_LINE = 200;

const LENGTHS =
  /^(?:width|height|(?:min|max)-|margin|padding|top$|right$|bottom$|left$|gap|font-size|border-(?:width|radius)|inset)/;

const unread = (offset: number, message: string, explanation: string): Mistake => ({
  offset,
  message,
  explanation,
  isSyntax: true,
});

const ignored = (node: CssNode, message: string, explanation: string): Mistake => ({
  ...unread(node.loc!.start.offset, message, explanation),
  isSyntax: false,
});

function endBefore(source: string, offset: number): number {
  return Math.max(0, source.slice(0, offset).trimEnd().length - 1);
}

function balance(source: string): Mistake[] {
  const mistakes: Mistake[] = [];
  const open: number[] = [];
  tokenize(source, (type, start, end) => {
    const name = tokenNames[type];
    const text = source.slice(start, end);
    if (name === '{-token') open.push(start);
    else if (name === '}-token' && open.pop() === undefined) {
      mistakes.push(
        unread(
          start,
          'There is a } without its {.',
          'Every } closes a { before it. Take this one away, or add the { of its rule after the selector.',
        ),
      );
    } else if (name === 'bad-string-token' || (name === 'string-token' && !/^(["']).*\1$/s.test(text))) {
      mistakes.push(
        unread(
          start,
          'A text in quotes is not closed.',
          `Put the closing ${text[0]} at the end of the text, on the same line.`,
        ),
      );
    } else if (name === 'comment-token' && !text.endsWith('*/')) {
      mistakes.push(
        unread(
          start,
          'A comment is not closed.',
          'A comment begins with /* and ends with */. Everything after it is ignored until then.',
        ),
      );
    }
  });
  const unclosed = open.at(-1);
  if (unclosed !== undefined) {
    mistakes.push(
      unread(
        unclosed,
        'This { has no }.',
        'A rule ends with }. Without it, the rules that follow become part of this one.',
      ),
    );
  }
  return mistakes;
}

function syntax(source: string): { mistakes: Mistake[]; tree: CssNode } {
  const mistakes: Mistake[] = [];
  const tree = parse(source, {
    positions: true,
    parseCustomProperty: false,
    onParseError(error, fallback) {
      // An error inside of one that is reported as well.
      if (!fallback) return;
      const raw = fallback as Raw;
      // A rule inside a rule is CSS, and so are functions newer than the parser.
      if (raw.value?.includes('{') || /\b(?:if|progid)\s*[(:]/.test(raw.value ?? '')) return;
      mistakes.push(explainParse(source, error as unknown as ParseError, raw));
    },
  });
  return { mistakes, tree };
}

const UNREADABLE = 'This cannot be read';

interface Raw {
  value?: string;
  loc?: { start: { offset: number } };
}

interface ParseError {
  message: string;
  offset: number;
}

const noBrace = (offset: number) =>
  unread(offset, 'A { is missing after the selector.', 'A rule is written as: selector { property: value; }');

const FUNCTIONAL = /(?:^|[\s>+~,])(not|is|where|nth-child|nth-of-type|nth-last-child)\(/;

function explainParse(source: string, error: ParseError, raw: Raw): Mistake {
  const text = raw.value ?? '';
  const start = raw.loc?.start.offset ?? error.offset;
  const rest = source.slice(start);
  if (/^\s*<\/?[a-z!]/i.test(rest)) {
    return unread(
      start,
      'There is HTML in the styles.',
      'Write only CSS here: no <style> and no other tags.',
    );
  }
  if (source.includes('<!--')) {
    return unread(
      source.indexOf('<!--'),
      'There is a comment of HTML in the styles.',
      'Write comments between /* and */.',
    );
  }
  if (/^\s*\/\//.test(text)) {
    return unread(start, 'CSS has no // comments.', 'Write comments between /* and */.');
  }
  const spaced =
    /^\s*([\w.#-]+):\s+(hover|focus|active|visited|checked|disabled|first-child|last-child)\b/.exec(
      source.slice(source.lastIndexOf('\n', error.offset - 1) + 1),
    );
  if (spaced) {
    return unread(
      start,
      'A space stands after the colon of a selector.',
      `The colon and the word belong together: ${spaced[1]}:${spaced[2]}.`,
    );
  }
  const asInHtml = /^(class|id)\s*=\s*["']?([\w-]+)/i.exec(text);
  if (asInHtml) {
    const sign = asInHtml[1]!.toLowerCase() === 'id' ? '#' : '.';
    return unread(
      start,
      'A selector is written as in HTML.',
      `In CSS a class has a dot before it and an id a #: ${sign}${asInHtml[2]} { color: red; }`,
    );
  }
  if (/^[\w-]+\s*=/.test(text)) {
    return unread(
      start,
      'A property is set with "=".',
      'In CSS a colon stands between a property and its value: color: red;',
    );
  }
  const lineStart = source.lastIndexOf('\n', error.offset - 1) + 1;
  const line = source.slice(lineStart, lineStart + LONGEST_LINE).split('\n')[0]!;
  const [, bare] = FUNCTIONAL.exec(line) ?? [];
  if (bare)
    return unread(start, `A colon is missing before "${bare}".`, `Such as li:${bare}(…), with no space.`);
  if (/[\w-]\s*::/.test(line) && !/::[^{]*\{/.test(line)) {
    return unread(start, 'There is a colon too many.', 'One colon stands between a property and its value.');
  }
  if (/[\w)\]]\s*:\s*\{/.test(line)) {
    return unread(
      error.offset,
      'A colon stands after the selector.',
      'Take the colon away: between the selector and the { stands nothing.',
    );
  }
  if (/^\s*[.#][\w-]+[^{;]*:/.test(text)) {
    return noBrace(start);
  }
  const apart = /([\d.]+)\s+%/.exec(text.slice(0, LONGEST_LINE));
  if (apart) {
    return unread(
      start + apart.index,
      'There is a space between a number and its unit.',
      `Write them together: ${apart[1]}%.`,
    );
  }
  // Two declarations on a line.
  const second = /^(?:[^:\n{]*:)?[^:\n{]*?\s([a-z-]+)\s*:/i.exec(text);
  if (second && lexer.getProperty(second[1]!.toLowerCase())) {
    return unread(
      start + second[0].lastIndexOf(second[1]!),
      `A semicolon is missing before "${second[1]}".`,
      'Every declaration ends with a semicolon: color: red; Without it the next one is read as part of the value.',
    );
  }
  // A value that goes on with the next declaration.
  const next = /\n\s*(?:[a-z-]+)\s*:/i.exec(text);
  if (next && /Unexpected input/.test(error.message)) {
    return unread(
      endBefore(source, start + next.index + 1),
      'A semicolon is missing at the end of this line.',
      'Every declaration ends with a semicolon: color: red; Without it the next line is read as part of the value.',
    );
  }
  if (/^Colon is expected/.test(error.message)) {
    return unread(
      start,
      `A colon is missing in "${text.trim().slice(0, 40).replace(/;$/, '')}".`,
      'A declaration is a property, a colon and a value: color: red;',
    );
  }
  if (/^[.#]\d/.test(rest)) {
    return unread(
      start,
      `The name after ${rest[0]} begins with a digit.`,
      'Names of classes and ids begin with a letter.',
    );
  }
  if (/^[.#]\s/.test(rest)) {
    return unread(
      start,
      `There is a space after ${rest[0]}.`,
      'Write the name right after it: .card or #menu.',
    );
  }
  if (/^[.#]{2}/.test(rest)) {
    return unread(
      start,
      `"${rest.slice(0, 2)}" stands before a name.`,
      'One dot for a class, one # for an id.',
    );
  }
  if (/^Selector is expected/.test(error.message) && /,\s*$/.test(source.slice(0, error.offset))) {
    return unread(
      error.offset,
      'There is a comma with no selector after it.',
      'Take away the comma before the {.',
    );
  }
  if (/^"?\{"? is expected/.test(error.message) || /^Identifier is expected/.test(error.message)) {
    if (/^[^{};]*:[^{};]*;/.test(rest) && !/[{]/.test(source.slice(Math.max(0, start - 1), error.offset))) {
      return noBrace(start);
    }
  }
  if (/^"?\)"? is expected/.test(error.message)) {
    return unread(start, 'A ) is missing.', 'Every ( needs its ).');
  }
  return unread(
    error.offset,
    `${UNREADABLE}: ${error.message}.`,
    'Look at this line and the end of the one above.',
  );
}

function explainDeclaration(node: Declaration, source: string, mistakes: Mistake[]): void {
  const { property } = node;
  const offset = node.loc!.start.offset;
  const add = (message: string, explanation: string) => mistakes.push(ignored(node, message, explanation));
  // A value that the parser could not read has been reported.
  if (property.startsWith('--') || node.value.type === 'Raw') return;
  const value = generate(node.value);
  const written = source.slice(node.value.loc?.start.offset ?? offset, node.value.loc?.end.offset ?? offset);
  const lower = property.toLowerCase();
  if (/^\s*\/\//.test(source.slice(offset))) {
    return void add('CSS has no // comments.', 'Write comments between /* and */.');
  }
  if (!lexer.getProperty(lower)) {
    const dashed = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (dashed !== lower && lexer.getProperty(dashed)) {
      return void add(`"${property}" is written as in JavaScript.`, `In CSS it is ${dashed}.`);
    }
    const meant = CALLED[lower] ?? nearest(lower, propertyNames());
    return void add(
      `There is no property "${property}".`,
      meant ? `Did you mean ${meant}?` : 'Browsers ignore properties they do not know. Check the spelling.',
    );
  }
  if (typeof node.important === 'string') {
    return void add(`"!${node.important}" is not known.`, 'It is spelled !important.');
  }
  if (/^(["']).*\1$/.test(value) && !/^(?:content|quotes|font|grid|src)/.test(lower)) {
    return void add('The value is in quotes.', `Leave the quotes out: ${property}: ${value.slice(1, -1)};`);
  }
  if (/\bvar\(\s*(?!--)[\w-]/.test(value)) {
    return void add(
      'A name inside var() lacks its dashes.',
      'Custom properties begin with two dashes: var(--brand).',
    );
  }
  const sums = written.slice(0, LONGEST_LINE).replace(/\bvar\([^)]*\)/g, '0');
  if (/\bcalc\(/.test(sums) && /(?:\d|%|\d(?:px|r?em|v[wh]))[+-]\d/.test(sums)) {
    return void add(
      'There are no spaces around a sign in calc().',
      'Between + or - and the values on its sides stand spaces: calc(100% - 20px).',
    );
  }
  const result = lexer.matchDeclaration(node) as { error: unknown };
  if (!result.error || /\bvar\(|\benv\(/.test(value)) return;
  if (value === '') return void add(`"${property}" has no value.`, 'Write a value after the colon.');
  if (/^--[\w-]+$/.test(value)) {
    return void add('A custom property is not used by its name alone.', `Put it into var(): var(${value}).`);
  }
  const split = /([\d.]+)\s+(px|em|rem|%|vh|vw|s|ms|deg|fr)\b/.exec(written);
  if (split) {
    return void add(
      'There is a space between a number and its unit.',
      `Write them together: ${split[1]}${split[2]}.`,
    );
  }
  if (LENGTHS.test(lower) && /(?:^|\s)-?[\d.]*[1-9][\d.]*(?:\s|$)/.test(value)) {
    return void add(`"${value}" has no unit.`, 'Every length but 0 needs a unit, such as px, rem or %.');
  }
  if (/color|^background$|^border/.test(lower)) {
    if (/(?:^|\s)(?:[\da-f]{6}|[\da-f]{3})(?:\s|$)/i.test(value) && /\d/.test(value)) {
      return void add(
        'The color lacks its #.',
        `Colors in hexadecimal begin with #: #${/[\da-f]{3,6}/i.exec(value)![0]}.`,
      );
    }
    if (/#(?![\da-f]{3,4}\b|[\da-f]{6}\b|[\da-f]{8}\b)\w*/i.test(value)) {
      return void add(`"${value}" is no color.`, 'After # come 3 or 6 digits from 0 to 9 and a to f.');
    }
  }
  if (/\simportant$/.test(value)) {
    return void add('"important" lacks its mark.', 'It is written !important, after the value.');
  }
  const unit = /(?:^|\s)-?[\d.]+([a-z]+)(?:\s|$)/i.exec(value.slice(0, LONGEST_LINE))?.[1];
  if (unit && !UNITS.has(unit.toLowerCase())) {
    return void add(`There is no unit "${unit}".`, 'Lengths are written in px, rem, em or %: 20px.');
  }
  const isWord = /^[a-z-]+$/i.test(value);
  const words = isWord ? wordsFor(lower) : [];
  const called = value === 'middle' && words.includes('center') ? 'center' : null;
  const word = called ?? (isWord ? nearest(value.toLowerCase(), words) : null);
  add(
    `"${value.slice(0, 60)}" is no value for ${property}.`,
    word ? `Did you mean ${word}?` : 'Browsers ignore it. Check the spelling and the units.',
  );
}

const UNITS: ReadonlySet<string> = new Set(
  'px em rem ex ch ic lh rlh cap vw vh vi vb vmin vmax svw svh lvw lvh dvw dvh cm mm q in pt pc deg grad rad turn s ms hz khz dpi dpcm dppx x fr cqw cqh cqi cqb cqmin cqmax'.split(
    ' ',
  ),
);

const CALLED: Record<string, string> = {
  'font-color': 'color',
  'text-color': 'color',
  'text-size': 'font-size',
  'text-style': 'font-style',
  'text-weight': 'font-weight',
  'bg-color': 'background-color',
  bold: 'font-weight',
  align: 'text-align',
};

let known: string[] | null = null;

function propertyNames(): string[] {
  known ??= Object.keys((lexer as unknown as { properties: Record<string, unknown> }).properties);
  return known;
}

const COLORS =
  'aqua azure beige black blue brown coral crimson cyan gold gray green grey indigo ivory khaki lavender lime magenta maroon navy olive orange orchid pink plum purple red salmon silver snow tan teal tomato turquoise violet wheat white yellow';

function wordsFor(property: string): string[] {
  const words: string[] = [];
  const seen = new Set<string>();
  const { syntax: definition } = lexer.getProperty(property) as unknown as { syntax: unknown };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, name, terms, term } = node as {
      type?: string;
      name?: string;
      terms?: unknown[];
      term?: unknown;
    };
    if (type === 'Keyword' && name) words.push(name);
    if (type === 'Type' && name && !seen.has(name) && !/color/.test(name)) {
      seen.add(name);
      visit((lexer.getType(name) as unknown as { syntax?: unknown } | null)?.syntax);
    }
    if (type === 'Property' && name && !seen.has(name)) {
      seen.add(name);
      visit((lexer.getProperty(name) as unknown as { syntax?: unknown } | null)?.syntax);
    }
    for (const each of terms ?? []) visit(each);
    if (term) visit(term);
  };
  visit(definition);
  return /color|background|border|outline|shadow/.test(property) ? [...words, ...COLORS.split(' ')] : words;
}

function explainSelector(node: CssNode, marks: Marks): Mistake | null {
  if (node.type === 'ClassSelector' || node.type === 'IdSelector') {
    const kind = node.type === 'ClassSelector' ? 'class' : 'id';
    const meant = meantSelector(kind, node.name, marks);
    if (!meant) return null;
    return ignored(
      node,
      `Nothing in the page has the ${kind} "${node.name}".`,
      `A class is written with a dot, an id with #. Did you mean "${meant}"?`,
    );
  }
  if (node.type !== 'TypeSelector' || !HTML_ELEMENTS.has(node.name.toLowerCase())) return null;
  const name = node.name.toLowerCase();
  if (marks.tags.has(name) || /^(?:html|head|body|tbody)$/.test(name)) return null;
  return {
    ...ignored(
      node,
      `There is no ${name} in the page.`,
      'A rule for it styles nothing here. Look at the names in the page.',
    ),
    isWeak: true,
  };
}

function explainRules(tree: CssNode, source: string, marks: Marks | null): Mistake[] {
  const mistakes: Mistake[] = [];
  walk(tree, function (node) {
    if (mistakes.length >= MOST_MISTAKES) return;
    const unmatched = marks && explainSelector(node, marks);
    if (unmatched) mistakes.push(unmatched);
    if (node.type === 'Declaration') {
      // Descriptors of @font-face, @property and the like are no properties.
      const inside = this.atrule?.name.toLowerCase();
      if (!inside || /^(?:media|supports|layer|container|scope|starting-style|keyframes)$/.test(inside)) {
        explainDeclaration(node, source, mistakes);
      }
    } else if (node.type === 'TypeSelector' && node.name !== '*' && !node.name.includes('|')) {
      const name = node.name.toLowerCase();
      const inKeyframes = this.atrule?.name.toLowerCase().endsWith('keyframes');
      if (HTML_ELEMENTS.has(name) || SVG_ELEMENTS.has(name) || inKeyframes || name.includes('-')) return;
      const sign = { class: '.', id: '#' }[name];
      if (sign) {
        mistakes.push(
          ignored(
            node,
            `The word "${node.name}" stands before a name.`,
            `In CSS the sign says it alone: ${sign}name, and not ${node.name}${sign}name.`,
          ),
        );
        return;
      }
      const meant = nearest(name, HTML_ELEMENTS);
      mistakes.push(
        ignored(
          node,
          `There is no element "${node.name}".`,
          `A class is written with a dot (.${node.name}) and an id with # (#${node.name}).${meant ? ` Or did you mean ${meant}?` : ''}`,
        ),
      );
    } else if (node.type === 'Atrule' && /^media$/i.test(node.name) && node.prelude) {
      const text = generate(node.prelude);
      if (/^(?:min|max)-(?:width|height)/.test(text) || /\band\s*(?:min|max)-/.test(text)) {
        mistakes.push(
          ignored(
            node,
            'The condition of @media lacks its brackets.',
            'Write it in brackets: @media (max-width: 600px) { … }',
          ),
        );
      }
    } else if (node.type === 'Atrule' && !/^-/.test(node.name) && !KNOWN_RULES.has(node.name.toLowerCase())) {
      const meant = nearest(node.name.toLowerCase(), KNOWN_RULES);
      mistakes.push(
        ignored(
          node,
          `There is no rule "@${node.name}".`,
          meant ? `Did you mean @${meant}?` : 'Browsers ignore rules they do not know.',
        ),
      );
    }
  });
  return mistakes;
}

const KNOWN_RULES: ReadonlySet<string> = new Set(
  'charset container counter-style font-face font-feature-values font-palette-values function import keyframes layer media namespace page position-try property scope starting-style supports view-transition'.split(
    ' ',
  ),
);

function findMistakes(source: string, page: string): Mistake[] {
  if (source.length > LONGEST_SOURCE) return [];
  const unbalanced = balance(source);
  const all = [...unbalanced];
  try {
    const { mistakes, tree } = syntax(source);
    const marks = page && page.length <= LONGEST_SOURCE ? marksOf(page) : null;
    all.push(...mistakes, ...explainRules(tree, source, marks));
  } catch {
    // Nested beyond what a parser follows: that is no beginner's mistake.
    return [];
  }
  // What the parser says behind an open quote or a wrong brace is beside the point.
  const swallowing = unbalanced.find(({ message }) => /quotes|comment/.test(message));
  const kept = all.filter((mistake) => {
    if (swallowing)
      return mistake === swallowing || (!mistake.isSyntax && mistake.offset < swallowing.offset);
    return (
      !mistake.message.startsWith(UNREADABLE) || all.every(({ message }) => message.startsWith(UNREADABLE))
    );
  });
  const bySource = kept.sort((a, b) => a.offset - b.offset);
  return bySource
    .filter(({ offset }, i) => i === 0 || offset !== bySource[i - 1]!.offset)
    .slice(0, MOST_MISTAKES);
}

function present(source: string, { offset, message, explanation, isSyntax }: Mistake): LearnerError {
  return { name: isSyntax ? 'SyntaxError' : 'Hint', message, ...placeIn(source, offset), explanation };
}

/** In the order of the text. */
export function explainCss(source: string, page = ''): LearnerError[] {
  return findMistakes(source, page)
    .sort((a, b) => Number(a.isWeak ?? false) - Number(b.isWeak ?? false))
    .map((mistake) => present(source, mistake));
}

/** The first place where a style sheet is not CSS, or null. */
export function cssSyntaxError(source: string): LearnerError | null {
  const mistake = findMistakes(source, '').find(({ isSyntax }) => isSyntax);
  return mistake ? present(source, mistake) : null;
}

import { posix } from 'node:path';
import { numberInGap } from '#src/features/lessons/types/quiz/kinds/gaps/definition.ts';
import { oneLine, plainText } from './plain-text.ts';
import {
  fittingTags,
  GAP_SIGN,
  HERE,
  type Near,
  QuestionCollector,
  type ReadQuestions,
  withoutLastGap,
} from './question-file.ts';
import { allOf, isElement, readXml, textOf, type XmlElement, XmlProblem } from './xml.ts';

// QTI 2.1 and 3: items with one choice, one order or gaps. `xml.ts` gives both the names of QTI 2.

export const MANIFEST = 'imsmanifest.xml';

const ASIDE = new Set([
  'rubricBlock',
  'feedbackBlock',
  'feedbackInline',
  'templateBlock',
  'templateInline',
  'stylesheet',
]);

/** By path. */
export interface PackageTexts {
  names: ReadonlySet<string>;
  text(name: string): Promise<string>;
}

export function readQtiItem(source: string): ReadQuestions {
  const collector = new QuestionCollector();
  readSource(source, collector, []);
  return collector.result();
}

/** In the order of its manifest. */
export async function readQtiPackage({ names, text }: PackageTexts): Promise<ReadQuestions> {
  const collector = new QuestionCollector();
  const manifest = [...names].find((name) => posix.basename(name) === MANIFEST);
  if (!manifest) {
    collector.file = MANIFEST;
    collector.problem(null, 'is missing: a package of items has one');
    return collector.result();
  }
  collector.file = manifest;
  for (const { path, tags, line } of itemsOf(await text(manifest), posix.dirname(manifest), collector)) {
    collector.file = manifest;
    if (!names.has(path)) collector.problem(line, `“${path.slice(0, 200)}” is not in the package`);
    else {
      const source = await text(path);
      collector.file = path;
      readSource(source, collector, tags);
    }
  }
  return collector.result();
}

interface ListedItem {
  path: string;
  tags: string[];
  line: number;
}

function itemsOf(source: string, folder: string, collector: QuestionCollector): ListedItem[] {
  const manifest = parsed(source, collector);
  if (!manifest) return [];
  const items = new Map<string, ListedItem>();
  for (const resource of allOf(manifest, 'resource')) {
    const { attributes, line } = resource;
    const type = attributes.get('type') ?? '';
    if (!/^imsqti_item_xmlv(2p[012]|3p0)/.test(type)) {
      if (/^imsqti_(?!test|section|stimulus|rptemplate)/.test(type)) {
        collector.note(line, `Left out: a resource of the type ${type.slice(0, 60)}`);
      }
      continue;
    }
    const path = pathOf(attributes.get('href') ?? '', folder);
    const tags = allOf(resource, 'keyword').map((keyword) => oneLine(textOf(keyword)));
    if (path === null) collector.problem(line, 'This item has no address inside the package');
    else items.set(path, { path, tags: fittingTags(tags, (message) => collector.note(line, message)), line });
  }
  return [...items.values()];
}

function pathOf(href: string, folder: string): string | null {
  try {
    const path = decodeURIComponent(href.replace(/[?#].*$/s, '').replaceAll('\\', '/'));
    return path === '' ? null : posix.normalize(posix.join(folder, path));
  } catch {
    return null;
  }
}

function parsed(source: string, collector: QuestionCollector): XmlElement | null {
  try {
    return readXml(source);
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error;
    collector.problem(error.line, error.message);
    return null;
  }
}

function readSource(source: string, collector: QuestionCollector, tags: readonly string[]): void {
  const root = parsed(source, collector);
  if (!root) return;
  if (root.name === 'assessmentItem') readItem(root, collector, tags);
  else if (root.name === 'questestinterop') {
    collector.problem(root.line, 'This is QTI 1.2; only QTI 2.1 and 3 can be read');
  } else if (root.name === 'assessmentTest' || root.name === 'manifest') {
    collector.problem(root.line, 'This file only lists items: choose the whole package, a zip file');
  } else collector.problem(root.line, `<${root.name.slice(0, 60)}> is no item of QTI 2.1 or 3`);
}

interface Key {
  right: Set<string>;
  isUneven: boolean;
}

function keyOf(declaration: XmlElement): Key {
  const [correct] = allOf(declaration, 'correctResponse');
  const weights = new Map(
    allOf(declaration, 'mapEntry').map(({ attributes }) => [
      attributes.get('mapKey') ?? '',
      Number(attributes.get('mappedValue')),
    ]),
  );
  const earning = [...weights].filter(([, weight]) => weight > 0);
  const right = correct ? allOf(correct, 'value').map(textOf) : earning.map(([identifier]) => identifier);
  return { right: new Set(right), isUneven: new Set(earning.map(([, weight]) => weight)).size > 1 };
}

function pointsOf(item: XmlElement): { points?: number } {
  const declarations = allOf(item, 'outcomeDeclaration');
  const named = (name: string) =>
    declarations.find(({ attributes }) => attributes.get('identifier') === name);
  const most = textOf(named('MAXSCORE')) || named('SCORE')?.attributes.get('normalMaximum');
  const points = Number(most);
  return Number.isInteger(points) && points >= 1 && points <= 100 ? { points } : {};
}

function readItem(item: XmlElement, collector: QuestionCollector, tags: readonly string[]) {
  const [body] = allOf(item, 'itemBody');
  const interactions = body ? allInteractions(body) : [];
  const [interaction] = interactions;
  if (!body || !interaction) return collector.note(item.line, 'Left out: an item that asks nothing');
  const isOne = interactions.length === 1;
  if (interactions.every(({ name }) => name === 'textEntryInteraction')) {
    return readGapsItem(item, body, interactions, collector, tags);
  }
  if (!isOne || !['choiceInteraction', 'orderInteraction'].includes(interaction.name)) {
    const kinds = [...new Set(interactions.map(({ name }) => name))].slice(0, 5).join(', ');
    return collector.note(
      interaction.line,
      `Left out: only items with one choice, one order or gaps are taken, not ${kinds}`,
    );
  }
  const identifier = interaction.attributes.get('responseIdentifier');
  const declaration = allOf(item, 'responseDeclaration').find(
    ({ attributes }) => attributes.get('identifier') === identifier,
  );
  if (!declaration) return collector.problem(interaction.line, 'The choice has no response declaration');
  const lost = new Set<string>();
  const choices = allOf(interaction, 'simpleChoice').map((choice) => ({
    identifier: choice.attributes.get('identifier') ?? '',
    text: oneLine(plainText(choice.children.map(withoutAside), lost)),
    feedback: oneLine(
      plainText(
        allOf(choice, 'feedbackInline').flatMap(({ children }) => children),
        lost,
      ),
    ),
    line: choice.line,
  }));
  const key = keyOf(declaration);
  const known = new Set(choices.map((choice) => choice.identifier));
  const unknown = [...key.right].find((right) => !known.has(right));
  if (unknown !== undefined) {
    return collector.problem(declaration.line, `The right answer “${unknown.slice(0, 60)}” is no choice`);
  }
  if (key.right.size === 0)
    return collector.problem(declaration.line, 'It does not say which answer is right');
  const shared = {
    question: plainText(
      body.children.map((node) => stemOf(node, interaction)),
      lost,
    ),
    ...sharedOf(item, lost, tags),
  };
  const lines = choices.map(({ line }) => line);
  if (interaction.name === 'orderInteraction') {
    const ordered = [...key.right].map((one) => choices.find((choice) => choice.identifier === one)!.text);
    collector.add(item.line, { ...shared, kind: 'ordering', items: ordered });
    collector.lost(item.line, lost);
    return;
  }
  const own = answersOf(choices, key, declaration.attributes.get('cardinality') === 'multiple');
  if (!own) return collector.problem(declaration.line, 'Several answers are right where one can be chosen');
  if (key.isUneven) collector.note(declaration.line, HERE.same);
  collector.add(item.line, { ...shared, ...own }, { options: lines, feedback: lines });
  collector.lost(item.line, lost);
}

function sharedOf(item: XmlElement, lost: Set<string>, tags: readonly string[]) {
  const explanation = allOf(item, 'modalFeedback').map(({ children }) => plainText(children, lost));
  return {
    explanation: [...new Set(explanation)].filter((text) => text !== '').join('\n\n'),
    ...pointsOf(item),
    ...(tags.length > 0 ? { tags } : {}),
  };
}

function numberOf(item: XmlElement, value: number) {
  const [equal] = allOf(item, 'equal');
  const isRelative = equal?.attributes.get('toleranceMode') === 'relative';
  const [below = 0, above = below] = (equal?.attributes.get('tolerance') ?? '0')
    .split(/\s+/)
    .map((written) => (isRelative ? (Number(written) * Math.abs(value)) / 100 : Number(written)));
  return { value: value + (above - below) / 2, tolerance: (above + below) / 2 };
}

function readGapsItem(
  item: XmlElement,
  body: XmlElement,
  interactions: readonly XmlElement[],
  collector: QuestionCollector,
  tags: readonly string[],
) {
  const declarations = new Map(
    allOf(item, 'responseDeclaration').map((one) => [one.attributes.get('identifier') ?? '', one]),
  );
  const written = new Map<XmlElement, string>();
  let isCased = false;
  let number: Near | null = null;
  for (const gap of interactions) {
    const declaration = declarations.get(gap.attributes.get('responseIdentifier') ?? '');
    const entries = declaration ? allOf(declaration, 'mapEntry') : [];
    const [correct] = declaration ? allOf(declaration, 'correctResponse') : [];
    const accepted = new Set([
      ...(correct ? allOf(correct, 'value').map(textOf) : []),
      ...entries
        .filter(({ attributes }) => Number(attributes.get('mappedValue')) > 0)
        .map(({ attributes }) => attributes.get('mapKey') ?? ''),
    ]);
    if (!declaration || accepted.size === 0) {
      return collector.problem(gap.line, 'It does not say which answer of a gap is right');
    }
    if ([...accepted].some((one) => GAP_SIGN.test(one)))
      return collector.problem(declaration.line, HERE.signs);
    // QTI counts capitals by default.
    isCased ||=
      entries.length === 0 || entries.some(({ attributes }) => attributes.get('caseSensitive') !== 'false');
    const isNumber = /^(float|integer)$/.test(declaration.attributes.get('baseType') ?? '');
    if (isNumber && interactions.length + accepted.size === 2)
      number = numberOf(item, Number([...accepted][0]));
    written.set(
      gap,
      number
        ? '_____'
        : `[[${[...accepted].map((one) => `${isNumber && numberInGap(`=${one}`) ? '=' : ''}${one}`).join('|')}]]`,
    );
  }
  const lost = new Set<string>();
  const first = body.children.findIndex(
    (child) => isElement(child) && (written.has(child) || allInteractions(child).length > 0),
  );
  const filled = (node: string | XmlElement): string | XmlElement => {
    if (!isElement(node)) return node;
    if (ASIDE.has(node.name)) return '';
    return written.get(node) ?? { ...node, children: node.children.map(filled) };
  };
  const textOfAll = (nodes: XmlElement['children']) => plainText(nodes.map(filled), lost);
  const own = number
    ? { question: withoutLastGap(textOfAll(body.children)), kind: 'number', ...number }
    : {
        question: textOfAll(body.children.slice(0, first)) || 'Fill the gaps.',
        kind: 'gaps',
        text: textOfAll(body.children.slice(first)),
        matchCase: isCased,
      };
  collector.add(item.line, { ...sharedOf(item, lost, tags), ...own });
  collector.lost(item.line, lost);
}

function answersOf(
  choices: readonly { identifier: string; text: string; feedback: string }[],
  { right }: Key,
  isMultiple: boolean,
): object | null {
  const options = choices.map(({ text }) => text);
  const feedback = choices.map((choice) => choice.feedback);
  const correct = choices.flatMap(({ identifier }, index) => (right.has(identifier) ? [index] : []));
  if (isMultiple) return { kind: 'several_answers', options, feedback, correctAnswers: correct };
  if (correct.length !== 1) return null;
  const truth = options.map((text) => text.toLowerCase());
  if (truth.length === 2 && truth[0] === 'true' && truth[1] === 'false') {
    return { kind: 'true_false', isTrue: correct[0] === 0, feedback };
  }
  return { options, feedback, correctAnswer: correct[0] };
}

function allInteractions(within: XmlElement): XmlElement[] {
  return within.children
    .filter(isElement)
    .flatMap((child) => (child.name.endsWith('Interaction') ? [child] : allInteractions(child)));
}

function stemOf(node: string | XmlElement, interaction: XmlElement): string | XmlElement {
  if (!isElement(node)) return node;
  if (ASIDE.has(node.name)) return '';
  if (node === interaction) {
    const prompt = node.children.filter(isElement).find(({ name }) => name === 'prompt');
    return { ...node, name: 'div', children: prompt?.children ?? [] };
  }
  return { ...node, children: node.children.map((child) => stemOf(child, interaction)) };
}

function withoutAside(node: string | XmlElement): string | XmlElement {
  if (!isElement(node)) return node;
  return ASIDE.has(node.name) ? '' : { ...node, children: node.children.map(withoutAside) };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { gapsOf, numberInGap } from '#src/features/lessons/types/quiz/kinds/gaps/definition.ts';
import { KINDS } from '#src/features/lessons/types/quiz/kinds/kinds.ts';
import { TRUE_FALSE } from '#src/features/lessons/types/quiz/kinds/true-false/definition.ts';
import { kindOf, type Question, type QuestionOf } from '#src/features/lessons/types/quiz/question.ts';
import type { WrittenQuestions } from './gift-writer.ts';
import { MANIFEST } from './qti.ts';

export type QtiVersion = '2.1' | '3';

const VERSIONS = {
  '2.1': {
    item: 'http://www.imsglobal.org/xsd/imsqti_v2p1',
    manifest: 'http://www.imsglobal.org/xsd/imscp_v1p1',
    resource: 'imsqti_item_xmlv2p1',
    schema: ['QTIv2.1 Package', '1.0.0'],
  },
  '3': {
    item: 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0',
    manifest: 'http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1',
    resource: 'imsqti_item_xmlv3p0',
    schema: ['QTI Package', '3.0.0'],
  },
} as const;

/** A fixed time makes equal packages equal bytes. */
const WRITTEN_AT = new Date(Date.UTC(2020, 0, 1));

interface Choice {
  options: readonly string[];
  right: readonly number[];
  cardinality: 'single' | 'multiple' | 'ordered';
  feedback: readonly string[];
}

function choiceOf(question: Question): Choice | null {
  const feedback = 'feedback' in question ? (question.feedback ?? []) : [];
  switch (question.kind) {
    case undefined:
    case 'several_answers': {
      const right = question.kind ? question.correctAnswers : [question.correctAnswer];
      return {
        options: question.options,
        right,
        cardinality: question.kind ? 'multiple' : 'single',
        feedback,
      };
    }
    case 'true_false':
      return { options: TRUE_FALSE, right: [question.isTrue ? 0 : 1], cardinality: 'single', feedback };
    case 'ordering':
      return { options: question.items, right: [...question.items.keys()], cardinality: 'ordered', feedback };
    default:
      return null;
  }
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapedXml = (text: string) =>
  text
    // What XML cannot hold at all.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (sign) => SIGNS[sign]!);
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

type Attributes = Record<string, string | number>;

const elementsOf =
  (version: QtiVersion) => (name: string, attributes: Attributes, children: string[] | null) => {
    const spelt = version === '3' ? kebab : (text: string) => text;
    const tag = version === '3' ? `qti-${kebab(name)}` : name;
    const said = Object.entries(attributes).map(
      ([key, value]) => ` ${spelt(key)}="${escapedXml(String(value))}"`,
    );
    return children === null
      ? `<${tag}${said.join('')}/>`
      : `<${tag}${said.join('')}>${children.join('')}</${tag}>`;
  };

const lined = (text: string) => text.split(/\r?\n/).map(escapedXml).join('<br/>');

interface Parts {
  declarations: string[];
  outcome?: string;
  body: string[];
  score: string;
}
type WriteElement = ReturnType<typeof elementsOf>;

const setOf = (el: WriteElement, identifier: string, child: string) =>
  el('setOutcomeValue', { identifier }, [child]);
const answered = (el: WriteElement) => el('variable', { identifier: 'RESPONSE' }, null);
/** All points where the response is the right one. */
const scoreOf = (el: WriteElement, rule = 'match', attributes: Attributes = {}) =>
  el('responseCondition', {}, [
    el('responseIf', {}, [
      el(rule, attributes, [answered(el), el('correct', { identifier: 'RESPONSE' }, null)]),
      setOf(el, 'SCORE', el('variable', { identifier: 'MAXSCORE' }, null)),
    ]),
  ]);
const declared = (el: WriteElement, attributes: Attributes, right: string[], mapping = '') =>
  el('responseDeclaration', { identifier: 'RESPONSE', ...attributes }, [
    el(
      'correctResponse',
      {},
      right.map((one) => el('value', {}, [one])),
    ),
    mapping,
  ]);

function partsOf(el: WriteElement, question: Question): Parts | null {
  const choice = choiceOf(question);
  if (choice) return choicePartsOf(el, question, choice);
  if (question.kind === 'gaps') return gapPartsOf(el, question);
  return question.kind === 'number' ? numberOf(el, question) : null;
}

function itemOf(version: QtiVersion, question: Question, name: string): string | null {
  const el = elementsOf(version);
  const parts = partsOf(el, question);
  if (!parts) return null;
  const { explanation, points = 1 } = question;
  const single = { cardinality: 'single', baseType: 'float' };
  const outcome = (identifier: string, attributes: Attributes, usual: number | null) =>
    el(
      'outcomeDeclaration',
      { identifier, ...attributes },
      usual === null ? null : [el('defaultValue', {}, [el('value', {}, [String(usual)])])],
    );
  const shown = { outcomeIdentifier: 'EXPLANATION', identifier: 'explanation', showHide: 'show' };
  const said = `<p>${lined(explanation)}</p>`;
  const told = setOf(el, 'EXPLANATION', el('baseValue', { baseType: 'identifier' }, ['explanation']));
  const xml = el(
    'assessmentItem',
    { identifier: name, title: name.replace('_', ' '), adaptive: 'false', timeDependent: 'false' },
    [
      ...parts.declarations,
      outcome('SCORE', { ...single, normalMaximum: points }, 0),
      outcome('MAXSCORE', single, points),
      parts.outcome ?? '',
      explanation ? outcome('EXPLANATION', { cardinality: 'single', baseType: 'identifier' }, null) : '',
      el('itemBody', {}, parts.body),
      el('responseProcessing', {}, [parts.score, explanation ? told : '']),
      explanation ? el('modalFeedback', shown, [version === '3' ? el('contentBody', {}, [said]) : said]) : '',
    ],
  );
  return xml.replace(/^<[\w-]+/, (tag) => `${tag} xmlns="${VERSIONS[version].item}"`);
}

function numberOf(el: WriteElement, { question, value, tolerance }: QuestionOf<'number'>): Parts {
  const gap = el('textEntryInteraction', { responseIdentifier: 'RESPONSE' }, null);
  return {
    declarations: [declared(el, { cardinality: 'single', baseType: 'float' }, [String(value)])],
    body: [`<p>${lined(question)}</p>`, `<p>${gap}</p>`],
    score: scoreOf(el, 'equal', { toleranceMode: 'absolute', tolerance: `${tolerance} ${tolerance}` }),
  };
}

/** QTI maps no tolerance. */
const keyOf = (accepted: string) => String(numberInGap(accepted)?.value ?? accepted);

function gapPartsOf(el: WriteElement, { question, text, matchCase, points = 1 }: QuestionOf<'gaps'>): Parts {
  const { parts, gaps } = gapsOf(text);
  const id = (index: number) => `RESPONSE_${index + 1}`;
  const share = Math.round((points / gaps.length) * 1e6) / 1e6;
  const caseSensitive = String(matchCase);
  const declarations = gaps.map((accepted, index) =>
    declared(
      el,
      {
        identifier: id(index),
        cardinality: 'single',
        baseType: accepted.every(numberInGap) ? 'float' : 'string',
      },
      [escapedXml(keyOf(accepted[0] ?? ''))],
      el('mapping', { defaultValue: 0 }, [
        ...accepted.map((one) =>
          el('mapEntry', { mapKey: keyOf(one), mappedValue: share, caseSensitive }, null),
        ),
      ]),
    ),
  );
  // Spaces matter, as in a program.
  const block = /[ \t]{2}|^[ \t]/m.test(text) ? 'pre' : 'p';
  const gap = (index: number) =>
    index < gaps.length ? el('textEntryInteraction', { responseIdentifier: id(index) }, null) : '';
  const inside = parts.map((part, index) => `${lined(part)}${gap(index)}`).join('');
  const marks = gaps.map((_, index) => el('mapResponse', { identifier: id(index) }, null));
  return {
    declarations,
    body: [`<p>${lined(question)}</p>`, `<${block}>${inside}</${block}>`],
    score: setOf(el, 'SCORE', el('sum', {}, marks)),
  };
}

function choicePartsOf(el: WriteElement, { question, points = 1 }: Question, choice: Choice): Parts {
  const { options, right, cardinality, feedback } = choice;
  const isMultiple = cardinality === 'multiple';
  const isOrder = cardinality === 'ordered';
  const id = (index: number) => `choice_${index + 1}`;
  const hasFeedback = feedback.some((text) => text !== '');
  const share = Math.round((points / right.length) * 1e6) / 1e6;
  const mapping = options.map((_, index) =>
    el('mapEntry', { mapKey: id(index), mappedValue: right.includes(index) ? share : -share }, null),
  );
  const response = {
    responseIdentifier: 'RESPONSE',
    shuffle: String(isOrder),
    ...(isOrder ? {} : { maxChoices: isMultiple ? 0 : 1 }),
  };
  const score = isMultiple
    ? setOf(el, 'SCORE', el('mapResponse', { identifier: 'RESPONSE' }, null))
    : scoreOf(el);
  const about = (index: number) => ({
    outcomeIdentifier: 'FEEDBACK',
    identifier: id(index),
    showHide: 'show',
  });
  return {
    declarations: [
      declared(
        el,
        { cardinality, baseType: 'identifier' },
        right.map(id),
        isMultiple ? el('mapping', { lowerBound: 0, upperBound: points, defaultValue: 0 }, mapping) : '',
      ),
    ],
    outcome: hasFeedback
      ? el('outcomeDeclaration', { identifier: 'FEEDBACK', cardinality, baseType: 'identifier' }, null)
      : '',
    body: [
      el(isOrder ? 'orderInteraction' : 'choiceInteraction', response, [
        el('prompt', {}, [lined(question)]),
        ...options.map((option, index) =>
          el('simpleChoice', { identifier: id(index) }, [
            escapedXml(option),
            feedback[index] ? el('feedbackInline', about(index), [escapedXml(feedback[index])]) : '',
          ]),
        ),
      ]),
    ],
    score: `${score}${hasFeedback ? setOf(el, 'FEEDBACK', answered(el)) : ''}`,
  };
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

function manifestOf(
  version: QtiVersion,
  items: readonly { name: string; tags: readonly string[] }[],
): string {
  const { manifest, resource, schema } = VERSIONS[version];
  const resources = items.map(({ name, tags }) => {
    const keywords = tags.map(
      (tag) => `<keyword><string language="en">${escapedXml(tag)}</string></keyword>`,
    );
    const metadata =
      tags.length > 0
        ? `<metadata><lom xmlns="http://ltsc.ieee.org/xsd/LOM"><general>${keywords.join('')}</general></lom></metadata>`
        : '';
    const href = `items/${name}.xml`;
    return `<resource identifier="${name}" type="${resource}" href="${href}">${metadata}<file href="${href}"/></resource>`;
  });
  const about = `<metadata><schema>${schema[0]}</schema><schemaversion>${schema[1]}</schemaversion></metadata>`;
  return `${HEAD}<manifest xmlns="${manifest}" identifier="questions">${about}<organizations/><resources>${resources.join('')}</resources></manifest>\n`;
}

/** Writes a package of QTI items; leaves out what it cannot hold. */
export async function writeQti(
  questions: readonly Question[],
  version: QtiVersion,
): Promise<WrittenQuestions> {
  const left: string[] = [];
  const zip = new ZipFile();
  const items: { name: string; tags: readonly string[] }[] = [];
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime: WRITTEN_AT });
  for (const [index, question] of questions.entries()) {
    const name = `question_${index + 1}`;
    const item = itemOf(version, question, name);
    if (!item) {
      const kind = KINDS[kindOf(question)].label.toLowerCase();
      left.push(
        `Question ${index + 1}: QTI is written for choices, orders, numbers and gaps, Moodle XML for all (${kind})`,
      );
      continue;
    }
    if (question.kind === 'gaps' && question.forgiveTypos) {
      left.push(`Question ${index + 1}: that typos are forgiven`);
    }
    if (question.kind === 'number' && question.unit) left.push(`Question ${index + 1}: its unit`);
    items.push({ name, tags: question.tags ?? [] });
    add(`items/${name}.xml`, `${HEAD}${item}\n`);
    // Each entry takes 256 KB and compresses at once.
    await nextTurn();
  }
  add(MANIFEST, manifestOf(version, items));
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return { content: Buffer.concat(chunks), written: items.length, left };
}

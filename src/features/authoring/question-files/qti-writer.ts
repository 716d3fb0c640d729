import { setImmediate as nextTurn } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { gapsOf } from '#src/features/lessons/types/quiz/kinds/gaps/definition.ts';
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
  isMultiple: boolean;
  feedback: readonly string[];
}

function choiceOf(question: Question): Choice | null {
  const feedback = 'feedback' in question ? (question.feedback ?? []) : [];
  switch (question.kind) {
    case undefined:
      return { options: question.options, right: [question.correctAnswer], isMultiple: false, feedback };
    case 'several_answers':
      return { options: question.options, right: question.correctAnswers, isMultiple: true, feedback };
    case 'true_false':
      return { options: TRUE_FALSE, right: [question.isTrue ? 0 : 1], isMultiple: false, feedback };
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

function otherItemOf(
  version: QtiVersion,
  question: QuestionOf<'ordering'> | QuestionOf<'gaps'>,
  name: string,
) {
  const el = elementsOf(version);
  const { explanation, points = 1 } = question;
  const value = (text: string | number) => el('value', {}, [escapedXml(String(text))]);
  const float = { cardinality: 'single', baseType: 'float' };
  const of = (identifier: string) => ({ identifier });
  const set = (identifier: string, child: string) => el('setOutcomeValue', { identifier }, [child]);
  const { declarations, body, score } =
    question.kind === 'ordering' ? orderOf(el, question, points) : gapPartsOf(el, question, points);
  const shown = { outcomeIdentifier: 'EXPLANATION', identifier: 'explanation', showHide: 'show' };
  const said = `<p>${lined(explanation)}</p>`;
  const told = set('EXPLANATION', el('baseValue', { baseType: 'identifier' }, ['explanation']));
  const usual = (text: number) => el('defaultValue', {}, [value(text)]);
  const xml = el(
    'assessmentItem',
    { identifier: name, title: name.replace('_', ' '), adaptive: 'false', timeDependent: 'false' },
    [
      ...declarations,
      el('outcomeDeclaration', { ...of('SCORE'), ...float, normalMaximum: points }, [usual(0)]),
      el('outcomeDeclaration', { ...of('MAXSCORE'), ...float }, [usual(points)]),
      explanation
        ? el(
            'outcomeDeclaration',
            { ...of('EXPLANATION'), cardinality: 'single', baseType: 'identifier' },
            null,
          )
        : '',
      el('itemBody', {}, body),
      el('responseProcessing', {}, [score, explanation ? told : '']),
      explanation ? el('modalFeedback', shown, [version === '3' ? el('contentBody', {}, [said]) : said]) : '',
    ],
  );
  return xml.replace(/^<[\w-]+/, (tag) => `${tag} xmlns="${VERSIONS[version].item}"`);
}

interface OtherParts {
  declarations: string[];
  body: string[];
  score: string;
}
type WriteElement = ReturnType<typeof elementsOf>;

function orderOf(el: WriteElement, { question, items }: QuestionOf<'ordering'>, points: number): OtherParts {
  const response = { responseIdentifier: 'RESPONSE', shuffle: 'true' };
  const id = (index: number) => `item_${index + 1}`;
  const right = items.map((_, index) => el('value', {}, [id(index)]));
  const variable = el('variable', { identifier: 'RESPONSE' }, null);
  const score = el('setOutcomeValue', { identifier: 'SCORE' }, [
    el('baseValue', { baseType: 'float' }, [String(points)]),
  ]);
  return {
    declarations: [
      el('responseDeclaration', { identifier: 'RESPONSE', cardinality: 'ordered', baseType: 'identifier' }, [
        el('correctResponse', {}, right),
      ]),
    ],
    body: [
      el('orderInteraction', response, [
        el('prompt', {}, [lined(question)]),
        ...items.map((item, index) => el('simpleChoice', { identifier: id(index) }, [escapedXml(item)])),
      ]),
    ],
    score: el('responseCondition', {}, [
      el('responseIf', {}, [
        el('match', {}, [variable, el('correct', { identifier: 'RESPONSE' }, null)]),
        score,
      ]),
    ]),
  };
}

function gapPartsOf(
  el: WriteElement,
  { question, text, matchCase }: QuestionOf<'gaps'>,
  points: number,
): OtherParts {
  const { parts, gaps } = gapsOf(text);
  const id = (index: number) => `RESPONSE_${index + 1}`;
  const share = Math.round((points / gaps.length) * 1e6) / 1e6;
  const caseSensitive = String(matchCase);
  const declarations = gaps.map((accepted, index) =>
    el('responseDeclaration', { identifier: id(index), cardinality: 'single', baseType: 'string' }, [
      el('correctResponse', {}, [el('value', {}, [escapedXml(accepted[0] ?? '')])]),
      el('mapping', { defaultValue: 0 }, [
        ...accepted.map((mapKey) => el('mapEntry', { mapKey, mappedValue: share, caseSensitive }, null)),
      ]),
    ]),
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
    score: el('setOutcomeValue', { identifier: 'SCORE' }, [el('sum', {}, marks)]),
  };
}

function itemOf(
  version: QtiVersion,
  { question, explanation, points = 1 }: Question,
  choice: Choice,
  name: string,
) {
  const el = elementsOf(version);
  const { options, right, isMultiple, feedback } = choice;
  const cardinality = isMultiple ? 'multiple' : 'single';
  const id = (index: number) => `choice_${index + 1}`;
  const hasFeedback = feedback.some((text) => text !== '');
  const value = (text: string | number) => el('value', {}, [String(text)]);
  const usual = (text: number) => el('defaultValue', {}, [value(text)]);
  const outcome = (identifier: string, attributes: Attributes, children: string[] | null) =>
    el('outcomeDeclaration', { identifier, ...attributes }, children);
  const set = (identifier: string, child: string) => el('setOutcomeValue', { identifier }, [child]);
  const response = el('variable', { identifier: 'RESPONSE' }, null);
  const share = Math.round((points / right.length) * 1e6) / 1e6;
  const mapping = options.map((_, index) =>
    el('mapEntry', { mapKey: id(index), mappedValue: right.includes(index) ? share : -share }, null),
  );
  const single = { cardinality: 'single', baseType: 'float' };
  const marked = el('responseCondition', {}, [
    el('responseIf', {}, [
      el('match', {}, [response, el('correct', { identifier: 'RESPONSE' }, null)]),
      set('SCORE', el('variable', { identifier: 'MAXSCORE' }, null)),
    ]),
  ]);
  const weighed = set('SCORE', el('mapResponse', { identifier: 'RESPONSE' }, null));
  const shown = { outcomeIdentifier: 'EXPLANATION', identifier: 'explanation', showHide: 'show' };
  const said = `<p>${lined(explanation)}</p>`;
  const xml = el(
    'assessmentItem',
    { identifier: name, title: name.replace('_', ' '), adaptive: 'false', timeDependent: 'false' },
    [
      el('responseDeclaration', { identifier: 'RESPONSE', cardinality, baseType: 'identifier' }, [
        el(
          'correctResponse',
          {},
          right.map((index) => value(id(index))),
        ),
        isMultiple ? el('mapping', { lowerBound: 0, upperBound: points, defaultValue: 0 }, mapping) : '',
      ]),
      outcome('SCORE', { ...single, normalMaximum: points }, [usual(0)]),
      outcome('MAXSCORE', single, [usual(points)]),
      hasFeedback ? outcome('FEEDBACK', { cardinality, baseType: 'identifier' }, null) : '',
      explanation ? outcome('EXPLANATION', { cardinality: 'single', baseType: 'identifier' }, null) : '',
      el('itemBody', {}, [
        el(
          'choiceInteraction',
          { responseIdentifier: 'RESPONSE', shuffle: 'false', maxChoices: isMultiple ? 0 : 1 },
          [
            el('prompt', {}, [lined(question)]),
            ...options.map((option, index) =>
              el('simpleChoice', { identifier: id(index) }, [
                escapedXml(option),
                feedback[index]
                  ? el(
                      'feedbackInline',
                      { outcomeIdentifier: 'FEEDBACK', identifier: id(index), showHide: 'show' },
                      [escapedXml(feedback[index])],
                    )
                  : '',
              ]),
            ),
          ],
        ),
      ]),
      el('responseProcessing', {}, [
        isMultiple ? weighed : marked,
        hasFeedback ? set('FEEDBACK', response) : '',
        explanation ? set('EXPLANATION', el('baseValue', { baseType: 'identifier' }, ['explanation'])) : '',
      ]),
      explanation ? el('modalFeedback', shown, [version === '3' ? el('contentBody', {}, [said]) : said]) : '',
    ],
  );
  return xml.replace(/^<[\w-]+/, (tag) => `${tag} xmlns="${VERSIONS[version].item}"`);
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
    const choice = choiceOf(question);
    const isOther = question.kind === 'ordering' || question.kind === 'gaps';
    if (!choice && !isOther) {
      const kind = KINDS[kindOf(question)].label.toLowerCase();
      left.push(
        `Question ${index + 1}: QTI is written for choices, orders and gaps, Moodle XML for all (${kind})`,
      );
      continue;
    }
    if (question.kind === 'gaps' && question.forgiveTypos) {
      left.push(`Question ${index + 1}: that typos are forgiven`);
    }
    items.push({ name, tags: question.tags ?? [] });
    const item = choice
      ? itemOf(version, question, choice, name)
      : otherItemOf(version, question as QuestionOf<'ordering'> | QuestionOf<'gaps'>, name);
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

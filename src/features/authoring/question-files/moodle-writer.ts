import { KINDS } from '#src/features/lessons/types/quiz/kinds/kinds.ts';
import { kindOf, type Question } from '#src/features/lessons/types/quiz/question.ts';
import { percent, picturesLeft, type WrittenQuestions } from './gift-writer.ts';
import { writeGaps } from './moodle-gaps.ts';
import { escapedXml } from './qti-writer.ts';

const said = (text: string) => `<text>${escapedXml(text)}</text>`;
type Format = 'plain_text' | 'markdown';
const told = (name: string, text: string, format: Format) =>
  `<${name} format="${format}">${said(text)}</${name}>`;

const answer = (share: string | number, text: string, feedback = '', format: Format = 'plain_text') =>
  `<answer fraction="${share}" format="${format}">${said(text)}${feedback ? told('feedback', feedback, 'plain_text') : ''}</answer>`;

export function writeMoodle(questions: readonly Question[]): WrittenQuestions {
  const left: string[] = [];
  const blocks: string[] = [];
  for (const [index, question] of questions.entries()) {
    const name = `Question ${index + 1}`;
    const written = bodyOf(question);
    if (written === null) {
      left.push(`${name}: Moodle XML cannot say it (${KINDS[kindOf(question)].label.toLowerCase()})`);
      continue;
    }
    if ('forgiveTypos' in question && question.forgiveTypos) left.push(`${name}: that typos are forgiven`);
    left.push(...picturesLeft(question).map((lost) => `${name}: ${lost}`));
    const { type, text = question.question, answers } = written;
    const format = question.format ?? 'plain_text';
    const tags = (question.tags ?? []).map((tag) => `<tag>${said(tag)}</tag>`);
    blocks.push(
      [
        `<question type="${type}">`,
        `<name>${said(name)}</name>`,
        told('questiontext', text, text === question.question ? format : 'plain_text'),
        told('generalfeedback', question.explanation, format),
        `<defaultgrade>${question.points ?? 1}</defaultgrade>`,
        ...answers,
        ...(tags.length > 0 ? [`<tags>${tags.join('')}</tags>`] : []),
        '</question>',
      ].join('\n'),
    );
  }
  const content = `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n${blocks.join('\n')}\n</quiz>\n`;
  return { content: Buffer.from(content), written: blocks.length, left };
}

/** Null where Moodle cannot say it. */
function bodyOf(question: Question): { type: string; text?: string; answers: string[] } | null {
  switch (question.kind) {
    case undefined:
    case 'several_answers': {
      const right = question.kind ? question.correctAnswers : [question.correctAnswer];
      const share = percent(1 / right.length);
      const wrong = question.kind ? `-${share}` : 0;
      const answers = question.options.map((option, at) =>
        answer(right.includes(at) ? share : wrong, option, question.feedback?.[at], question.format),
      );
      return { type: 'multichoice', answers: [`<single>${!question.kind}</single>`, ...answers] };
    }
    case 'true_false': {
      const [whenTrue, whenFalse] = question.feedback ?? [];
      const answers = [
        answer(question.isTrue ? 100 : 0, 'true', whenTrue),
        answer(question.isTrue ? 0 : 100, 'false', whenFalse),
      ];
      return { type: 'truefalse', answers };
    }
    case 'short_text': {
      const answers = question.accepted.map((one) => answer(100, one.replaceAll('*', '\\*')));
      return {
        type: 'shortanswer',
        answers: [`<usecase>${question.matchCase ? 1 : 0}</usecase>`, ...answers],
      };
    }
    case 'number': {
      const { value, tolerance, unit } = question;
      const right = `<answer fraction="100" format="plain_text">${said(String(value))}<tolerance>${tolerance}</tolerance></answer>`;
      const units = `<units><unit><multiplier>1</multiplier><unit_name>${escapedXml(unit)}</unit_name></unit></units>`;
      return { type: 'numerical', answers: [right, ...(unit ? [units] : [])] };
    }
    case 'ordering':
      return {
        type: 'ordering',
        answers: [
          '<layouttype>VERTICAL</layouttype><selecttype>ALL</selecttype><selectcount>0</selectcount><gradingtype>ABSOLUTE_POSITION</gradingtype>',
          ...question.items.map((item, at) => answer(at + 1, item)),
        ],
      };
    case 'matching': {
      const pair = (prompt: string, match: string) =>
        `<subquestion format="plain_text">${said(prompt)}<answer>${said(match)}</answer></subquestion>`;
      const answers = [
        ...question.pairs.map(({ prompt, match }) => pair(prompt, match)),
        ...question.distractors.map((match) => pair('', match)),
      ];
      return { type: 'matching', answers };
    }
    case 'gaps': {
      const text = writeGaps(question);
      return text === null ? null : { type: 'cloze', text, answers: [] };
    }
    default:
      return null;
  }
}

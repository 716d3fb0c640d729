import { KINDS } from '#src/features/lessons/types/quiz/kinds/kinds.ts';
import { kindOf, markdownOf, type Question } from '#src/features/lessons/types/quiz/question.ts';
import { picturesIn } from '#src/shared/pictures.ts';

export interface WrittenQuestions {
  content: Uint8Array;
  written: number;
  left: string[];
}

const escaped = (text: string) => text.replace(/[\\~=#{}:]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** As Moodle writes it. */
export const percent = (share: number) => String(Math.round(share * 10_000_000) / 100_000);

type Format = 'plain' | 'markdown';
const formatOf = ({ format }: Question): Format => format ?? 'plain';

const text = (written: string, format: Format, around: Format) =>
  format !== around || /^\s*\[(html|moodle|plain|markdown)\]/i.test(written)
    ? `[${format}]${escaped(written)}`
    : escaped(written);

/** An answer that begins like a share needs a share before it. */
const answer = (sign: '=' | '~', written: string, format: Format, around: Format) =>
  `${sign}${written.startsWith('%') ? `%${sign === '=' ? 100 : 0}%` : ''}${text(written, format, around)}`;

/** A GIFT file; what GIFT cannot say becomes a comment. */
export function writeGift(questions: readonly Question[]): WrittenQuestions {
  const left: string[] = [];
  let written = 0;
  const blocks = questions.map((question, index) => {
    const name = `Question ${index + 1}`;
    const answers = answersOf(question);
    if (answers === null) {
      const why = `GIFT cannot say it, Moodle XML can (${KINDS[kindOf(question)].label.toLowerCase()})`;
      left.push(`${name}: ${why}`);
      return `// ${name} is not here: ${why}\n`;
    }
    written += 1;
    left.push(...lostOf(question).map((lost) => `${name}: ${lost}`));
    const tags = (question.tags ?? []).map((tag) => `[tag:${tag.replace(/[\]\\]/g, '\\$&')}]`);
    const comment = tags.length > 0 ? `// ${tags.join(' ')}\n` : '';
    const format = formatOf(question);
    const general = question.explanation ? `\n####${text(question.explanation, format, format)}` : '';
    return `${comment}::${name}::[${format}]${escaped(question.question)} {${answers}${general}\n}\n`;
  });
  return { content: Buffer.from(blocks.join('\n')), written, left };
}

/** Pictures that a file of questions lacks. */
export const picturesLeft = (question: Question): string[] =>
  question.format && markdownOf(question).some((one) => picturesIn(one).length > 0)
    ? ['its pictures, of which only the addresses are in the file']
    : [];

function lostOf(question: Question): string[] {
  return [
    ...picturesLeft(question),
    ...(question.points === undefined ? [] : ['its points']),
    ...('unit' in question && question.unit !== '' ? ['its unit'] : []),
    ...('matchCase' in question && question.matchCase ? ['that capitals count'] : []),
    ...('forgiveTypos' in question && question.forgiveTypos ? ['that typos are forgiven'] : []),
  ];
}

const lines = (all: readonly string[]) => all.map((one) => `\n${one}`).join('');
const said = (feedback: string | undefined, around: Format) =>
  feedback ? `#${text(feedback, 'plain', around)}` : '';

function answersOf(question: Question): string | null {
  const around = formatOf(question);
  switch (question.kind) {
    case undefined:
      return lines(
        question.options.map(
          (option, at) =>
            `${answer(at === question.correctAnswer ? '=' : '~', option, around, around)}${said(question.feedback?.[at], around)}`,
        ),
      );
    case 'several_answers': {
      const share = percent(1 / question.correctAnswers.length);
      return lines(
        question.options.map((option, at) => {
          const sign = question.correctAnswers.includes(at) ? '' : '-';
          return `~%${sign}${share}%${text(option, around, around)}${said(question.feedback?.[at], around)}`;
        }),
      );
    }
    case 'true_false': {
      const [whenTrue = '', whenFalse = ''] = question.feedback ?? [];
      const [right, wrong] = question.isTrue ? [whenTrue, whenFalse] : [whenFalse, whenTrue];
      return `${question.isTrue ? 'TRUE' : 'FALSE'}${right || wrong ? `#${text(wrong, 'plain', around)}#${text(right, 'plain', around)}` : ''}`;
    }
    case 'short_text':
      // An arrow would make it a matching question.
      if (question.accepted.some((one) => one.includes('->'))) return null;
      return lines(question.accepted.map((one) => answer('=', one.replaceAll('*', '\\*'), 'plain', 'plain')));
    case 'number':
      return `#${question.value}:${question.tolerance}`;
    case 'matching':
      if (question.pairs.some(({ prompt }) => prompt.includes('->'))) return null;
      return lines([
        ...question.pairs.map(
          ({ prompt, match }) => `${answer('=', prompt, 'plain', around)} -> ${escaped(match)}`,
        ),
        ...question.distractors.map((match) => `= -> ${escaped(match)}`),
      ]);
    default:
      return null;
  }
}

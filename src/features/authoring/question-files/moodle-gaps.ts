import { gapsOf, numberInGap } from '#src/features/lessons/types/quiz/kinds/gaps/definition.ts';
import type { QuestionOf } from '#src/features/lessons/types/quiz/question.ts';
import { GAP_SIGN, HERE, type Near, WILD } from './question-file.ts';

// Gaps of a cloze question, such as {1:SHORTANSWER:=Paris~=Lutetia}.

/** Separates the question from its text in our files: Moodle has one text for both. */
export const ASKS_ABOVE = '\n\n* * *\n\n';

const GAP = /\{(\d{0,4}):([A-Z_]{2,20}):/;
const TYPED = /^(SHORTANSWER(_C)?|SAC?|MWC?)$/;
const CASED = /(_C|AC|WC)$/;
const NUMBERS = /^(NUMERICAL|NM)$/;
const CHOSEN = /^(MULTICHOICE|MC|MULTIRESPONSE|MR)/;

/** Gaps of a cloze question, and what of it changes here. */
export interface ReadGaps {
  text: string;
  matchCase: boolean;
  notes: Set<string>;
  /** Where its only gap is one number. */
  number: Near | null;
}

/** @returns a sentence where they cannot be gaps here */
export function readGaps(source: string): ReadGaps | string {
  const notes = new Set<string>();
  const cased = new Set<boolean>();
  const numbers: Near[] = [];
  let gaps = 0;
  let text = '';
  let rest = source;
  for (;;) {
    const start = GAP.exec(rest);
    const before = start ? rest.slice(0, start.index) : rest;
    if (/\[\[|\]\]/.test(before)) return 'A text with [[ or ]] has these for its gaps here';
    text += before;
    if (!start) break;
    const from = start.index + start[0].length;
    const end = endOf(rest, from);
    if (end === -1) return 'A gap has no end: write {1:SHORTANSWER:=answer}';
    const kind = start[2]!;
    if (!TYPED.test(kind) && !NUMBERS.test(kind) && !CHOSEN.test(kind)) return `A gap of the type ${kind}`;
    if (CHOSEN.test(kind)) notes.add(HERE.typed);
    const accepted = acceptedOf(rest.slice(from, end), NUMBERS.test(kind) ? numbers : null, notes);
    gaps += 1;
    if (accepted.length === 0) return 'A gap has no answer that gets all points';
    if (accepted.some((one) => GAP_SIGN.test(one))) return HERE.signs;
    cased.add(CASED.test(kind));
    text += `[[${accepted.join('|')}]]`;
    rest = rest.slice(end + 1);
  }
  if (cased.size > 1) notes.add('Capitals count in all of its gaps here, or in none: in none');
  const number = gaps === 1 && numbers.length === 1 ? numbers[0]! : null;
  return { text, number, matchCase: cased.size === 1 && cased.has(true), notes };
}

function endOf(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '}') return at;
  }
  return -1;
}

function acceptedOf(inside: string, numbers: Near[] | null, notes: Set<string>): string[] {
  const accepted: string[] = [];
  for (const written of split(inside, '~')) {
    const [, sign = '', share = '', answer = ''] =
      /^\s*(=|%(-?\d{1,3}(?:\.\d{1,9})?)%)?([\s\S]*)$/.exec(written) ?? [];
    const weight = sign === '=' ? 100 : Number(share || 0);
    const [said = '', ...feedback] = split(answer, '#');
    if (feedback.some((one) => one.trim() !== '')) {
      notes.add(HERE.said);
    }
    if (weight > 0 && weight < 100) notes.add(HERE.part);
    if (weight !== 100) continue;
    const [value = '', tolerance = ''] = numbers ? said.replace(/(\d),(\d)/g, '$1.$2').split(':') : [said];
    numbers?.push({ value: Number(value), tolerance: Number(tolerance) });
    if (!numbers && WILD.test(said)) notes.add(HERE.star);
    const plain = value.replace(/\\(.)/g, '$1').trim();
    const number = `=${plain}${Number(tolerance) > 0 ? `±${tolerance.trim()}` : ''}`;
    accepted.push(numbers && numberInGap(number) ? number : plain);
  }
  return [...new Set(accepted.filter((one) => one !== ''))];
}

function split(text: string, sign: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === sign) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...pieces, text.slice(from)];
}

/** What comes back as it was. */
function asNumerical(accepted: string): string[] {
  const [, value, tolerance] = /^=([^\s±]+)(?:±(\S+))?$/.exec(accepted) ?? [];
  const number = numberInGap(accepted);
  return value && number && (!tolerance || number.tolerance > 0) ? [`${value}:${tolerance ?? 0}`] : [];
}

/** Null where other text would read as a gap. */
export function writeGaps({ question, text, matchCase }: QuestionOf<'gaps'>): string | null {
  const { parts, gaps } = gapsOf(text);
  if ([question, ...parts].some((part) => GAP.test(part))) return null;
  const kind = matchCase ? 'SHORTANSWER_C' : 'SHORTANSWER';
  const written = gaps.map((accepted) => {
    const numbers = accepted.flatMap(asNumerical);
    const isNumber = numbers.length === accepted.length;
    const right = isNumber
      ? numbers
      : accepted.map((one) => String(numberInGap(one)?.value ?? one).replace(/[\\}#~*/"]/g, '\\$&'));
    return `{1:${isNumber ? 'NUMERICAL' : kind}:${right.map((one) => `%100%${one}`).join('~')}}`;
  });
  return `${question}${ASKS_ABOVE}${parts.map((part, index) => `${part}${written[index] ?? ''}`).join('')}`;
}

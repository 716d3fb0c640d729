import { QUESTION_MAX } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { ASKS_ABOVE, readGaps } from './moodle-gaps.ts';
import { oneLine, textOfHtml } from './plain-text.ts';
import {
  FILE_QUESTIONS_MAX,
  fittingTags,
  GAP_SIGN,
  HERE,
  type PartLines,
  QuestionCollector,
  type ReadQuestions,
  tagsOfCategory,
  WILD,
  withoutFeedback,
  withoutLastGap,
  withoutShares,
} from './question-file.ts';
import { allOf, isElement, readXml, textOf, type XmlElement, XmlProblem } from './xml.ts';

// Moodle XML: <quiz> with many <question>. Mistakes have a number and line; each question is read by itself
// where the file is no XML.

/** More than are taken, so that mistakes in the rest show. */
const READ_MAX = 2 * FILE_QUESTIONS_MAX;
const ANSWERS_READ = 100;

export const isMoodleXml = (source: string) =>
  /^<(\?xml|!--|quiz[\s>])/i.test(source.slice(0, 4000).trimStart()) &&
  /<quiz[\s>]/.test(source.slice(0, 4000));

/** Reads a Moodle XML file with all its mistakes. */
export function readMoodle(source: string): ReadQuestions {
  const collector = new QuestionCollector();
  const found: { element: XmlElement | XmlProblem; line: number }[] = [];
  try {
    const root = readXml(source);
    for (const element of root.children.filter(isElement)) {
      if (element.name === 'question') found.push({ element, line: element.line });
    }
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error;
    for (const { text, line } of piecesOf(source)) found.push({ element: parsed(text), line });
    // Wrong outside of all questions, or too many to read one by one.
    if (found.length === 0) collector.problem(error.line, error.message);
  }
  let tags: string[] = [];
  let number = 0;
  for (const { element, line } of found) {
    if (!(element instanceof XmlProblem) && element.attributes.get('type') === 'category') {
      tags = tagsOfCategory(textOf(childOf(childOf(element, 'category'), 'text')));
      continue;
    }
    number += 1;
    if (number > READ_MAX) {
      collector.problem(line, `The file has more than ${READ_MAX} questions; the rest was not read`);
      break;
    }
    collector.label = `Question ${number}`;
    if (element instanceof XmlProblem) collector.problem(line + element.line - 1, element.message);
    else new MoodleQuestion(element, line - element.line, collector, number).read(tags);
  }
  return collector.result();
}

const parsed = (text: string): XmlElement | XmlProblem => {
  try {
    return readXml(text);
  } catch (error) {
    if (error instanceof XmlProblem) return error;
    throw error;
  }
};

function* piecesOf(source: string): Generator<{ text: string; line: number }> {
  let [line, counted] = [1, 0];
  const starts = [...source.matchAll(/<question[\s>]/g)].map(({ index }) => index);
  if (starts.length > 2 * FILE_QUESTIONS_MAX) return;
  for (const [index, start] of starts.entries()) {
    const piece = source.slice(start, starts[index + 1] ?? source.length);
    const end = piece.lastIndexOf('</question>');
    line += source.slice(counted, start).split('\n').length - 1;
    counted = start;
    yield { text: end === -1 ? piece : piece.slice(0, end + '</question>'.length), line };
  }
}

const childrenOf = (element: XmlElement | undefined, name: string) =>
  (element?.children ?? []).filter(isElement).filter((child) => child.name === name);
const childOf = (element: XmlElement | undefined, name: string) => childrenOf(element, name)[0];

interface MoodleAnswer {
  share: number;
  text: string;
  lines: string;
  feedback: string;
  line: number;
}

class MoodleQuestion {
  readonly #element: XmlElement;
  readonly #collector: QuestionCollector;
  readonly #above: number;
  readonly #lost = new Set<string>();
  #isBroken = false;
  #isFormatted = false;
  #shared: object = {};

  constructor(element: XmlElement, above: number, collector: QuestionCollector, number: number) {
    this.#element = element;
    this.#above = above;
    this.#collector = collector;
    const name = oneLine(textOf(childOf(childOf(element, 'name'), 'text')));
    // Our files name questions by number.
    if (name && name !== `Question ${number}`) {
      collector.label = `Question ${number} “${[...name].slice(0, 40).join('')}”`;
    }
  }

  #lineOf = (line: number) => line + this.#above;
  #problem(message: string, line = this.#element.line): void {
    this.#isBroken = true;
    this.#collector.problem(this.#lineOf(line), message);
  }
  #note = (message: string, line = this.#element.line) => this.#collector.note(this.#lineOf(line), message);
  #value = (name: string) => textOf(childOf(this.#element, name));

  read(categories: readonly string[]) {
    const type = this.#element.attributes.get('type') ?? '';
    const reader = this.#readers()[type];
    if (!reader) {
      return this.#note(`Left out: a quiz here has no question of the type ${type.slice(0, 40) || '“”'}`);
    }
    const points = Number(this.#value('defaultgrade') || 1);
    if (!Number.isInteger(points) || points < 1) this.#note(`Its points, ${points}, are no whole number: 1`);
    const tags = this.#tags(categories);
    const asked = childOf(this.#element, 'questiontext');
    this.#isFormatted = asked?.attributes.get('format') === 'markdown';
    this.#shared = {
      question: this.#text(asked),
      ...(this.#isFormatted ? { format: 'markdown' } : {}),
      explanation: this.#text(childOf(this.#element, 'generalfeedback')),
      ...(Number.isInteger(points) && points > 1 ? { points } : {}),
      ...(tags.length > 0 ? { tags } : {}),
    };
    reader();
    const files = allOf(this.#element, 'file');
    for (const file of files) {
      const name = file.attributes.get('name')?.slice(0, 100) ?? '';
      this.#note(`Left out: the file “${name}”, which a text here cannot hold`, file.line);
    }
    if (files.length > 0) this.#lost.delete('picture');
    this.#collector.lost(this.#lineOf(this.#element.line), this.#lost);
  }

  #readers(): Record<string, () => void> {
    return {
      multichoice: () => this.#readOptions(),
      truefalse: () => this.#readTruth(),
      shortanswer: () => this.#readAccepted(),
      numerical: () => this.#readNumber(),
      matching: () => this.#readPairs(),
      ordering: () => this.#readOrder(),
      cloze: () => this.#readCloze(),
      multianswer: () => this.#readCloze(),
      gapselect: () => this.#readWords('selectoption'),
      ddwtos: () => this.#readWords('dragbox'),
    };
  }

  #tags(categories: readonly string[]): string[] {
    const own = childrenOf(childOf(this.#element, 'tags'), 'tag').map((tag) => oneLine(textOf(tag)));
    return fittingTags([...own, ...categories], this.#note);
  }

  #text(element: XmlElement | undefined, isHtmlUsual = true): string {
    if (!element) return '';
    const own = { ...element, children: element.children.filter((child) => !isElement(child)) };
    const written = textOf(childOf(element, 'text') ?? own);
    const format = element.attributes.get('format') ?? (isHtmlUsual ? 'html' : 'plain_text');
    if (format === 'plain_text' || format === 'markdown') return written.replace(/\r\n?/g, '\n').trim();
    const html = format === 'moodle_auto_format' ? written.replace(/\r?\n/g, '<br>') : written;
    const text = textOfHtml(html, this.#lost);
    if (text === null) this.#problem('A text in HTML is too long', element.line);
    return text ?? '';
  }

  /** @param isHtml the default format; typed answers have no markup */
  #answers(isHtml: boolean): MoodleAnswer[] {
    return childrenOf(this.#element, 'answer')
      .slice(0, ANSWERS_READ)
      .map((answer) => {
        const lines = this.#text(answer, isHtml);
        return {
          ...{ lines, text: oneLine(lines), line: answer.line },
          share: Number(answer.attributes.get('fraction') ?? 0),
          feedback: oneLine(this.#text(childOf(answer, 'feedback'))),
        };
      });
  }

  #readOptions() {
    const answers = this.#answers(true);
    const lines = answers.map(({ line }) => this.#lineOf(line));
    const written = {
      options: answers.map(({ text, lines }) => (this.#isFormatted ? lines : text)),
      feedback: answers.map(({ feedback }) => feedback),
    };
    const isSingle = this.#value('single') !== 'false';
    const earning = answers.filter(({ share }) => (isSingle ? share >= 100 : share > 0));
    if (earning.length === 0) return this.#problem('No answer gets all points');
    const parts = { options: lines, feedback: lines };
    if (isSingle) withoutShares(answers, this.#note);
    if (isSingle && earning.length === 1) {
      return this.#add({ ...written, correctAnswer: answers.indexOf(earning[0]!) }, parts);
    }
    if (isSingle) this.#note(HERE.one, earning[1]!.line);
    // Moodle rounds shares to five places.
    else if (
      Math.max(...earning.map(({ share }) => share)) - Math.min(...earning.map(({ share }) => share)) >
      0.001
    ) {
      this.#note(HERE.same);
    }
    const correctAnswers = earning.map((answer) => answers.indexOf(answer));
    this.#add({ kind: 'several_answers', ...written, correctAnswers }, parts);
  }

  #readTruth() {
    const answers = this.#answers(false);
    const said = (word: string) => answers.find(({ text }) => text.toLowerCase() === word);
    const [whenTrue, whenFalse] = [said('true'), said('false')];
    if (!whenTrue || !whenFalse || whenTrue.share >= 100 === whenFalse.share >= 100) {
      return this.#problem('It does not say whether true or false is right');
    }
    const feedback = [whenTrue.feedback, whenFalse.feedback];
    this.#add({ kind: 'true_false', isTrue: whenTrue.share >= 100, feedback });
  }

  #readAccepted() {
    const answers = this.#answers(false);
    const whole = answers.filter(({ share }) => share >= 100);
    if (whole.length === 0) return this.#problem('No answer gets all points');
    withoutShares(answers, this.#note);
    withoutFeedback(answers, this.#note);
    const wild = whole.find(({ text }) => WILD.test(text));
    if (wild) this.#note(HERE.star, wild.line);
    const accepted = new Map(whole.map(({ text, line }) => [text.replaceAll('\\*', '*'), line]));
    this.#add(
      {
        kind: 'short_text',
        accepted: [...accepted.keys()],
        matchCase: this.#value('usecase') === '1',
      },
      { accepted: [...accepted.values()].map(this.#lineOf) },
    );
  }

  #readNumber() {
    const answers = this.#answers(false);
    const whole = answers.filter(({ share }) => share >= 100);
    const [right] = whole;
    if (!right || whole.length > 1) return this.#problem('A number has one right answer here');
    withoutShares(answers, this.#note);
    withoutFeedback(answers, this.#note);
    const element = childrenOf(this.#element, 'answer')[answers.indexOf(right)];
    const value = right.text === '' ? Number.NaN : Number(right.text);
    if (!Number.isFinite(value))
      return this.#problem(`“${right.text.slice(0, 40)}” is no number`, right.line);
    const units = childrenOf(childOf(this.#element, 'units'), 'unit');
    const plain = units.find((unit) => Number(textOf(childOf(unit, 'multiplier'))) === 1);
    if (units.length > 1) this.#note('A number has one unit here');
    this.#add({
      kind: 'number',
      value,
      tolerance: Number(textOf(childOf(element, 'tolerance')) || 0),
      unit: textOf(childOf(plain, 'unit_name')),
    });
  }

  #readPairs() {
    const pairs: { prompt: string; match: string }[] = [];
    const distractors: string[] = [];
    const lines: number[] = [];
    for (const one of childrenOf(this.#element, 'subquestion')) {
      const prompt = oneLine(this.#text(one));
      const match = oneLine(this.#text(childOf(one, 'answer'), false));
      if (prompt === '') distractors.push(match);
      else {
        pairs.push({ prompt, match });
        lines.push(this.#lineOf(one.line));
      }
    }
    this.#add({ kind: 'matching', pairs, distractors }, { pairs: lines });
  }

  #readOrder() {
    const answers = this.#answers(true);
    // In an ordering, shares are places.
    const isNumbered = new Set(answers.map(({ share }) => share)).size === answers.length;
    const ordered = isNumbered ? answers.toSorted((a, b) => a.share - b.share) : answers;
    withoutFeedback(answers, this.#note);
    this.#add({ kind: 'ordering', items: ordered.map(({ text }) => text) });
  }

  #readCloze() {
    const { question: written } = this.#shared as { question: string };
    const first = written.search(/\{\d{0,4}:[A-Z_]{2,20}:/);
    if (first === -1) return this.#problem('Its text has no gap: write {1:SHORTANSWER:=answer}');
    const at = written.slice(0, first).indexOf(ASKS_ABOVE);
    const read = readGaps(at === -1 ? written : written.slice(at + ASKS_ABOVE.length));
    if (typeof read === 'string') return this.#problem(`${read}, which cannot be taken`);
    for (const note of read.notes) this.#note(note);
    const { text, matchCase, number } = read;
    const above = at === -1 ? null : written.slice(0, at);
    if (!number) return this.#addGaps(above, text, matchCase);
    const question = withoutLastGap(`${above ?? ''}\n\n${text.replace(/\[\[.*\]\]/, '_____')}`);
    this.#add({ question, kind: 'number', ...number });
  }

  #readWords(name: string) {
    const { question: written } = this.#shared as { question: string };
    const words = childrenOf(this.#element, name).map((word) =>
      oneLine(this.#text(word, name === 'dragbox')),
    );
    if (words.some((word) => GAP_SIGN.test(word))) return this.#problem(HERE.signs);
    // Before they are put in: a long word in many places would exceed the file.
    if (words.some((word) => word.length > QUESTION_MAX.accepted) || written.length > QUESTION_MAX.gapText) {
      return this.#problem(
        `Its text has at most ${QUESTION_MAX.gapText} characters here, and a word for a gap ${QUESTION_MAX.accepted}`,
      );
    }
    this.#note(HERE.typed);
    const text = written.replace(/\[\[(\d{1,3})\]\]/g, (gap, number) => {
      const word = words[Number(number) - 1];
      return word ? `[[${word}]]` : gap;
    });
    this.#addGaps(null, text, false);
  }

  #addGaps(question: string | null, text: string, matchCase: boolean): void {
    const own = question === null ? { question: 'Fill the gaps.', format: undefined } : { question };
    this.#add({ ...own, kind: 'gaps', text, matchCase });
  }

  #add(own: object, parts?: PartLines): void {
    if (this.#isBroken) return;
    this.#collector.add(this.#lineOf(this.#element.line), { ...this.#shared, ...own }, parts);
  }
}

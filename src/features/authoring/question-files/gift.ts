import { oneLine, textOfHtml } from './plain-text.ts';
import {
  fittingTags,
  HERE,
  type PartLines,
  QuestionCollector,
  type ReadQuestions,
  tagsOfCategory,
  WILD,
  withoutFeedback,
  withoutShares,
} from './question-file.ts';

// GIFT is Moodle's text format. A blank line ends a question, so a broken one spoils no other. Scans run left
// to right: a file has up to a million hostile characters.

/** Pieces of one question; honest ones have a dozen. */
const PIECES_MAX = 200;

interface Block {
  text: string;
  lines: number[];
  tags: string[];
}

interface Piece {
  sign: string;
  text: string;
  line: number;
}

interface Choice {
  isRight: boolean;
  share: number | null;
  text: string;
  feedback: string;
  line: number;
}

/** Reads a GIFT file with all its mistakes. */
export function readGift(source: string): ReadQuestions {
  const collector = new QuestionCollector();
  for (const block of blocksOf(source)) new BlockReader(block, collector).read();
  return collector.result();
}

function* blocksOf(source: string): Generator<Block> {
  let block: Block = { text: '', lines: [], tags: [] };
  let category: string[] = [];
  for (const [index, line] of source.split(/\r\n|\r|\n/).entries()) {
    const plain = line.trim();
    if (plain.startsWith('//')) block.tags.push(...tagsOf(plain));
    else if (/^\$CATEGORY:/i.test(plain)) category = tagsOfCategory(plain.slice('$CATEGORY:'.length));
    else if (plain !== '') {
      if (block.lines.length === 0) block.tags.push(...category);
      block.text += block.lines.length > 0 ? `\n${line}` : line;
      block.lines.push(index + 1);
    } else if (block.lines.length > 0) {
      yield block;
      block = { text: '', lines: [], tags: [] };
    }
  }
  if (block.lines.length > 0) yield block;
}

function tagsOf(comment: string): string[] {
  return [...comment.slice(0, 4000).matchAll(/\[tag:((?:[^\]\\]|\\.){1,100})\]/g)].map(([, tag]) =>
    tag!.replace(/\\(.)/g, '$1').trim(),
  );
}

function cut(text: string, signs: string, firstLine = 0): Piece[] | null {
  const pieces: Piece[] = [];
  let [from, line] = [0, firstLine];
  let open = { sign: '', line };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (sign === '\n') line += 1;
    else if (sign === '\\' && text[at + 1] !== '\n') at += 1;
    else if (signs.includes(sign)) {
      if (pieces.length >= PIECES_MAX) return null;
      pieces.push({ ...open, text: text.slice(from, at) });
      open = { sign, line };
      from = at + 1;
    }
  }
  return [...pieces, { ...open, text: text.slice(from) }];
}

function findBare(text: string, wanted: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(wanted, at)) return at;
  }
  return -1;
}

const linesIn = (text: string) => text.split('\n').length - 1;

const SIGNED = '[+-]?(?:\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30})(?:e[+-]?\\d{1,3})?';
const ABOUT = new RegExp(`^(${SIGNED})\\s*(?::\\s*(${SIGNED}))?$`, 'i');
const RANGE = new RegExp(`^(${SIGNED})\\s*\\.\\.\\s*(${SIGNED})$`, 'i');

/** Half of 3.141 and 3.142 has a rounding error. */
const rounded = (value: number, digits: number) => Number(value.toPrecision(digits));

class BlockReader {
  readonly #block: Block;
  readonly #collector: QuestionCollector;
  readonly #lost = new Set<string>();
  #isHtml = false;
  #isFormatted = false;
  #isBroken = false;
  #shared: object = {};

  constructor(block: Block, collector: QuestionCollector) {
    this.#block = block;
    this.#collector = collector;
  }

  #lineOf = (line: number) => this.#block.lines[line] ?? this.#block.lines.at(-1)!;
  #problem = (message: string, line = 0) => {
    this.#isBroken = true;
    this.#collector.problem(this.#lineOf(line), message);
  };
  #note = (message: string, line = 0) => this.#collector.note(this.#lineOf(line), message);

  read() {
    const stored = this.#block.text.indexOf('\0');
    if (stored !== -1) {
      return this.#problem('A character cannot be stored', linesIn(this.#block.text.slice(0, stored)));
    }
    const pieces = cut(this.#block.text, '{}');
    if (pieces?.length === 1) {
      return this.#note('Left out: a text without answers in braces, {…}, is no question');
    }
    if (pieces?.length !== 3 || pieces[1]!.sign !== '{' || pieces[2]!.sign !== '}') {
      return this.#problem(
        'A question has one pair of braces, {…}, and no blank line inside. Write \\{ and \\} for braces in a text',
      );
    }
    const [before, inside, after] = pieces as [Piece, Piece, Piece];
    const stem = this.#withoutTitle(before.text);
    if (stem === null) return this.#problem('The title has no end: write ::title::');
    this.#isHtml = /^\s*\[html\]/i.test(stem);
    this.#isFormatted = /^\s*\[markdown\]/i.test(stem);
    const general = findBare(inside.text, '####');
    const answers = general === -1 ? inside.text : inside.text.slice(0, general);
    // A number's gap of Moodle's cloze questions.
    const told = answers.trim().replace(/^\d{0,4}:(NUMERICAL|NM):/, '#');
    if (told === '') {
      return this.#note('Left out: a question with a free text, {}, which nobody could mark', inside.line);
    }
    const [left, right] = [this.#textOf(stem), this.#textOf(after.text)];
    const tags = fittingTags(this.#block.tags, this.#note);
    this.#shared = {
      question: right === '' ? left : `${left} _____${/^[.,;:!?)]/.test(right) ? '' : ' '}${right}`,
      ...(this.#isFormatted ? { format: 'markdown' } : {}),
      explanation: general === -1 ? '' : this.#textOf(inside.text.slice(general + 4)),
      ...(tags.length > 0 ? { tags } : {}),
    };
    const firstLine = inside.line + linesIn(answers.slice(0, answers.length - answers.trimStart().length));
    if (!this.#readTruth(told)) {
      if (told.startsWith('#')) this.#readNumber(told.slice(1), firstLine);
      else this.#readChoices(told, firstLine);
    }
    this.#collector.lost(this.#lineOf(0), this.#lost);
  }

  #withoutTitle(text: string): string | null {
    const start = text.trimStart();
    if (!start.startsWith('::')) return text;
    const end = findBare(start.slice(2), '::');
    return end === -1 ? null : start.slice(end + 4);
  }

  #textOf(written: string): string {
    const format = /^\s*\[(html|moodle|plain|markdown)\]/i.exec(written);
    const text = written
      .slice(format?.[0].length ?? 0)
      .replace(/\\(n|[~=#{}:\\])/g, (_, sign) => (sign === 'n' ? '\n' : sign))
      .trim();
    const isHtml = format ? /html/i.test(format[1]!) : this.#isHtml;
    if (!isHtml) return text;
    const plain = textOfHtml(text, this.#lost);
    if (plain === null) this.#problem('A text in HTML is too long');
    return plain ?? '';
  }

  /** `T#to whoever is wrong#to whoever is right`. */
  #readTruth(told: string): boolean {
    const pieces = cut(told, '#');
    const said = pieces?.[0]?.text.trim() ?? '';
    if (!/^(T|TRUE|F|FALSE)$/i.test(said)) return false;
    const isTrue = /^T/i.test(said);
    const [wrong, right] = [pieces![1], pieces![2]].map((piece) => oneLine(this.#textOf(piece?.text ?? '')));
    const feedback = isTrue ? [right, wrong] : [wrong, right];
    this.#add({ kind: 'true_false', isTrue, feedback });
    return true;
  }

  #readNumber(told: string, firstLine: number) {
    const choices = this.#choicesOf(/^\s*=/.test(told) ? told : `=${told}`, firstLine);
    if (!choices) return;
    const right = choices.filter(({ isRight, share }) => isRight && (share ?? 100) === 100);
    if (right.length !== 1) {
      return this.#problem('A number has one right answer here: write {#3.14:0.01}', firstLine);
    }
    withoutShares(choices, this.#note);
    withoutFeedback(choices, this.#note);
    const [{ text, line }] = right as [Choice];
    const written = text.slice(0, 200);
    const [range, about] = [RANGE.exec(written), ABOUT.exec(written)];
    if (range) {
      const [low, high] = [Number(range[1]), Number(range[2])];
      const value = rounded((low + high) / 2, 15);
      this.#add({ kind: 'number', value, tolerance: rounded((high - low) / 2, 12) });
    } else if (about) {
      this.#add({ kind: 'number', value: Number(about[1]), tolerance: Number(about[2] ?? 0) });
    } else this.#problem(`“${text.slice(0, 40)}” is no number: write {#3.14:0.01} or {#3..4}`, line);
  }

  #readChoices(told: string, firstLine: number) {
    const choices = this.#choicesOf(told, firstLine);
    if (!choices) return;
    const right = choices.filter(({ isRight }) => isRight);
    if (right.length < choices.length) this.#readOptions(choices, right);
    else if (right.some(({ text }) => text.includes('->'))) this.#readPairs(right);
    else this.#readAccepted(right);
  }

  #readPairs(choices: Choice[]) {
    const pairs: { prompt: string; match: string }[] = [];
    const distractors: string[] = [];
    const lines: number[] = [];
    for (const { text, line } of choices) {
      const arrow = text.indexOf('->');
      if (arrow === -1) {
        this.#problem('Every answer of a matching question needs an arrow: =prompt -> match', line);
        continue;
      }
      const [prompt, match] = [oneLine(text.slice(0, arrow)), oneLine(text.slice(arrow + 2))];
      if (prompt === '') distractors.push(match);
      else {
        pairs.push({ prompt, match });
        lines.push(this.#lineOf(line));
      }
    }
    if (pairs.length + distractors.length < choices.length) return;
    withoutFeedback(choices, this.#note);
    this.#add({ kind: 'matching', pairs, distractors }, { pairs: lines });
  }

  #readAccepted(choices: Choice[]) {
    const whole = choices.filter(({ share }) => share === null || share === 100);
    if (whole.length === 0) return this.#problem('No answer gets all points', choices[0]!.line);
    withoutShares(choices, this.#note);
    withoutFeedback(choices, this.#note);
    const wild = whole.find(({ text }) => WILD.test(text));
    if (wild) this.#note(HERE.star, wild.line);
    const accepted = [
      ...new Map(whole.map(({ text, line }) => [oneLine(text.replaceAll('\\*', '*')), line])),
    ];
    this.#add(
      { kind: 'short_text', accepted: accepted.map(([text]) => text) },
      { accepted: accepted.map(([, line]) => this.#lineOf(line)) },
    );
  }

  #readOptions(choices: Choice[], right: Choice[]) {
    const lines = choices.map(({ line }) => this.#lineOf(line));
    const written = {
      options: choices.map(({ text }) => (this.#isFormatted ? text : oneLine(text))),
      feedback: choices.map(({ feedback }) => feedback),
    };
    const parts: PartLines = { options: lines, feedback: lines };
    const shares = choices.map(({ isRight, share }) => share ?? (isRight ? 100 : 0));
    if (right.length === 1) {
      withoutShares(
        choices.filter((choice) => choice !== right[0]),
        this.#note,
      );
      return this.#add({ ...written, correctAnswer: choices.indexOf(right[0]!) }, parts);
    }
    if (right.length > 1) {
      this.#note(HERE.one, right[1]!.line);
      withoutShares(choices, this.#note);
    }
    const least = right.length > 1 ? 100 : 0.000_01;
    const correctAnswers = shares.flatMap((share, index) => (share >= least ? [index] : []));
    if (correctAnswers.length === 0) {
      return this.#problem('No answer is right: mark it by =', choices[0]!.line);
    }
    if (new Set(correctAnswers.map((index) => shares[index])).size > 1) {
      this.#note(HERE.same, choices[0]!.line);
    }
    this.#add({ kind: 'several_answers', ...written, correctAnswers }, parts);
  }

  #choicesOf(told: string, firstLine: number): Choice[] | null {
    const pieces = cut(told, '=~', firstLine);
    if (!pieces) {
      this.#problem('The question has too many answers', firstLine);
      return null;
    }
    const [first, ...others] = pieces as [Piece, ...Piece[]];
    if (others.length === 0 || first.text.trim() !== '') {
      this.#problem('Answers begin with = (right) or ~ (wrong)', firstLine);
      return null;
    }
    return others.map(({ sign, text, line }) => this.#choiceOf(sign, text, line));
  }

  #choiceOf(sign: string, written: string, line: number): Choice {
    const hash = findBare(written, '#');
    const answer = hash === -1 ? written : written.slice(0, hash);
    const weighed = /^\s*%(-?\d{1,3}(?:\.\d{1,9})?)%/.exec(answer);
    return {
      isRight: sign === '=',
      share: weighed ? Number(weighed[1]) : null,
      text: this.#textOf(answer.slice(weighed?.[0].length ?? 0)),
      feedback: hash === -1 ? '' : oneLine(this.#textOf(written.slice(hash + 1))),
      line,
    };
  }

  #add(own: object, parts?: PartLines): void {
    if (this.#isBroken) return;
    this.#collector.add(this.#lineOf(0), { ...this.#shared, ...own }, parts);
  }
}

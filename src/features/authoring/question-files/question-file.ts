import { QUESTION_MAX } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { type Question, QUESTIONS_MAX, questionInput } from '#src/features/lessons/types/quiz/question.ts';
import { oneLine } from './plain-text.ts';

export const FILE_QUESTIONS_MAX = QUESTIONS_MAX;
/** A thousand questions in XML have a third of it; the rest is for pictures. */
export const QUESTION_TEXT_MAX_BYTES = 5 * 1_048_576;
const REMARKS_MAX = 500;

/** Moodle's \* is a star, its * any text. */
export const WILD = /(?<!\\)\*/;

export const GAP_SIGN = /[[\]|]/;

/** What is taken in another way. */
export const HERE = {
  /** No kind of question gives all points for one of several right answers. */
  one: 'One of its right answers is enough in Moodle; here all of them have to be chosen, for a share of the points each',
  star: 'A * stands for itself here, not for any text',
  said: 'Left out: what is said to a single answer; only options have that here',
  part: 'An answer for a part of the points gets none here',
  same: 'Its right answers get the same share of the points here',
  signs: 'An answer of a gap has [, ] or | in it',
  typed: 'The answer of a gap is typed here, not chosen',
};

/** `$course$/top/Loops/For` are the tags Loops and For. */
export function tagsOfCategory(path: string): string[] {
  return (
    path
      .split(/(?<!\/)\/(?!\/)/)
      // A little of what is too long suffices to see it.
      .map((part) => oneLine(part.replaceAll('//', '/')).slice(0, 2 * QUESTION_MAX.tag + 1))
      .filter((part) => part !== '' && !/^(\$\w+\$|top|default for .*)$/i.test(part))
      // One too many suffices for the message.
      .slice(0, QUESTION_MAX.tags + 1)
  );
}

/** Those that a question has room for; `note` is given a sentence about others. */
export function fittingTags(written: readonly string[], note: (message: string) => void): string[] {
  const all = [...new Set(written.filter((tag) => tag !== ''))];
  const fit = all.filter((tag) => [...tag].length <= QUESTION_MAX.tag).slice(0, QUESTION_MAX.tags);
  if (fit.length < all.length) {
    note(`Left out: tags, of which a question has ${QUESTION_MAX.tags} of ${QUESTION_MAX.tag} characters`);
  }
  return fit;
}

export const withoutLastGap = (text: string) => text.replace(/_____$/, '').trim();

interface Answer {
  share: number | null;
  feedback: string;
  line: number;
}
type Note = (message: string, line: number) => void;

export function withoutShares(answers: readonly Answer[], note: Note): void {
  const shared = answers.find(({ share }) => share && share > 0 && share < 100);
  if (shared) note(HERE.part, shared.line);
}

export function withoutFeedback(answers: readonly Answer[], note: Note): void {
  const said = answers.find(({ feedback }) => feedback !== '');
  if (said) note(HERE.said, said.line);
}

/** A right number. */
export interface Near {
  value: number;
  tolerance: number;
}

export interface Remark {
  file: string | null;
  line: number | null;
  message: string;
}

/** Questions with mistakes are left out; notes say what is changed or dropped. */
export interface ReadQuestions {
  questions: Question[];
  problems: Remark[];
  moreProblems: number;
  notes: Remark[];
}

/** Lines of a question's parts, by the names of its lists. */
export type PartLines = Partial<Record<'options' | 'feedback' | 'accepted' | 'pairs', readonly number[]>>;

/** Gathers a file's questions, each checked as if typed, with all remarks. */
export class QuestionCollector {
  file: string | null = null;
  /** Names a question where its line alone does not. */
  label = '';
  readonly #questions: Question[] = [];
  readonly #problems: Remark[] = [];
  readonly #notes: Remark[] = [];
  #found = 0;
  #moreProblems = 0;

  problem(line: number | null, message: string): void {
    if (this.#problems.length < REMARKS_MAX) this.#problems.push(this.#remark(line, message));
    else this.#moreProblems += 1;
  }

  note(line: number, message: string): void {
    if (this.#notes.length < REMARKS_MAX) this.#notes.push(this.#remark(line, message));
  }

  lost(line: number, kinds: Iterable<string>): void {
    for (const kind of kinds) this.note(line, `Left out: a ${kind}, which a text here cannot hold`);
  }

  #remark(line: number | null, message: string): Remark {
    return { file: this.file, line, message: this.label ? `${this.label}: ${message}` : message };
  }

  /**
   * @param line where it begins
   * @param parts lines for mistakes in its parts
   */
  add(line: number, written: object, parts: PartLines = {}): void {
    this.#found += 1;
    if (this.#found > FILE_QUESTIONS_MAX) return;
    const checked = questionInput.safeParse(written);
    if (checked.success) {
      this.#questions.push(checked.data);
      return;
    }
    const told = new Set<string>();
    for (const { path, message } of checked.error.issues) {
      const at = parts[path[0] as keyof PartLines]?.[path[1] as number] ?? line;
      if (!told.has(`${at} ${message}`)) this.problem(at, message);
      told.add(`${at} ${message}`);
    }
  }

  result(): ReadQuestions {
    this.file = null;
    this.label = '';
    const isTooMuch = this.#found > FILE_QUESTIONS_MAX;
    if (isTooMuch) {
      this.problem(null, `There are ${this.#found} questions; a quiz has at most ${FILE_QUESTIONS_MAX}`);
    }
    const isEmpty = this.#found === 0 && this.#problems.length === 0;
    if (isEmpty) this.problem(null, 'There is no question that can be taken');
    return {
      questions: isTooMuch ? [] : this.#questions,
      problems: inOrder(this.#problems),
      moreProblems: this.#moreProblems,
      notes: inOrder(this.#notes),
    };
  }
}

function inOrder(remarks: readonly Remark[]): Remark[] {
  const files = [...new Set(remarks.map(({ file }) => file))];
  return remarks.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0),
  );
}

export function unreadable(message: string, file: string | null = null): ReadQuestions {
  return { questions: [], problems: [{ file, line: null, message }], moreProblems: 0, notes: [] };
}

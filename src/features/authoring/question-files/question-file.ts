import { type Question, QUESTIONS_MAX, questionInput } from '#src/features/lessons/types/quiz/question.ts';

/** Questions of one file at most: as many as a quiz has. */
export const FILE_QUESTIONS_MAX = QUESTIONS_MAX;
/** Bytes of a text at most; a thousand questions in XML have a third of it, the rest is for pictures. */
export const QUESTION_TEXT_MAX_BYTES = 5 * 1_048_576;
/** Remarks that are told at most; who mends these finds the others. */
const REMARKS_MAX = 500;

/** Of a choice in which one of several right answers gets all points, which no kind of question here is. */
export const ONE_IS_ENOUGH =
  'One of its right answers is enough in Moodle; here all of them have to be chosen, for a share of the points each';

/** What is said of a place in a file. */
export interface Remark {
  /** Inside a package; null where there is but one file. */
  file: string | null;
  /** From 1; null for what is said of a whole file. */
  line: number | null;
  message: string;
}

/**
 * What a file of questions says. A question with a mistake is left out, and the others are taken; notes tell what is taken
 * in another way, or left out.
 */
export interface ReadQuestions {
  questions: Question[];
  problems: Remark[];
  /** Mistakes beyond those that are told. */
  moreProblems: number;
  notes: Remark[];
}

/** The lines of a question's parts, by the names of its lists. */
export type PartLines = Partial<Record<'options' | 'feedback' | 'accepted' | 'pairs', readonly number[]>>;

/** Gathers the questions of a file, each checked as if its author had typed it, and all that is to be said of them. */
export class QuestionCollector {
  /** Of the package that is being read. */
  file: string | null = null;
  /** Of the question that is being read, where its line alone does not name it. */
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

  #remark(line: number | null, message: string): Remark {
    return { file: this.file, line, message: this.label ? `${this.label}: ${message}` : message };
  }

  /**
   * Takes a question.
   *
   * @param line where it begins
   * @param parts where its parts stand, for what is wrong with one of them
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

  /** What was read, once all of it was. */
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

/** File by file, as they were read, and by line. */
function inOrder(remarks: readonly Remark[]): Remark[] {
  const files = [...new Set(remarks.map(({ file }) => file))];
  return remarks.toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || (a.line ?? 0) - (b.line ?? 0),
  );
}

/** Why nothing at all can be read of a file. */
export function unreadable(message: string, file: string | null = null): ReadQuestions {
  return { questions: [], problems: [{ file, line: null, message }], moreProblems: 0, notes: [] };
}

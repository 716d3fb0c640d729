import { z } from 'zod';
import { tidy } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { filled, rawText, text } from '#src/shared/fields.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { EXERCISE_MAX } from './limits.ts';

// What an author expects to go wrong in a coding lesson, and what is said of it (decision 121).

export interface MistakeFields {
  say: string;
  code: string;
  lacks: string;
  result: string;
  program: string;
}

export const emptyMistake = (): MistakeFields => ({ say: '', code: '', lacks: '', result: '', program: '' });

export const mistakesOfColumn = (mistakes: readonly Partial<MistakeFields>[]): MistakeFields[] =>
  mistakes.map((mistake) => ({ ...emptyMistake(), ...mistake }));

/** What a mistake still lacks, at its field, in the order of the form. */
export function lacksOf({ say, code, lacks, result, program }: MistakeFields): Partial<MistakeFields> {
  return {
    ...([code, lacks, result].every(isBlank) && {
      code: 'say what it is known by, text in the code or the result',
    }),
    ...(isBlank(say) && { say: 'say what the learner reads' }),
    ...(isBlank(program) && { program: 'write a program that makes it' }),
  };
}

const asWritten = (label: string, max: number) => filled(rawText(label, { max }));

export const expectedMistakesInput = z
  .array(
    z.object(
      {
        say: filled(text('What the learner reads', { min: 0, max: EXERCISE_MAX.say })),
        code: asWritten('The text in the code', EXERCISE_MAX.mark),
        lacks: asWritten('The text that the code lacks', EXERCISE_MAX.mark),
        result: asWritten('The result', EXERCISE_MAX.mark),
        program: asWritten('The program', EXERCISE_MAX.code),
      },
      { error: 'An expected mistake must have say, program, and code or result' },
    ),
    { error: 'Expected mistakes must be a list' },
  )
  .max(EXERCISE_MAX.mistakes, `A lesson has at most ${EXERCISE_MAX.mistakes} expected mistakes`)
  .superRefine((mistakes, context) => {
    for (const [index, mistake] of mistakes.entries()) {
      for (const [field, lack] of Object.entries(lacksOf(mistake))) {
        const message = `Expected mistake ${index + 1}: ${lack}`;
        context.addIssue({ code: 'custom', path: [index, field], message });
      }
    }
  })
  .nullish()
  .transform((mistakes) =>
    (mistakes ?? []).map(({ say, code, lacks, result, program }) =>
      tidy({
        say,
        code: isBlank(code) ? undefined : code,
        lacks: isBlank(lacks) ? undefined : lacks,
        result: isBlank(result) ? undefined : result,
        program,
      }),
    ),
  );

interface Known {
  code?: string | undefined;
  /** Texts in lines, none of which the code has. */
  lacks?: string | undefined;
  result?: string | undefined;
}

interface ShownRun {
  verdict: string;
  error?: { name: string } | null;
  tests: readonly {
    passed: boolean;
    hidden: boolean;
    got?: string | null | undefined;
    error?: { name: string } | null | undefined;
  }[];
}

const dense = (code: string) => code.replace(/\s+/g, '');

function resultsOf({ verdict, error, tests }: ShownRun): string[] {
  const failed = tests.filter(({ passed, hidden }) => !passed && !hidden);
  const all = [...failed.flatMap((test) => [test.got, test.error?.name]), error?.name, verdict];
  return [...new Set(all.flatMap((one) => one?.trim() || []))];
}

/** Without `lacks`, "pass" is what a test got. */
const isOfPassing = ({ lacks, result }: Known) => lacks !== undefined && result?.trim() === 'pass';

const fitsCode = ({ code, lacks }: Known, program: string): boolean =>
  (code === undefined || dense(program).includes(dense(code))) &&
  !lacks?.split('\n').some((line) => !isBlank(line) && dense(program).includes(dense(line)));

const isKnownBy = (mistake: Known, program: string, run: ShownRun): boolean =>
  (mistake.code ?? mistake.lacks ?? mistake.result) !== undefined &&
  (run.verdict !== 'pass' || isOfPassing(mistake)) &&
  fitsCode(mistake, program) &&
  (mistake.result === undefined || resultsOf(run).includes(mistake.result.trim()));

/** The first in the author's order. One with the result `pass` makes a program wrong that passes all tests. */
export function expectedMistake<M extends Known>(
  mistakes: readonly M[],
  code: string,
  run: ShownRun,
): M | null {
  return mistakes.find((mistake) => isKnownBy(mistake, code, run)) ?? null;
}

type Tried = ShownRun & { code: string };

const OTHERS_MIN = 3;
const RESULTS_TOLD = 5;
const RESULT_TOLD_MAX = 100;

export function mistakeFaults(
  mistakes: readonly (Known & { program: string })[],
  solution: string,
  tried: { programs: readonly Tried[]; starter: Tried | null; empty: Tried; changes: readonly Tried[] },
): string[] {
  const speaks = (run: Tried) => expectedMistake(mistakes, run.code, run);
  const isWrong = (run: Tried) => run.verdict !== 'pass' || speaks(run) !== null;
  const faultOf = (mistake: (typeof mistakes)[number], index: number): string | null => {
    const run = tried.programs[index]!;
    if (!isWrong(run)) return 'its program passes, so it makes no mistake.';
    const speaker = speaks(run);
    if (!speaker) {
      const results = resultsOf(run).slice(0, RESULTS_TOLD);
      const told = results.map((one) => `“${one.slice(0, RESULT_TOLD_MAX)}”`).join(', ');
      return `it does not speak for its own program, whose code or result is another. The result is any of: ${told}.`;
    }
    if (speaker !== mistake) {
      return `expected mistake ${mistakes.indexOf(speaker) + 1} speaks for its program, as it comes first.`;
    }
    if ((mistake.result === undefined || isOfPassing(mistake)) && fitsCode(mistake, solution)) {
      return 'the reference solution has its code too.';
    }
    if (speaks(tried.empty) === mistake) return 'it speaks for an empty program too.';
    const { starter } = tried;
    if (starter && dense(starter.code) !== dense(mistake.program) && speaks(starter) === mistake) {
      return 'it speaks for the unchanged starter code too.';
    }
    const others = [...tried.programs.toSpliced(index, 1), ...tried.changes].filter(isWrong);
    if (others.length >= OTHERS_MIN && others.every((one) => isKnownBy(mistake, one.code, one))) {
      return `it speaks for all ${others.length} other wrong programs that were tried, whatever they do wrong.`;
    }
    return null;
  };
  return mistakes.flatMap((mistake, index) => {
    const fault = faultOf(mistake, index);
    return fault === null ? [] : `Expected mistake ${index + 1}: ${fault}`;
  });
}

import { tellDifference } from '../explanations/evidence.ts';
import { missingPart } from '../explanations/selectors.ts';
import type { LearnerError, Submission } from '#src/judge/protocol.ts';
import type { Observation } from '#src/judge/runner.ts';

/** Null for nothing known. */
type Hinter = (submission: Submission, at: number | null, seen: Observation) => LearnerError | null;

const HINTERS: Partial<Record<Submission['language'], Hinter>> = {};

function inputOf(tests: Submission['tests'], at: number | null): string | null {
  const test = at === null ? undefined : tests[at];
  return test && test.mode !== 'stdin' ? test.input : null;
}

function wantedOf(tests: Submission['tests'], at: number | null): string | null {
  const test = at === null ? undefined : tests[at];
  return test && !test.hidden ? test.expectedOutput : null;
}

const PRINTS: Partial<Record<Submission['language'], string>> = {
  javascript: 'console.log(…)',
  python: 'print(…)',
  typescript: 'console.log(…)',
};

function printsNothing(language: Submission['language'], output: string, wanted: string) {
  const print = PRINTS[language];
  if (!print || output.trim() !== '' || wanted.trim() === '') return null;
  return {
    message: 'Your program printed nothing.',
    explanation: `What it is to show stands between the brackets of ${print}.`,
  };
}

function byDifference(
  { language, tests, expectedOutput, code }: Submission,
  at: number | null,
  seen: Observation,
): LearnerError | null {
  // Rows speak as rows, or not at all.
  if (language === 'sql' && tests.length > 0) return null;
  const wanted = tests.length === 0 ? (expectedOutput ?? null) : wantedOf(tests, at);
  if (wanted === null) return null;
  const say = (message: string, explanation: string) => ({
    name: 'Hint',
    line: null,
    column: null,
    message,
    explanation,
  });
  if (seen.error?.name === 'NoMatch' && language === 'html') {
    const missing = missingPart(inputOf(tests, at)?.split('|', 1)[0] ?? '', code);
    return missing === null ? null : say(missing, 'Look at the names and attributes that the task asks for.');
  }
  const got = seen.value ?? seen.output;
  // Numbers of a page are no loop's: they count its elements, or are texts of it.
  const isOfPage = language === 'html' || language === 'css' || language === 'react';
  if (isOfPage && /^\s*-?\d+(?:\.\d+)?\s*$/.test(wanted)) {
    const input = inputOf(tests, at) ?? '';
    return /\|\s*count\s*$/.test(input) && got.trim() !== ''
      ? say(
          `The test counts ${got.trim()} where ${wanted.trim()} ${wanted.trim() === '1' ? 'is' : 'are'} asked for.`,
          `It counts what fits ${input.replace(/\|\s*count\s*$/, '').trim()}.`,
        )
      : null;
  }
  const told = seen.error
    ? null
    : ((tests.length === 0 ? printsNothing(language, got, wanted) : null) ?? tellDifference(got, wanted));
  return told && say(told.message, told.explanation);
}

export async function prepareHints(language: Submission['language']): Promise<void> {
  if (HINTERS[language]) return;
  if (language === 'react') {
    const { hintAtReact } = await import('../explanations/react-hints.ts');
    HINTERS[language] = ({ code }, _, { output }) => hintAtReact(code, output);
  } else if (language === 'sql') {
    const { hintAtSql } = await import('../languages/sql/hints.ts');
    HINTERS[language] = ({ tests, code }, at, { value }) => {
      const [input, wanted] = [inputOf(tests, at), wantedOf(tests, at)];
      return hintAtSql(
        code,
        input === null || wanted === null || value === null ? null : { input, wanted, got: value },
      );
    };
  }
}

/** Of a hidden test (null) only what the text alone shows. */
export function hintAt(submission: Submission, at: number | null, seen: Observation): LearnerError | null {
  try {
    if (seen.hint) return seen.hint;
    const given = at === null ? { ...seen, value: null, output: '' } : seen;
    return HINTERS[submission.language]?.(submission, at, given) ?? byDifference(submission, at, given);
  } catch {
    // Nested beyond what can be followed: that is no beginner's mistake.
    return null;
  }
}

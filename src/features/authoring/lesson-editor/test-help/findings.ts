import type { JudgedRun, TestResult } from '#src/features/practice/schema.ts';
import type { TestFields } from '#src/features/authoring/lesson-editor/exercise.ts';
import { counted } from '#src/shared/counted.ts';
import { isBlank } from '#src/shared/is-blank.ts';

/** Characters of a finding's value at most: it is one line under a field. */
const SHOWN_MAX = 120;

/** What a test finds in the reference solution, in a sentence. */
export interface Finding {
  text: string;
  /** Whether the reference gives what the test expects; null where it expects nothing yet. */
  isExpected: boolean | null;
}

const oneLine = (text: string) => {
  const line = text.replace(/\s*\n\s*/g, ' / ').trim();
  return line.length <= SHOWN_MAX ? line : `${line.slice(0, SHOWN_MAX)}…`;
};

const STEP = /^\s*(?:click|hover|clear|submit|focus|blur|type|press|select|wait)\s/i;

/** What a test's input looks at, by its last words: `text`, `count`, `Markup`, or an attribute's or property's name. */
function lookOf(input: string): string {
  // After the component's element a pipe is no more than a semicolon.
  const query = input
    .split(';')
    .at(-1)!
    .replace(/^[\s\S]*>\s*\|\s/, '');
  const piped = /\s\|\s*([^|]+)$/.exec(query)?.[1];
  const word = (piped ?? query).trim();
  if (/^(?:text|count)$/i.test(word)) return word.toLowerCase();
  if (/^html$/i.test(word)) return 'Markup';
  if (word.startsWith('@') && !/[\s(]/.test(word)) return word.slice(1);
  // After a step the word is an element, whose text is meant.
  return piped === undefined || STEP.test(query) ? 'text' : word;
}

/** What the judge said of a test of the reference, for its author. */
export function findingOf(
  { input, expectedOutput, expectsEmpty }: Pick<TestFields, 'input' | 'expectedOutput' | 'expectsEmpty'>,
  { got, error, passed, verdict }: Pick<TestResult, 'got' | 'error' | 'passed' | 'verdict'>,
  label = lookOf(input),
): Finding {
  const expects = expectsEmpty || !isBlank(expectedOutput);
  const isExpected = expects ? passed : null;
  if (verdict === 'syntax_error') {
    const line = error?.line ? ` in line ${error.line}` : '';
    return {
      text: `The reference solution cannot be read${line}: ${oneLine(error?.message ?? '')}`,
      isExpected,
    };
  }
  if (got === null || got === undefined) {
    const said = oneLine(error?.message ?? 'It gave nothing.');
    const isMissing = /^No(?:Match|Attribute|Property)$/.test(error?.name ?? '');
    if (isMissing) return { text: `Not found. ${said}`, isExpected };
    return { text: error?.name === 'TestError' ? said : `The reference solution stops: ${said}`, isExpected };
  }
  if (label === 'count' && /^\d+$/.test(got)) {
    return { text: `Finds ${counted(Number(got), 'element')}`, isExpected };
  }
  if (isBlank(got)) return { text: 'Finds an empty text', isExpected };
  return { text: `${label === 'text' ? 'Text' : label}: “${oneLine(got)}”`, isExpected };
}

/** The tests as they are asked: those that look at something, hidden ones open, none without an expectation. */
export function askedTests(tests: readonly TestFields[]): { index: number; test: TestFields }[] {
  return tests.flatMap((test, index) =>
    isBlank(test.input)
      ? []
      : [
          {
            index,
            test: {
              ...test,
              hidden: false,
              description: '',
              // The judge is asked nothing without an expectation, and what it finds does not hang on it.
              ...(test.expectsEmpty || !isBlank(test.expectedOutput) ? {} : { expectedOutput: '?' }),
            },
          },
        ],
  );
}

/**
 * The findings by the place of their test.
 *
 * @param label what is found, where inputs do not say it as those of pages do
 */
export function findingsOf(
  tests: readonly TestFields[],
  { tests: results }: JudgedRun,
  label?: string,
): Map<number, Finding> {
  return new Map(
    askedTests(tests).flatMap(({ index }, at) => {
      const result = results[at];
      return result ? [[index, findingOf(tests[index]!, result, label)] as const] : [];
    }),
  );
}

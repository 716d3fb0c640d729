import type { JudgedRun, TestResult } from '#src/features/practice/schema.ts';
import type { TestFields } from '#src/features/authoring/lesson-editor/exercise.ts';
import { counted } from '#src/shared/counted.ts';
import { isBlank } from '#src/shared/is-blank.ts';

const SHOWN_MAX = 120;

export interface Finding {
  text: string;
  /** Null where the test expects nothing yet. */
  isExpected: boolean | null;
}

const oneLine = (text: string) => {
  const line = text.replace(/\s*\n\s*/g, ' / ').trim();
  return line.length <= SHOWN_MAX ? line : `${line.slice(0, SHOWN_MAX)}…`;
};

const STEP = /^\s*(?:click|hover|clear|submit|focus|blur|type|press|select|wait)\s/i;

/** Its last word: `text`, `count`, `Markup`, or an attribute's or property's name. */
function lookOf(input: string): string {
  // After the component's element a pipe equals a semicolon.
  const query = input
    .split(';')
    .at(-1)!
    .replace(/^[\s\S]*>\s*\|\s/, '');
  const piped = /\s\|\s*([^|]+)$/.exec(query)?.[1];
  const word = (piped ?? query).trim();
  if (/^(?:text|count)$/i.test(word)) return word.toLowerCase();
  if (/^html$/i.test(word)) return 'Markup';
  if (word.startsWith('@') && !/[\s(]/.test(word)) return word.slice(1);
  // After a step the word is an element, whose text counts.
  return piped === undefined || STEP.test(query) ? 'text' : word;
}

/** The judge's answer about a test of the reference, for its author. */
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

/** The tests that look at something, as visible ones and without blank expectations. */
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
              // A finding does not depend on the expectation, so a blank one is not sent.
              ...(test.expectsEmpty || !isBlank(test.expectedOutput) ? {} : { expectedOutput: '?' }),
            },
          },
        ],
  );
}

/**
 * Findings by the index of their test.
 * @param label names the value, where inputs do not
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

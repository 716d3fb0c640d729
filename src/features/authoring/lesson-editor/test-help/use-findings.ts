import { hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import { useEffect, useRef, useState } from 'react';
import { tryLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import type { Exercise } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { useLatest } from '#src/components/use-latest.ts';
import { ApiError, call } from '#src/shared/api.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { askedTests, type Finding, findingsOf } from './findings.ts';
import { examplesOf } from './test-examples.ts';

/** Between the last key or answer and a question: half of the limit's runs stay for the author. */
const QUIET_MS = 900;
const APART_MS = 2000;
/** For a refusal without a time. */
const LATER_MS = 10_000;

export interface Findings {
  byTest: ReadonlyMap<number, Finding>;
  asking: boolean;
  trouble: string | null;
}

const NONE: Findings = { byTest: new Map(), asking: false, trouble: null };

function troubleOf(error: unknown, isFull: boolean): string {
  if (isFull) return 'The judge is busy. It will be asked again in a moment what the tests find.';
  if (error instanceof ApiError && error.serverMessage) return error.serverMessage;
  return 'The connection was lost, so what the tests find is not known. It will be asked after your next change.';
}

/**
 * Asks the judge about all tests at once, a little after each change; drops answers that a change outdates.
 */
export function useFindings(exercise: Exercise, fixture: string): Findings {
  const { codingLanguage, testCases, solution, codeLimits } = exercise;
  const asked = askedTests(testCases);
  const isAsked = examplesOf(codingLanguage).length > 0 && asked.length > 0 && !isBlank(solution);
  const input = {
    codingLanguage,
    code: solution,
    testCases: asked.map(({ test }) => test),
    expectedOutput: '',
    codeLimits,
    content: hasFixture(codingLanguage) ? fixture : '',
  };
  const key = isAsked ? JSON.stringify([input, asked.map(({ index }) => index)]) : '';
  const latest = useLatest({ key, input, testCases });
  const [known, setKnown] = useState<{ key: string; findings: Findings }>({ key: '', findings: NONE });
  const [turn, setTurn] = useState(0);
  const isBusy = useRef(false);
  const askedAt = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again after an answer that came too late
  useEffect(() => {
    if (key === '' || isBusy.current) return;
    const wait = Math.max(QUIET_MS, askedAt.current + APART_MS - Date.now());
    const timers = [setTimeout(() => void ask(), wait)];
    const ask = async () => {
      const { key: of, input: question, testCases: tests } = latest.current;
      const label = question.codingLanguage === 'sql' ? 'Finds' : undefined;
      isBusy.current = true;
      askedAt.current = Date.now();
      let findings = NONE;
      let isFull = false;
      try {
        findings = {
          ...NONE,
          byTest: findingsOf(tests, await call(tryLessonCall, { input: question }), label),
        };
      } catch (error) {
        isFull = error instanceof ApiError && (error.status === 429 || error.status === 503);
        findings = { ...NONE, trouble: troubleOf(error, isFull) };
      }
      isBusy.current = false;
      if (latest.current.key !== of) return setTurn((before) => before + 1);
      setKnown({ key: of, findings });
      if (isFull) timers.push(setTimeout(() => setTurn((before) => before + 1), LATER_MS));
    };
    return () => timers.forEach(clearTimeout);
  }, [key, turn]);

  if (key === '') return NONE;
  if (known.key === key) return known.findings;
  return { ...NONE, asking: true };
}

import { z } from 'zod';
import { languagesInWords } from './languages.ts';
import { tidy } from '#src/features/lessons/types/quiz/kinds/kind.ts';

/** What an author may let a test of a program use: seconds of processor time, and MB of memory. */
export const CODE_LIMITS = { secondsMin: 0.5, secondsMax: 10, memoryMbMin: 64, memoryMbMax: 192 } as const;

const { secondsMin, secondsMax, memoryMbMin, memoryMbMax } = CODE_LIMITS;
const seconds = `Time for a test must be ${secondsMin} to ${secondsMax} seconds, in steps of 0.1`;
const memory = `Memory must be a whole number of ${memoryMbMin} to ${memoryMbMax} MB`;

export const codeLimitsInput = z
  .object({
    seconds: z
      .number({ error: seconds })
      .min(secondsMin, seconds)
      .max(secondsMax, seconds)
      .multipleOf(0.1, seconds)
      .nullish()
      .transform((value) => value ?? undefined),
    memoryMb: z
      .int({ error: memory })
      .min(memoryMbMin, memory)
      .max(memoryMbMax, memory)
      .nullish()
      .transform((value) => value ?? undefined),
  })
  .transform(tidy);
export type CodeLimits = z.output<typeof codeLimitsInput>;

export const NO_MEMORY_LIMIT = `Memory can be set for ${languagesInWords('conjunction', 'hasMemoryLimit')} only`;

export function judgeLimits({ seconds, memoryMb }: CodeLimits): { testMs?: number; memoryMb?: number } {
  return {
    ...(seconds === undefined ? {} : { testMs: Math.round(seconds * 1_000) }),
    ...(memoryMb === undefined ? {} : { memoryMb }),
  };
}

export function limitsText({ seconds, memoryMb }: CodeLimits): string {
  return [seconds && `${seconds} s`, memoryMb && `${memoryMb} MB`].filter(Boolean).join(', ');
}

/** Characters of the parts of a coding lesson, and how many of each, at most. */
export const EXERCISE_MAX = {
  instructions: 20_000,
  code: 65_536,
  expectedOutput: 5000,
  hint: 1000,
  hints: 20,
  testText: 5000,
  description: 200,
  tests: 50,
  mistakes: 12,
  say: 400,
  mark: 500,
  solutionNotes: 5000,
} as const;

import type { LearnerError } from './protocol.ts';
import type { RunLimits } from './runner.ts';

export function seconds(ms: number): string {
  return ms === 1_000 ? '1 second' : `${ms / 1_000} seconds`;
}

export const TOO_DEEP: LearnerError = {
  name: 'SyntaxError',
  message: 'The program is nested too deeply to be read.',
  line: null,
  column: null,
  explanation: 'Look for very long chains of brackets, calls or operators, and give their parts names.',
};

/** With the line where that is known (decision 50). */
export function timeLimitError(limits: Pick<RunLimits, 'testMs'>, line: number | null): LearnerError {
  return {
    name: 'TimeLimit',
    message: `The program ran longer than ${seconds(limits.testMs)} and was stopped${line === null ? '' : ` at line ${line}`}.`,
    line,
    column: null,
    explanation:
      'Does every loop come to an end? If so, the program does more work than fits into its time: look for a shorter way.',
  };
}

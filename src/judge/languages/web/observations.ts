import type { LearnerError } from '../../protocol.ts';
import { FairClock, type Look, type Seen } from '../../fair-clock.ts';
import { foresee } from '../../comparing/answers.ts';
import { timeLimitError } from '../../limit-texts.ts';
import type { Observation, Program, RunLimits } from '../../runner.ts';
import { InvalidInput, type Query, type Read } from './query.ts';
import { readableHtml, readableText } from './readings.ts';
import type { Stopped } from './sandboxes.ts';

export const NOTHING = { value: null, output: '', outputTruncated: false, error: null };

export function stopped(kind: Stopped['stopped']): Observation {
  return { ...NOTHING, kind };
}

export function failure(kind: 'runtime_error' | 'syntax_error', error: LearnerError): Observation {
  return { ...NOTHING, kind, error };
}

export function note(name: string, message: string, explanation: string | null = null): LearnerError {
  return { name, message, line: null, column: null, explanation };
}

function foundValue(raw: string, read: Read, limits: RunLimits): Observation {
  const value = read.what === 'text' ? readableText(raw) : read.what === 'html' ? readableHtml(raw) : raw;
  if (Buffer.byteLength(value) > limits.outputBytes) {
    return {
      ...NOTHING,
      kind: 'output_limit',
      value: value.slice(0, limits.outputBytes),
      outputTruncated: true,
    };
  }
  return { ...NOTHING, kind: 'value', value };
}

function nothingFound(why: string, { selector, read }: Query): LearnerError {
  const what = selector === null ? 'What was rendered' : `The element that matches ${selector}`;
  if (why === 'element') {
    return note('NoMatch', selector === null ? 'Nothing was rendered.' : `No element matches ${selector}.`);
  }
  if (why === 'attribute' && read.what === 'attribute') {
    return note('NoAttribute', `${what} has no attribute ${read.name}.`);
  }
  return note('NoProperty', `${what} has no value for ${read.what === 'style' ? read.name : why}.`);
}

export function observationOf(found: string, detail: string, query: Query, limits: RunLimits): Observation {
  if (found === 'value') return foundValue(detail, query.read, limits);
  if (found === 'nothing') {
    // A property without a value is what a test may expect: an empty text.
    const value = detail === 'property' ? '' : null;
    return { ...NOTHING, kind: 'value', value, error: nothingFound(detail, query) };
  }
  return failure('runtime_error', note('TestError', `The test cannot be read: ${detail}`));
}

export interface Result {
  observation: Observation;
  findLine?: () => Promise<number | null>;
}

export const ended = (observation: Observation): Seen<Result> => ({
  result: { observation },
  isOutOfTime: false,
});

const OTHER_THREADS_MS = 50;

export async function eachInput(
  program: Program,
  limits: RunLimits,
  see: (input: string | null, look: Look) => Promise<Seen<Result>>,
): Promise<Observation[]> {
  const clock = new FairClock(limits, { slackMs: OTHER_THREADS_MS });
  const inputs = program.inputs.length > 0 ? program.inputs.map(({ input }) => input) : [null];
  const observations: Observation[] = [];
  const outOfTime = (): Result => ({ observation: stopped('time_limit') });
  for (const input of inputs) {
    if (clock.leftMs < 1) {
      observations.push(stopped('time_limit'));
      break;
    }
    const result = await clock.observe((look) => see(input, look), { outOfTime });
    const { observation, findLine } = result;
    observations.push(observation);
    if (!findLine || program.search) continue;
    // Run once more, a program may do something else: what it did first counts.
    foresee(observations);
    observation.error = timeLimitError(limits, await findLine());
  }
  return observations;
}

export function invalidInput(error: unknown): Observation {
  if (!(error instanceof InvalidInput)) throw error;
  return failure('runtime_error', note('TestError', `The test cannot be read: ${error.message}`));
}

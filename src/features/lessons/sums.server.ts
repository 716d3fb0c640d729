import { AppError } from '#src/shared/errors.ts';

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;

/** Adds up what the parts of a lesson come to. */
export function summed(
  of: string,
  max: number,
  { field, where = '', advice }: { field: string; where?: string; advice: string },
) {
  let sum = 0;
  let largest = { part: '', bytes: 0 };
  return (part: string, bytes: number): void => {
    sum += bytes;
    if (bytes > largest.bytes) largest = { part, bytes };
    if (sum <= max) return;
    const upTo = part[0]!.toLowerCase() + part.slice(1);
    const message = `${of} up to ${upTo} would be ${kilobytes(sum)}${where} together, at most ${kilobytes(max)} are possible. ${largest.part} alone is ${kilobytes(largest.bytes)}: ${advice}`;
    throw new AppError('invalid_input', message, { fields: { [field]: message } });
  };
}

/** Bytes of the lists as JSON: an answer with a form and its earlier version stays below 2 MB. */
const LISTS_MAX = 655_360;

/**
 * Bounds tests, hints and expected mistakes together.
 * @throws {AppError} invalid_input naming the largest part
 */
export function requireSmallLists({
  title,
  testCases,
  hints,
  expectedMistakes,
  scenario,
}: {
  title: string;
  testCases?: readonly unknown[] | undefined;
  hints?: readonly unknown[] | undefined;
  expectedMistakes?: readonly unknown[] | undefined;
  scenario?: object | null | undefined;
}): void {
  const addAll = (add: ReturnType<typeof summed>, name: string, list: readonly unknown[] = []) => {
    for (const [index, part] of list.entries()) {
      add(`${name} ${index + 1}`, Buffer.byteLength(JSON.stringify(part)));
    }
  };
  const advice = 'make it and others shorter, or have fewer';
  const ofProgram = summed(`The test cases, hints and expected mistakes of “${title}”`, LISTS_MAX, {
    ...{ field: 'testCases', advice },
  });
  addAll(ofProgram, 'Test case', testCases);
  addAll(ofProgram, 'Hint', hints);
  addAll(ofProgram, 'Expected mistake', expectedMistakes);
  const ofScenario = summed(`The parts of the scenario of “${title}”`, LISTS_MAX, {
    ...{ field: 'scenario', advice },
  });
  for (const [key, value] of Object.entries(scenario ?? {})) {
    const name = `${key[0]!.toUpperCase()}${key.slice(1)}`;
    if (Array.isArray(value)) addAll(ofScenario, name.replace(/s$/, ''), value);
    else ofScenario(name, Buffer.byteLength(JSON.stringify(value) ?? ''));
  }
}

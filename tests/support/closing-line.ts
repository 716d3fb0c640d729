import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type {
  FullResult,
  Reporter as PlaywrightReporter,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import type { Reporter, TestModule } from 'vitest/node';

/** The variable that names the file into which a run writes its failures, one JSON a line, for `tests/run.ts`. */
export const FAILURES_FILE = 'TEST_FAILURES_FILE';

/** A test that did not pass, as the end of `npm test` names it. */
export interface NamedFailure {
  test: string;
  file: string;
  /** What runs it alone. */
  command: string;
  /** `flaky` passed at its second try only, and fails the run all the same. */
  kind: 'failed' | 'flaky';
  /** How the try that failed ended, in a few lines. */
  why: string;
}

interface Told {
  message?: string | undefined;
  stack?: string | undefined;
  /** What was expected beside what came, as Vitest shows it. */
  diff?: string | undefined;
}

/** The beginning of an error and the place where it came up: without them, what failed once cannot be understood. */
function inBrief({ message = 'It did not come to its end.', stack = '', diff = '' }: Told = {}): string {
  const linesOf = (text: string) => stripVTControlCharacters(text).split('\n');
  const lines = [...linesOf(message), ...linesOf(diff)].filter((line) => line.trim());
  const place = linesOf(stack).find((line) => /^\s+at /.test(line) && !/node_modules|node:/.test(line));
  return [
    ...lines.slice(0, 16).map((line) => line.slice(0, 240)),
    ...(lines.length > 16 ? ['…'] : []),
    ...(place ? [place.trim().replace(process.cwd(), '.')] : []),
  ].join('\n');
}

function writeDown(failure: NamedFailure): void {
  const file = process.env[FAILURES_FILE];
  if (file) appendFileSync(file, `${JSON.stringify(failure)}\n`);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Ends a run with the plain line `N passed, N failed`, the same for both runners, and with what was skipped or flaky
 * where there is any.
 */
function closingLine(passed: number, failed: number, skipped: number, flaky = 0): string {
  const further = Object.entries({ skipped, flaky }).filter(([, count]) => count > 0);
  return [`${passed} passed, ${failed} failed`, ...further.map(([what, count]) => `${count} ${what}`)].join(
    ', ',
  );
}

export class VitestClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<Told>): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      const command = `npx vitest run --config tests/vitest.config.ts ${file}`;
      for (const test of module.children.allTests()) {
        const { state, errors: ownErrors } = test.result();
        counts[state] += 1;
        // A test that was still running when the run was stopped has not passed.
        if (state !== 'failed' && state !== 'pending') continue;
        const pattern = test.name.replaceAll(/[^\w ]/g, '.');
        writeDown({
          test: test.fullName,
          file,
          command: `${command} -t ${quoted(pattern)}`,
          kind: 'failed',
          why: inBrief(ownErrors?.[0]),
        });
      }
      // A file that could not be loaded, or whose preparations failed, has no test of its own to name.
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) {
        counts.failed += 1;
        writeDown({
          test: 'the file could not be run',
          file,
          command,
          kind: 'failed',
          why: inBrief(module.errors()[0]),
        });
      }
    }
    for (const error of errors)
      writeDown({
        test: 'an error',
        file: 'outside of any test',
        command: 'npm test',
        kind: 'failed',
        why: inBrief(error),
      });
    console.log(
      `\n${closingLine(counts.passed, counts.failed + errors.length, counts.skipped + counts.pending)}`,
    );
  }
}

export default class PlaywrightClosingLine implements PlaywrightReporter {
  readonly #tests = new Map<string, TestCase>();
  #errors = 0;

  onTestEnd(test: TestCase, _result: TestResult): void {
    this.#tests.set(test.id, test);
  }

  /** What went wrong outside of any test, for instance a file that cannot be read. */
  onError(error: TestError): void {
    this.#errors += 1;
    writeDown({
      test: 'an error',
      file: error.location ? relative(process.cwd(), error.location.file) : 'outside of any test',
      command: 'npm run test:e2e',
      kind: 'failed',
      why: inBrief(error),
    });
  }

  onEnd(result: FullResult): void {
    const counts = { expected: 0, unexpected: 0, skipped: 0, flaky: 0 };
    for (const test of this.#tests.values()) {
      const outcome = test.outcome();
      counts[outcome] += 1;
      if (outcome !== 'unexpected' && outcome !== 'flaky') continue;
      const file = relative(process.cwd(), test.location.file);
      const [, project, , ...titles] = test.titlePath();
      writeDown({
        test: `[${project}] ${titles.join(' › ')}`,
        file: `${file}:${test.location.line}`,
        // With a space, the option would take the file for a second project.
        command: `npm run test:e2e -- --project=${project} ${file}:${test.location.line}`,
        kind: outcome === 'flaky' ? 'flaky' : 'failed',
        why: inBrief(test.results.find(({ error }) => error)?.error),
      });
    }
    const { expected, unexpected, skipped, flaky } = counts;
    console.log(`\n${closingLine(expected, unexpected + this.#errors, skipped, flaky)}`);
    if (result.status !== 'passed' && unexpected + flaky + this.#errors === 0)
      console.log(`The run ended with "${result.status}".`);
  }
}

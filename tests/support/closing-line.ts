import type {
  FullResult,
  Reporter as PlaywrightReporter,
  TestCase,
  TestResult,
} from '@playwright/test/reporter';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run with the plain line `N passed, N failed, N skipped`, the same for both runners. `flaky` tests passed at
 * their second try.
 */
function closingLine(passed: number, failed: number, skipped: number, flaky = 0): string {
  const further = Object.entries({ skipped, flaky }).filter(([, count]) => count > 0);
  return [`${passed} passed, ${failed} failed`, ...further.map(([what, count]) => `${count} ${what}`)].join(
    ', ',
  );
}

export class VitestClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that could not be loaded has no tests to fail.
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0)
        counts.failed += 1;
    }
    console.log(`\n${closingLine(counts.passed, counts.failed, counts.skipped + counts.pending)}`);
  }
}

export default class PlaywrightClosingLine implements PlaywrightReporter {
  readonly #last = new Map<string, { expected: boolean; skipped: boolean; flaky: boolean }>();

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#last.set(test.id, {
      expected: test.ok(),
      skipped: result.status === 'skipped',
      flaky: test.outcome() === 'flaky',
    });
  }

  onEnd(_result: FullResult): void {
    const all = [...this.#last.values()];
    const skipped = all.filter((test) => test.skipped).length;
    const failed = all.filter((test) => !test.expected).length;
    const flaky = all.filter((test) => test.flaky).length;
    console.log(`\n${closingLine(all.length - skipped - failed - flaky, failed, skipped, flaky)}`);
  }
}

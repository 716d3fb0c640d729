import { MODULES } from './modules.ts';

export default {
  mutate: MODULES,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // A table that is read once when its module is loaded would need every test in a fresh process.
  ignoreStatic: true,
  concurrency: 2,
  tempDirName: '.stryker-tmp',
  // The copy that is mutated holds what the tests import, and nothing that is large or built.
  ignorePatterns: ['*', '!src/**', '!db/**', '!tests/mutation/**', '!package.json', '!tsconfig.json'],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: '.stryker-tmp/report.json' },
  incrementalFile: '.stryker-tmp/incremental.json',
};

import { defineConfig } from 'vitest/config';
import { TESTS } from './modules.ts';

// Only the tests beside what is mutated: they run again for every mutant.
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    env: { NODE_ENV: 'test', LOG_LEVEL: 'silent' },
    isolate: false,
    include: TESTS,
  },
});

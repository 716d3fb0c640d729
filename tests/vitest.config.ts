import { defineConfig } from 'vitest/config';
import { VitestClosingLine } from './support/closing-line.ts';
import { inlineScript } from '../vite-plugins/inline-script.ts';
import { LongestFirst } from './support/longest-first.ts';

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `These tests need Node 24 and this is ${process.version}: begin the command with "npx", which takes the one that "npm install" brought.`,
  );
  process.exit(1);
}

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    // Limits end what hangs. They are far above what a test takes, since a busy machine is no fault of the site.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // One more than the two processors that it is measured on: some files wait for programs that they start.
    maxWorkers: 3,
    // A run in random order (`--sequence.shuffle.files`) has the order of its own.
    ...(process.argv.some((word) => word.includes('shuffle'))
      ? {}
      : { sequence: { sequencer: LongestFirst } }),
    env: { NODE_ENV: 'test', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
    reporters: ['default', new VitestClosingLine()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Rules without a state that one file could leave to the next: they need no process of their own.
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}', 'db/**/*.test.ts', 'scripts/**/*.test.ts', '*.test.ts'],
        },
      },
      {
        extends: true,
        // The address of the worker answers a script that the build makes.
        plugins: [inlineScript()],
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', 'tests/money/**/*.test.ts'],
          globalSetup: ['tests/support/postgres.ts'],
          setupFiles: ['tests/support/own-database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'judge',
          include: ['tests/judge/**/*.test.ts'],
          // After all others: programs are held to the processor's time, and only what beside them starves the machine counts.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          // Twenty runs of a program that never ends take long on a busy machine, and prove no less.
          testTimeout: 240_000,
          globalSetup: ['tests/support/built-judge.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'architecture', isolate: false, include: ['tests/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'recipes',
          include: ['tests/recipes/*.test.ts'],
          // The compiler reads the whole project anew.
          testTimeout: 600_000,
        },
      },
    ],
  },
});

import { defineConfig, devices } from '@playwright/test';
import base from '../playwright.config.ts';

export default defineConfig({
  ...base,
  testDir: '.',
  outputDir: process.env.PIXELS_DIFFERENCES!,
  // One after another, once: what one makes is to be seen by the next, under the same numbers in both builds.
  fullyParallel: false,
  workers: 1,
  retries: 0,
  snapshotPathTemplate: `${process.env.PIXELS_BEFORE!}/{arg}{ext}`,
  expect: {
    timeout: 15_000,
    toHaveScreenshot: { animations: 'disabled', caret: 'hide', threshold: 0, maxDiffPixels: 0 },
  },
  reporter: 'list',
  use: { ...base.use, trace: 'off', screenshot: 'off' },
  projects: [
    {
      name: 'pixels',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
    },
  ],
});

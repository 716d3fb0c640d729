import { defineConfig, devices } from '@playwright/test';
import { BROWSER_FLAGS } from './support/browser.ts';

export default defineConfig({
  testDir: './e2e',
  // Two runs side by side must not clear each other's traces.
  outputDir: `../test-results/${process.env.TEST_RESULTS ?? 'browser'}`,
  fullyParallel: true,
  // One more than the two processors that it is measured on: tests wait for almost half of their time.
  workers: 3,
  // The second try tells a test that always fails from one that sometimes does. Both fail the run.
  retries: 1,
  failOnFlakyTests: true,
  forbidOnly: Boolean(process.env.CI),
  // Limits end what hangs. They are far above what a step takes, since a busy machine is no fault of the site.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./support/closing-line.ts']],
  use: {
    baseURL: process.env.SITE_URL,
    // What a worker asks for is hidden from `page.route`; `offline-lessons` allows it.
    serviceWorkers: 'block',
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // What fades in and out takes a tenth of the processors' time, and has the contrast of neither its beginning nor its
    // end; what moves by itself is tried with motion in `company`.
    contextOptions: { reducedMotion: 'reduce' },
    // Of the try that failed, also where the next one passes. Pictures of every step would take as long again as the
    // tests; `--trace on` asks for them.
    trace: { mode: 'retain-on-failure-and-retries', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: BROWSER_FLAGS,
    },
  },
  projects: [
    {
      name: 'desktop',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
      // What only a small screen has, or a test for it that a longer one on the large screen includes.
      grepInvert: /@only-phone/,
    },
    {
      name: 'phone',
      // In the dark theme, so that every page is judged in both.
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
      // What a screen or a finger changes. Every other test would prove the same twice; how its pages fit a phone and
      // can be read aloud there is in `pages`.
      grep: /@(only-)?phone/,
    },
  ],
});

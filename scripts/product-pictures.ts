import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { DEMO_ADMIN_EMAIL, DEMO_PASSWORD } from '../src/features/authoring/transfer/demo-courses.server.ts';
import {
  PRODUCT_PICTURE,
  productPicturePath,
} from '../src/features/catalogue/course-page/product-picture.ts';
import { PROJECT_FOLDER } from '../src/server/start/env.ts';
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts';
import { buildSite, freePort, startSite } from '../tests/support/site.ts';

// Takes the screenshots of public/product and of README.md from the built site: npx node
// scripts/product-pictures.ts

const BUILD_DIR = process.env.BUILD_DIR ?? 'dist';
const SOLUTION = 'db/seed/courses/javascript-by-practice/code/12-project-an-invoice.solution.js';
const ACTIONS = [
  'kubectl logs deployment/checkout',
  'What changed in the last release?',
  'roll back to 4.11',
];
const { width, height } = PRODUCT_PICTURE;

async function json(url: string, init?: RequestInit) {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return { body: await answer.json(), cookies: answer.headers.getSetCookie() };
}

async function pageOf(browser: Browser, site: string, scheme: 'light' | 'dark'): Promise<Page> {
  const { cookies } = await json(`${site}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: DEMO_ADMIN_EMAIL, password: DEMO_PASSWORD }),
  });
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: 2,
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  await context.addCookies(
    cookies.map((cookie) => {
      const [name = '', value = ''] = cookie.split(';')[0]!.split('=');
      return { name, value, url: site };
    }),
  );
  return context.newPage();
}

const awake = (page: Page) =>
  page.waitForFunction(() => document.querySelectorAll('main astro-island[ssr]').length === 0);

async function takeEditor(page: Page, site: string, lessonId: number): Promise<Buffer> {
  await page.setViewportSize({ width, height: height + 69 });
  await page.goto(`${site}/lesson/${lessonId}`);
  await awake(page);
  const editor = page.locator('.monaco-editor').first();
  await editor.waitFor();
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  // As a paste: typed letters would be indented and closed by the editor once more.
  const text = await readFile(join(PROJECT_FOLDER, SOLUTION), 'utf8');
  await page.evaluate((code) => {
    const data = new DataTransfer();
    data.setData('text/plain', code);
    const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(paste);
  }, text);
  await page.keyboard.press('ControlOrMeta+Home');
  await page.getByRole('main').getByRole('button', { name: 'Run' }).first().click();
  await page
    .getByText(/tests? passed|all .* pass/i)
    .first()
    .waitFor({ timeout: 30_000 });
  await page.waitForTimeout(6000);
  const top = (await page.getByRole('main').boundingBox())!.y;
  return page.screenshot({ clip: { x: 0, y: top, width, height } });
}

async function takeScenario(page: Page, site: string, scenarioId: number): Promise<Buffer> {
  await page.setViewportSize({ width, height: 1400 });
  await page.goto(`${site}/scenario/${scenarioId}`);
  await awake(page);
  // The second theme finds the run of the first.
  const begin = page.getByRole('button', { name: 'Start Scenario' });
  const field = page.getByLabel('Your action');
  await begin.or(field).first().waitFor();
  if (await begin.isVisible()) {
    await begin.click();
    await field.waitFor();
    for (const action of ACTIONS) {
      await field.fill(action);
      await page.getByRole('button', { name: 'Do it' }).click();
      await page.getByText(action).first().waitFor();
      await page.waitForTimeout(1500);
    }
  }
  await page.waitForTimeout(6000);
  const top =
    (await page.getByRole('heading', { name: 'The situation' }).filter({ visible: true }).boundingBox())!.y -
    20;
  return page.screenshot({ clip: { x: 0, y: top, width, height } });
}

async function takeStore(page: Page, site: string): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto(`${site}/courses`);
  await page.waitForLoadState('networkidle');
  const picture = sharp(await page.screenshot()).resize({ width });
  await mkdir(join(PROJECT_FOLDER, 'docs/pictures'), { recursive: true });
  await picture.webp({ quality: 82 }).toFile(join(PROJECT_FOLDER, 'docs/pictures/store.webp'));
}

await buildSite(BUILD_DIR);
const site = await startSite({ buildDir: BUILD_DIR, port: await freePort() });
const browser = await chromium.launch({ executablePath: await findBrowser(), args: BROWSER_FLAGS });
try {
  const { body: courses } = await json(`${site.url}/api/courses?pageSize=100`);
  const idOf = (title: string) => courses.find((one: { title: string }) => one.title === title).id as number;
  const { body: course } = await json(`${site.url}/api/courses/${idOf('JavaScript by Practice')}`);
  const lesson = course.content.find((one: { title: string }) => one.title === 'Project: an invoice');
  const simulations = await fetch(`${site.url}/courses/${idOf('Incident Response Simulations')}`);
  const scenarioId = Number(/\/scenario\/(\d+)/.exec(await simulations.text())![1]);
  await mkdir(join(PROJECT_FOLDER, 'public/product'), { recursive: true });
  for (const scheme of ['light', 'dark'] as const) {
    const page = await pageOf(browser, site.url, scheme);
    if (scheme === 'light') await takeStore(page, site.url);
    const shots = {
      editor: await takeEditor(page, site.url, lesson.id),
      scenario: await takeScenario(page, site.url, scenarioId),
    };
    for (const kind of ['editor', 'scenario'] as const) {
      for (const size of PRODUCT_PICTURE.widths) {
        const picture = sharp(shots[kind]).resize({ width: size });
        const file = (type: 'avif' | 'webp') =>
          join(PROJECT_FOLDER, 'public', productPicturePath({ kind, scheme, width: size, type }));
        await picture.clone().avif({ quality: 58, chromaSubsampling: '4:4:4' }).toFile(file('avif'));
        await picture.clone().webp({ quality: 82 }).toFile(file('webp'));
      }
    }
    await page.context().close();
  }
} finally {
  await browser.close();
  await site.stop();
}

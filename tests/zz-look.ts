import { chromium } from 'playwright';
import { mkdirSync } from 'node:fs';
import { startSite } from './support/site.ts';
mkdirSync('/tmp/teach', { recursive: true });
const site = await startSite({ buildDir: 'dist-teach', port: 4871 });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell' });
const base = 'http://localhost:4871';
const list = await (await fetch(base + '/api/courses?pageSize=100')).json();
const id = list.find((c: any) => c.title === 'JavaScript Fundamentals').id;
for (const [name, width, scheme] of [
  ['wide', 1440, 'light'],
  ['phone', 390, 'dark'],
] as const) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  const page = await context.newPage();
  await page.goto(`${base}/courses/${id}`);
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 600) {
      scrollTo(0, y);
      await new Promise((r) => setTimeout(r, 60));
    }
    scrollTo(0, 0);
  });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `/tmp/teach/course-${name}.png`, fullPage: true });
  const token = await (
    await fetch(base + '/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.com', password: 'learn-demo' }),
    })
  ).headers.getSetCookie();
  await context.addCookies(
    token.map((c) => {
      const [n, v] = c.split(';')[0]!.split('=');
      return { name: n!, value: v!, url: base };
    }),
  );
  await page.goto(`${base}/account`);
  await page.waitForTimeout(800);
  await page.screenshot({ path: `/tmp/teach/account-${name}.png`, fullPage: true });
  if (name === 'wide')
    console.log(
      (await (await fetch(`${base}/courses/${id}`)).text()).match(
        /<script type="application\/ld\+json">[^<]*/,
      )?.[0],
    );
  await context.close();
}
await browser.close();
await site.stop();

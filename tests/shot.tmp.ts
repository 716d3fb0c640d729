import { chromium } from '@playwright/test';
import { startSite, freePort } from './support/site.ts';
const site = await startSite({ buildDir: 'dist-scen', port: await freePort() });
try {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell' }).catch(() => chromium.launch());
  for (const [w, h] of [[1440, 900], [390, 844]] as const) for (const scheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: scheme, baseURL: site.url });
    const page = await context.newPage();
    const login = await page.request.post('/api/auth/login', { data: { email: 'admin@example.com', password: 'learn-demo' } });
    const { token, user } = await login.json();
    await page.goto('/about');
    await page.evaluate(([t, u]) => { localStorage.setItem('auth_token', t!); localStorage.setItem('auth_user', u!); }, [token, JSON.stringify(user)]);
    const shot = (name: string) => page.screenshot({ path: `/tmp/shots/${w}-${scheme}-${name}.png` });
    await page.goto('/scenario/1');
    await page.waitForFunction(() => document.querySelectorAll('astro-island[ssr]').length === 0);
    await shot('0-idle');
    await page.screenshot({ path: `/tmp/shots/${w}-${scheme}-0-idle-full.png`, fullPage: true });
    const start = page.getByRole('button', { name: /Start Scenario|Start over/ });
    await start.first().click();
    if (await page.getByRole('alertdialog').count()) await page.getByRole('alertdialog').getByRole('button', { name: 'Start over' }).click();
    await page.waitForTimeout(400);
    await shot('1-start');
    for (const text of ['look at the logs', 'sing a song', 'what should I do?', 'git diff 4.11 4.12', 'should we roll back?']) {
      await page.getByLabel('Your action').fill(text);
      await page.keyboard.press('Enter');
      await page.waitForTimeout(500);
      if (text === 'sing a song') await shot('2-unknown');
    }
    await shot('3-asked');
    await page.getByRole('button', { name: /^Yes:/ }).click();
    await page.waitForTimeout(500);
    await shot('4-done');
    if (w === 390) { await page.locator('summary', { hasText: 'The situation' }).click(); await page.waitForTimeout(200); await shot('5-strip'); }
    await page.screenshot({ path: `/tmp/shots/${w}-${scheme}-6-full.png`, fullPage: true });
    await context.close();
  }
  await browser.close();
} finally { await site.stop(); }

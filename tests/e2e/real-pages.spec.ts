import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { graduate, NAME } from './graduate.ts';
import { openClaim, openPurchaseSuccess } from './page-states.ts';
import { htmlFindings } from './valid-html.ts';

// Pages that the tables of routes can ask for only in vain: they need a certificate, a mailed link or a payment.
const REAL: Record<string, (page: Page) => Promise<void>> = {
  'the certificate of a finished course': async (page) => {
    const { number } = await graduate(page, `Real pages ${Date.now()}`);
    await page.goto(`/certificates/${number}`);
    await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
    await expect(page.getByText('The signature is right.')).toBeVisible();
  },
  "a guest's claim link": openClaim,
  'a purchase that succeeded': openPurchaseSuccess,
};

for (const [name, open] of Object.entries(REAL)) {
  test(`${name} is valid, accessible and within its policy`, async ({ page }) => {
    test.slow();
    const stopped: string[] = [];
    await page.exposeFunction('toldStopped', (what: string) => stopped.push(what));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        const { toldStopped } = window as unknown as { toldStopped: (what: string) => void };
        toldStopped(`${effectiveDirective} ${blockedURI}`);
      });
    });
    const pages: Promise<[string, string]>[] = [];
    page.on('response', (answer) => {
      const isPage = answer.headers()['content-type']?.startsWith('text/html') && answer.status() === 200;
      if (isPage) pages.push(answer.text().then((html) => [new URL(answer.url()).pathname, html]));
    });
    await open(page);
    await page.waitForLoadState('networkidle');
    expect(pages.length).toBeGreaterThan(0);
    for (const [path, html] of await Promise.all(pages)) expect(await htmlFindings(path, html)).toEqual([]);
    await expectAccessible(page);
    await expectNoOverflow(page);
    expect(stopped).toEqual([]);
  });
}

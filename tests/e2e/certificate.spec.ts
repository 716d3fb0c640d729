import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import jsqr from 'jsqr';
import { ADMIN, signIn } from './admin-session.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './fixtures.ts';
import { graduate, NAME } from './graduate.ts';

type Json = Record<string, unknown>;

test('a certificate: from the dashboard to the sheet, its file, its credential and its revocation', async ({
  page,
  browser,
  baseURL,
}, { project }) => {
  const title = `Frequency Hopping ${project.name} ${Date.now()}`;
  const { email, number } = await graduate(page, title);
  await signIn(page, { email, password: 'cobol-1959' });

  await page.goto('/dashboard?tab=progress');
  const list = page.getByRole('region', { name: 'Certificates' });
  await expect(list.getByText('Valid', { exact: true })).toBeVisible();
  await expectNoOverflow(page);
  await list.getByRole('link', { name: title }).click();
  await page.waitForURL(`**/certificates/${number}`);
  await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
  await expect(page.getByText('This certificate is valid')).toBeVisible();
  await expect(page.getByText('The signature is right.')).toBeVisible();
  await expectNoOverflow(page);

  // The code leads to this very page.
  const picture = await page.getByRole('img', { name: 'QR code' }).screenshot();
  const pixels = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    // With a quiet zone, as on the sheet.
    const canvas = new OffscreenCanvas(480, 480);
    const context = canvas.getContext('2d')!;
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 40, 40, 400, 400);
    const { data: rgba } = context.getImageData(0, 0, canvas.width, canvas.height);
    return { width: canvas.width, height: canvas.height, rgba: [...rgba] };
  }, picture.toString('base64'));
  const read = jsqr as unknown as typeof import('jsqr').default;
  expect(read(new Uint8ClampedArray(pixels.rgba), pixels.width, pixels.height)?.data).toBe(
    `${baseURL}/certificates/${number}`,
  );

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download PDF' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`certificate-${number}.pdf`);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

  // On paper there is the sheet and nothing else.
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByText('The signature is right.')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  // An employer without an account.
  const visitor = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const other = await visitor.newPage();
  const plain = number.replaceAll('-', '').toLowerCase();
  await other.goto(`/certificates/${plain}`);
  expect(new URL(other.url()).pathname).toBe(`/certificates/${number}`);
  await expect(other.getByText('This certificate is valid')).toBeVisible();
  await expect(other.getByRole('link', { name: 'Download PDF' })).toHaveCount(0);
  await expect(other.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  expect(await other.content()).not.toContain(email);
  const credential = (await (await visitor.request.get(`/certificates/${number}.json`)).json()) as Json;
  expect(credential).toMatchObject({ name: title, proof: { cryptosuite: 'eddsa-rdfc-2022' } });
  const key = (await (await visitor.request.get('/.well-known/did.json')).json()) as Json;
  expect((credential.proof as Json).verificationMethod).toBe((key.assertionMethod as string[])[0]);

  // An administrator revokes it.
  const office = await browser.newContext({ ...(baseURL ? { baseURL } : {}) });
  const desk = await office.newPage();
  await signIn(desk, ADMIN);
  await desk.goto(`/certificates/${number}`);
  await expect(desk.locator('astro-island[ssr]')).toHaveCount(0);
  await desk.getByRole('button', { name: 'Revoke this certificate' }).click();
  await expect(desk.getByText('Reason must be at least 3 characters')).toBeVisible();
  await desk.getByLabel('Reason to revoke it').fill('Taken by somebody else');
  await desk.getByRole('button', { name: 'Revoke this certificate' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(desk.getByText('This certificate was revoked')).toBeVisible();
  await expect(desk.getByText('Taken by somebody else')).toBeVisible();
  await expectAccessible(desk);
  await other.reload();
  await expect(other.getByText('This certificate was revoked')).toBeVisible();
  expect(await other.content()).not.toContain('Taken by somebody else');
  await Promise.all([visitor.close(), office.close()]);
});

test.describe('numbers that are none', () => {
  test.use({ allowed: [/status of 404/] });
  test('a wrong number says so', async ({ page }) => {
    const answer = await page.goto('/certificates/0000-0000-0000-0001');
    expect(answer!.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Certificate not found' })).toBeVisible();
    await expect(page.getByText('This number has a mistake in it')).toBeVisible();
    await expectNoOverflow(page);
    expect((await page.goto('/certificates/0000-0000-0000-0000'))!.status()).toBe(404);
    await expect(page.getByText('We have issued no certificate with this number.')).toBeVisible();
    expect((await page.goto('/mail-choices?user=1&token=x'))!.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible();
  });
});

test('mails are chosen in the account, and by one click in a mail without a sign-in', async ({
  page,
  baseURL,
}, { project }) => {
  const email = `one-click-${project.name}-${Date.now()}@example.com`;
  const password = 'cobol-1959';
  const made = await page.request.post('/api/auth/register', {
    data: { username: 'Click', email, password, confirmPassword: password, role: 'student' },
  });
  const { token, user } = await made.json();
  await page.goto('/contact');
  await page.evaluate(
    (kept) => Object.assign(localStorage, { auth_user: JSON.stringify(kept.user), auth_token: kept.token }),
    { token, user },
  );
  await page.goto('/account');
  const choice = page.getByLabel('Courses you take');
  await expect(choice).toHaveValue('daily');
  await choice.selectOption('Each at once');
  await page.locator('form', { has: choice }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your mails' })).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Saved.');
  await expect(choice).toHaveValue('at_once');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  const { stdout } = await promisify(execFile)(process.execPath, ['tests/support/mail-link.ts', email], {
    env: { ...process.env, DATA_DIR: process.env.SITE_DATA_DIR!, SITE_URL: baseURL! },
  });
  const link = stdout.trim();
  expect(link).toMatch(/\/mail-choices\?stop=learning&user=\d+&token=[\w-]+$/);

  // Programs that only look at the link change nothing.
  for (let times = 0; times < 2; times += 1)
    expect(await (await page.request.get(link)).text()).toContain('Stop mails about courses you take');
  await page.goto(link);
  await expect(page.getByRole('status')).toHaveText('You get no more mails about courses you take.');
  await expect(choice).toHaveValue('off');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await choice.selectOption('News once a day');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toHaveText('Saved.');

  // The button of a mail program (RFC 8058): a post from nowhere, with this body.
  const posted = await page.request.post(link, { form: { 'List-Unsubscribe': 'One-Click' } });
  expect(posted.status()).toBe(200);
  expect(await (await page.request.get(link)).text()).not.toContain('Stop mails about');
});

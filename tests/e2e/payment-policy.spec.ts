import { rm } from 'node:fs/promises';
import { freePort, type RunningSite, startSite, temporaryFolder } from '../support/site.ts';
import { ROUTES } from './addresses.ts';
import { expect, test } from './fixtures.ts';

// Made up; nothing here asks the provider anything.
const LIVE = {
  STRIPE_SECRET_KEY: 'sk_live_madeUp000000000000000000',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_madeUp000000000000000000',
  STRIPE_WEBHOOK_SECRET: 'whsec_madeUp',
  SITE_URL: 'https://shop.example',
  SEED_DEMO: 'off',
  PAYMENT_SANDBOX_PORT: '',
};
const OF_PROVIDER = /stripe/;
const PAYING = ['/buy/[id]', '/checkout', '/courses/[id]/checkout'];

/** A page's policy: the values of each directive. A directive that stands twice counts once, as browsers have it. */
function policyOf(headers: Headers, html: string): Record<string, string[]> {
  const meta = /<meta http-equiv="content-security-policy" content="([^"]*)"/i.exec(html)?.[1];
  const text = headers.get('content-security-policy') ?? meta?.replaceAll('&#39;', "'") ?? '';
  const directives: Record<string, string[]> = {};
  for (const [name, ...values] of text.split(';').map((part) => part.trim().split(/\s+/))) {
    if (name && !(name in directives)) directives[name] = values;
  }
  return directives;
}

test.describe('a site with live keys', () => {
  // One site for all of them.
  test.describe.configure({ mode: 'default' });
  let site: RunningSite;
  let dataDir: string;
  let cookie: string;

  test.beforeAll(async () => {
    const buildDir = process.env.BUILD_DIR ?? 'dist-e2e';
    dataDir = await temporaryFolder('academy-live-');
    // Live keys and demo accounts exclude each other, so the courses are made before.
    await (await startSite({ buildDir, dataDir, port: await freePort() })).stop();
    const port = await freePort();
    site = await startSite({ buildDir, dataDir, port, env: LIVE });
    const login = await fetch(`${site.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: LIVE.SITE_URL },
      body: JSON.stringify({ email: 'student@example.com', password: 'learn-demo' }),
    });
    expect(login.status).toBe(200);
    cookie = login.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    expect(cookie).toContain('__Host-');
  });

  test.afterAll(async () => {
    await site?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const read = async (path: string) => {
    const answer = await fetch(site.url + path, { headers: { cookie }, redirect: 'manual' });
    const html = await answer.text();
    return { status: answer.status, html, policy: policyOf(answer.headers, html) };
  };

  for (const route of PAYING) {
    test(`lets ${route} load the provider's script, frames and API`, async () => {
      const { status, html, policy } = await read(route.replace('[id]', '1'));
      expect(status).toBe(200);
      expect(policy['script-src']).toEqual(
        expect.arrayContaining(["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com']),
      );
      expect(policy['script-src']!.join(' ')).toContain("'sha256-");
      expect(policy['script-src']).not.toContain("'unsafe-inline'");
      expect(policy['connect-src']).toEqual(["'self'", 'https://api.stripe.com']);
      expect(policy['frame-src']!.toSorted()).toEqual(
        [
          "'self'",
          'blob:',
          'https://js.stripe.com',
          'https://*.js.stripe.com',
          'https://hooks.stripe.com',
        ].toSorted(),
      );
      expect(html).toContain(LIVE.STRIPE_PUBLISHABLE_KEY);
      expect(html).not.toContain(LIVE.STRIPE_SECRET_KEY);
      expect(html).not.toContain('/payment-sandbox/');
      expect(html).not.toContain('Test mode: no card is charged');
    });
  }

  test('lets no other page load anything of the provider', async () => {
    const others = ROUTES.filter((route) => !PAYING.includes(route));
    expect(others.length).toBeGreaterThan(30);
    let withPolicy = 0;
    for (const route of others) {
      const { status, policy } = await read(route.replaceAll(/\[\w+\]/g, '1'));
      expect(status, route).toBeLessThan(500);
      if (policy['default-src']) withPolicy += 1;
      expect(JSON.stringify(policy), route).not.toMatch(OF_PROVIDER);
    }
    expect(withPolicy).toBeGreaterThan(15);
  });

  test('keeps the stand-in of the provider away', async () => {
    for (const path of ['/payment-sandbox/page.js', '/payment-sandbox/v1/payment_intents']) {
      expect((await read(path)).status, path).toBe(404);
    }
  });
});

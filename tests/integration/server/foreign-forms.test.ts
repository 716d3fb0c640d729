import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeAdmin } from '../../support/factories.ts';
import type { SignIn } from '#src/features/account/session.server.ts';
import { callRoute, SITE, signIn } from '../../support/api.ts';

const folder = new URL('../../../src/pages/', import.meta.url).pathname;
const pages = globSync('**/*.astro', { cwd: folder })
  .map((file) => ({
    source: readFileSync(folder + file, 'utf8'),
    path: `/${file.replace(/\.astro$/, '').replace(/(^|\/)index$/, '')}`,
  }))
  .toSorted((a, b) => a.path.localeCompare(b.path));
// Whoever has the mail may switch it off, and mail programs post to these by themselves (RFC 8058).
const open = pages.filter(({ source }) => source.includes('answerMailLink('));
const guarded = pages.filter((page) => !open.includes(page));

let session: SignIn;
beforeAll(async () => {
  session = await signIn(await makeAdmin());
});

/** Posts a form to a page that says whether it was asked to act. */
const post = (path: string, headers: Record<string, string>, withCookie?: SignIn) =>
  callRoute(async () => new Response('acted'), {
    path,
    body: 'token=x',
    ...(withCookie ? { withCookie } : {}),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

const FOREIGN = {
  'another site': { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  'another host of the domain': { origin: SITE, 'sec-fetch-site': 'same-site' },
  'a page without an origin': { origin: 'null' },
};

describe('a form that another site posts', () => {
  it('is looked for on every page', () => {
    expect(guarded.length).toBeGreaterThan(50);
    expect(guarded.filter(({ source }) => /method === 'POST'/.test(source)).length).toBeGreaterThan(9);
  });

  it.each(guarded.map(({ path }) => path))('does not reach %s, signed in or not', async (path) => {
    for (const headers of Object.values(FOREIGN)) {
      for (const cookie of [session, undefined]) {
        const { status, text } = await post(path, headers, cookie);
        expect(status).toBe(403);
        expect(text).toBe('');
      }
    }
    expect((await post(path, { origin: SITE }, session)).text).toBe('acted');
  });

  it('reaches the page behind mailed links, and no others', async () => {
    expect(open.map(({ path }) => path)).toEqual(['/mail-choices']);
    for (const { path } of open) expect((await post(path, FOREIGN['another site'])).text).toBe('acted');
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUILT_SITE_URL, loadStaticFiles } from './static-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'static-files-'));
  for (const release of ['old', 'new']) await mkdir(join(folder, release, '_astro'), { recursive: true });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const load = () =>
  loadStaticFiles({
    folder: join(folder, 'new'),
    baseHeaders: [],
    siteUrl: 'https://academy.example',
    otherFolders: async () => [join(folder, 'gone'), join(folder, 'old')],
  });

test('a page names the address that the site has now, in each of its codings', async () => {
  const page = `<link rel="canonical" href="${BUILT_SITE_URL}/about"><p>${BUILT_SITE_URL}</p>`;
  await writeFile(join(folder, 'new/about.html'), page);
  const file = (await load()).find('/about')!;
  const shown = '<link rel="canonical" href="https://academy.example/about"><p>https://academy.example</p>';
  expect(file.plain.body?.toString()).toBe(shown);
  expect(brotliDecompressSync(file.brotli!.body!).toString()).toBe(shown);
  expect(file.brotli!.headers).toContain('br');
});

test('a hashed file of another release is found, with its compressed copy, and nothing else of that release', async () => {
  await writeFile(join(folder, 'old/_astro/page.a1B2.js'), 'old code');
  await writeFile(join(folder, 'old/_astro/page.a1B2.js.br'), 'packed');
  await mkdir(join(folder, 'old/_astro/fonts'));
  await writeFile(join(folder, 'old/_astro/fonts/a1b2.woff2'), 'font');
  await writeFile(join(folder, 'old/index.html'), 'old page');
  await writeFile(join(folder, 'old/_astro/.hidden'), 'hidden');
  const files = await load();
  expect(files.find('/_astro/page.a1B2.js')).toBeUndefined();
  const found = await files.findElsewhere('/_astro/page.a1B2.js');
  expect(found?.plain.body?.toString()).toBe('old code');
  expect(found?.brotli?.body?.toString()).toBe('packed');
  expect(found?.plain.headers.join(' ')).toContain('immutable');
  for (const path of [
    '/index.html',
    '/',
    '/_astro/../index.html',
    '/_astro/.hidden',
    '/_astro/page.a1B2.js.br',
  ]) {
    expect(await files.findElsewhere(path), path).toBeUndefined();
  }
});

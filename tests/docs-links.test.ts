import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

// Every link between the files that people read leads somewhere.
const root = join(import.meta.dirname, '..');
const FILES = [
  '*.md',
  'docs/*.md',
  'db/**/README.md',
  'src/**/README.md',
  'tests/**/*.md',
  'patches/README.md',
];

/** The names that a page's headings can be linked by, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}

/** The links of a page that lead nowhere. */
async function lostLinks(file: string, text: string): Promise<string[]> {
  const lost: string[] = [];
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:|^\//.test(target!)) continue;
    const [path, anchor] = target!.split('#') as [string, string | undefined];
    const to = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, to))) lost.push(`${file} → ${target}`);
    else if (anchor && to.endsWith('.md')) {
      const page = to === file ? text : await readFile(join(root, to), 'utf8');
      if (!anchorsOf(page).has(anchor)) lost.push(`${file} → ${target}`);
    }
  }
  return lost;
}

const files: string[] = [];
for await (const file of glob(FILES, { cwd: root })) files.push(file);

describe('the pages that people read', () => {
  it('link to what is there', async () => {
    expect(files.length).toBeGreaterThan(20);
    const lost = await Promise.all(
      files.map(async (file) => lostLinks(file, await readFile(join(root, file), 'utf8'))),
    );
    expect(lost.flat()).toEqual([]);
  });

  it('would be told of a link that leads nowhere', async () => {
    const text =
      '# Here\n[a](gone.md) [b](#here) [c](#there) [d](https://example.com/x) [e](README.md#nothing)';
    expect(await lostLinks('README.md', text)).toEqual([
      'README.md → gone.md',
      'README.md → #there',
      'README.md → README.md#nothing',
    ]);
  });

  it('begin with a page that is read in two minutes', async () => {
    expect((await readFile(join(root, 'README.md'), 'utf8')).split('\n').length).toBeLessThanOrEqual(120);
  });
});

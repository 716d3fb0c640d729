import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROJECT_FOLDER } from '#src/server/start/env.ts';
import { contentMistakes } from './check-content.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-'));
  for (const part of ['src/content', 'public/clients']) {
    await cp(join(PROJECT_FOLDER, part), join(folder, part), { recursive: true });
  }
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The mistakes after one change of a file, with the place of a text in it as `line:column`. */
async function mistakesAfter(name: string, from: string | RegExp, to: string): Promise<string[]> {
  const path = join(folder, 'src/content', name);
  const text = await readFile(path, 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  await writeFile(path, changed);
  return contentMistakes(folder);
}

describe('the content files', () => {
  it('have no mistakes', async () => {
    expect(await contentMistakes()).toEqual([]);
  });

  it.each([
    ['home.yaml', /^title: .*$/m, 'title: One: two', 'Put a text that holds a colon in quotes'],
    ['home.yaml', /^ {2}heading:/m, '\theading:', 'Indent with spaces'],
    ['home.yaml', /^title: .*$/m, 'title: "Open', 'not closed'],
    ['home.yaml', /^title: .*$/m, 'title: A\ntitle: B', 'stands twice'],
    ['about.md', /^title: .*$/m, 'title: One: two', 'Put a text that holds a colon in quotes'],
    ['legal/terms.md', /^title: .*$/m, 'title: [', 'cannot be read'],
  ])('%s with %s → %j: one line with file, line, column and what to do', async (name, from, to, said) => {
    const mistakes = await mistakesAfter(name, from, to);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(new RegExp(`^src/content/${name}:\\d+:\\d+: cannot be read: `));
    expect(mistakes[0]).toContain(said);
    expect(mistakes[0]).not.toMatch(/\n|\bat .*:\d+:\d+\)/);
  });

  it.each([
    ['insights', 'New Article.md', 'new-article.md'],
    ['insights', 'Überblick_2.md', 'uberblick-2.md'],
    ['cases', 'two--hyphens.md', 'two-hyphens.md'],
    ['cases', 'case.MD', 'case.md'],
    ['cases', 'notes.txt', 'notes.md'],
    ['insights', '文章.md', 'a-new-page.md'],
  ])('%s/%s: a name that cannot be an address is said with those that can', async (inside, name, such) => {
    const [own] = (await readdir(join(folder, 'src/content', inside))).filter((one) => one.endsWith('.md'));
    await cp(join(folder, 'src/content', inside, own!), join(folder, 'src/content', inside, name));
    expect(await contentMistakes(folder)).toEqual([
      `src/content/${inside}/${name}:1:1: has a name that cannot be the address of its page. Use small letters a to z, digits and single hyphens between them, and .md at the end, such as ${such}.`,
    ]);
  });

  it('leave out what a system keeps beside them', async () => {
    await writeFile(join(folder, 'src/content/insights/.DS_Store'), 'x');
    expect(await contentMistakes(folder)).toEqual([]);
  });

  it('name the line of the mistake, below the dashes of Markdown too', async () => {
    const lineOf = async (name: string) =>
      (await readFile(join(folder, 'src/content', name), 'utf8'))
        .split('\n')
        .findIndex((line) => line.startsWith('title:')) + 1;
    for (const name of ['home.yaml', 'legal/privacy.md']) {
      const line = await lineOf(name);
      expect(await mistakesAfter(name, /^title: .*$/m, 'title: 2026')).toEqual([
        expect.stringMatching(new RegExp(`^src/content/${name}:${line}:8: title `)),
      ]);
      await cp(join(PROJECT_FOLDER, 'src/content', name), join(folder, 'src/content', name));
    }
  });

  const ARTICLE = 'insights/a-handover-you-can-test.md';
  const CASE = 'cases/tidepath-routes.md';
  it.each([
    [ARTICLE, /^topic: .*$/m, 'topic: Cooking', ':9:8: topic must be one of: Hiring, Software, Learning'],
    [ARTICLE, /^published: .*$/m, 'published: soon', ':8:12: published must be a day without quotes'],
    [ARTICLE, /^topic:/m, 'mood: good\ntopic:', ':9:1: the file has a line that the site does not use: mood'],
    [ARTICLE, /^---\n/, '', ':1:1: must begin with a line of three dashes'],
    [ARTICLE, /^## 1\. .*$/m, '![The plan](../pictures/none.png)', ':18:11: shows ../pictures/none.png, but'],
    [ARTICLE, /^## 1\. .*$/m, '![Plan](../pictures/cases/tidepath.png)', ':18:7: the words in ![…]'],
    [ARTICLE, /^## 1\. .*$/m, '![](../../site.yaml)', ':18:3: shows ../../site.yaml, but'],
    [ARTICLE, /^## 1\. .*$/m, 'One\n[two](/servises)', ':19:5: leads to /servises, but'],
    [ARTICLE, /^## 1\. .*$/m, '[Ours](/clients/nobody)', ':18:6: leads to /clients/nobody, but'],
    [ARTICLE, /^## 1\. .*$/m, '[Ours](services)', ':18:6: leads to services: write /services'],
    [CASE, 'client: tidepath', 'client: nobody', ':4:9: client names nobody, but clients.yaml'],
    [
      CASE,
      'cases/tidepath.png',
      '../cases/tidepath.png',
      ':14:9: picture.file names ../cases/tidepath.png, but',
    ],
    [
      CASE,
      /^ {2}alt: .*$/m,
      '  alt: Picture of a map',
      ':15:8: picture.alt must tell what is on the picture',
    ],
    [CASE, /^ {2}alt: .*\n/m, '', ': picture.alt must be text'],
    [
      'people.yaml',
      'people/hana-mori.png',
      'people/hana.png',
      'people.4.portrait.file names people/hana.png',
    ],
    ['quotes.yaml', 'client: corvane', 'client: nobody', 'quotes.3.client names nobody'],
    ['home.yaml', /^ {2}link: .*$/m, '  link: /abuot', ':20:9: about.link leads to /abuot, but'],
    [
      'home.yaml',
      /^ {2}link: .*$/m,
      '  link: "More (/abuot) of us"',
      ':20:16: about.link leads to /abuot, but',
    ],
    [
      'home.yaml',
      /^ {2}link: .*$/m,
      '  link: >-\n    More of us\n    [here](/abuot).',
      ':22:12: about.link leads to',
    ],
    [
      'clients.yaml',
      'work: Route planning',
      'work: /clients/nobody',
      'clients.3.work leads to /clients/nobody',
    ],
    [
      CASE,
      /^description: .*$/m,
      'description: Read /clients/nobody.',
      'description leads to /clients/nobody, but',
    ],
  ])('%s with %s → %j: its line and what to do', async (name, from, to, said) => {
    const mistakes = await mistakesAfter(name, from, to);
    expect(mistakes).toEqual([expect.stringMatching(new RegExp(`^src/content/${name}:\\d+:\\d+: `))]);
    expect(mistakes[0]).toContain(said);
  });

  it('take paths that lead somewhere in YAML, and what only looks like one', async () => {
    const some =
      'link: Open 24/7, /services, [a case](/clients/tidepath-routes#end), /clients/halden.svg and/or more';
    expect(await mistakesAfter('home.yaml', /^ {2}link: .*$/m, `  ${some}`)).toEqual([]);
  });

  it('take another article and case study as they are named, and links to them', async () => {
    const read = (name: string) => readFile(join(folder, 'src/content', name), 'utf8');
    await writeFile(join(folder, 'src/content/cases/another.md'), await read(CASE));
    await writeFile(
      join(folder, 'src/content/insights/another.md'),
      `${await read(ARTICLE)}\n[This](/insights/another#top), [that](/clients/another), [a course](/courses/7?x=1)\n`,
    );
    expect(await contentMistakes(folder)).toEqual([]);
  });

  it('tell where a synonym of the search leads in a circle or nowhere', async () => {
    const name = 'search-words.yaml';
    expect(await mistakesAfter(name, /^ {2}js: .*$/m, '  js: javascrpit')).toEqual([
      expect.stringMatching(/^src\/content\/search-words\.yaml:\d+: "js" leads to "javascrpit"/),
    ]);
    await rm(join(folder, 'src/content', name));
    expect(await contentMistakes(folder)).toEqual([`src/content/${name}:1: cannot be read.`]);
  });

  it('say which name was meant, in each file', async () => {
    expect(await mistakesAfter('legal/terms.md', /^title:/m, 'titel:')).toContain(
      'src/content/legal/terms.md:2:1: the file has a line that the site does not use: titel. Did you mean “title”?',
    );
    expect(await mistakesAfter('home.yaml', /^title:/m, 'tilte:')).toContainEqual(
      expect.stringMatching(/^src\/content\/home\.yaml:\d+:1: .*tilte.*Did you mean “title”\?$/),
    );
  });

  it('must be there, be UTF-8 and have their dashes', async () => {
    await writeFile(join(folder, 'src/content/site.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe4]));
    await writeFile(join(folder, 'src/content/about.md'), 'Words alone.');
    await writeFile(
      join(folder, 'src/content/legal/terms.md'),
      '---\ntitle: "Terms"\nupdated: 2026-11-01\n---\nText',
    );
    await rm(join(folder, 'src/content/contact.yaml'));
    expect(await contentMistakes(folder)).toEqual([
      'src/content/site.yaml:1:1: is not saved as UTF-8. Save it again with that encoding.',
      'src/content/about.md:1:1: must begin with a line of three dashes, the lists, and another line of three dashes; the text follows.',
      'src/content/contact.yaml:1:1: is missing. Its page cannot be made without it.',
      'src/content/legal/terms.md:3:10: updated a legal text needs the month it was last changed, such as November 2026',
    ]);
  });
});

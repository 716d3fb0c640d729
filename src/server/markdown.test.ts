import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { pictureMarkdown, picturesIn } from '#src/shared/pictures.ts';
import {
  plainParagraphs,
  RENDERER_VERSION,
  renderMarkdown,
  renderUserMarkdown,
  requireRenderable,
} from './markdown.ts';

describe('Markdown (U4)', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '</textarea><svg onload=alert(1)>',
    '<iframe src="https://evil.test"></iframe>',
    '<style>body{display:none}</style>',
    '<form action="https://evil.test"><input name=password></form>',
    '[x](javascript:alert(1))',
    '[x](  JaVaScRiPt:alert(1))',
    '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
    '[x](//evil.test)',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '```html\n<script>alert(1)</script>\n```',
    '[x]: javascript:alert(1)\n\n[x]',
    '"><img src=x onerror=alert(1)//',
  ])('makes no markup of its own from %j', (source) => {
    const html = renderMarkdown(source);
    const tags = [...html.matchAll(/<([a-z0-9]+)([^>]*)>/gi)];
    for (const [, tag, attributes] of tags) {
      expect(['p', 'pre', 'code', 'span', 'a', 'img', 'strong']).toContain(tag);
      expect(attributes).not.toMatch(/\son\w+\s*=|javascript:|data:|="\/\/evil/i);
    }
  });

  it('keeps the written text', () => {
    expect(renderMarkdown('Use <b>bold</b> and {{braces}} & </textarea>')).toBe(
      '<p>Use &lt;b&gt;bold&lt;/b&gt; and {{braces}} &amp; &lt;/textarea&gt;</p>\n',
    );
  });

  it('fits headings under the heading of the page', () => {
    expect(renderMarkdown('# A\n\n## B')).toBe('<h2>A</h2>\n<h3>B</h3>\n');
    expect(renderMarkdown('### A\n\n###### B', { topHeading: 3 })).toBe('<h3>A</h3>\n<h6>B</h6>\n');
  });

  it('renders tables, code and links', () => {
    const html = renderMarkdown(
      '| a |\n|---|\n| 1 |\n\n```js\nconst a = 1;\n```\n\nhttps://example.com next.js',
    );
    expect(html).toContain('<td>1</td>');
    expect(html).toContain('<code class="language-js">');
    expect(html).toContain('<a href="https://example.com" rel="noopener nofollow">');
    expect(html).not.toContain('href="http://next.js"');
  });

  it('gives the same answer from memory', () => {
    expect(renderMarkdown('*twice*')).toBe(renderMarkdown('*twice*'));
    expect(renderMarkdown('# x', { topHeading: 2 })).not.toBe(renderMarkdown('# x', { topHeading: 3 }));
  });

  it('makes no heading of an empty corner', () => {
    expect(renderMarkdown('| | Small |\n| --- | --- |\n| **Blocks** | Now |')).toMatch(
      /<tr>\s*<td><\/td>\s*<th>Small<\/th>\s*<\/tr>/,
    );
  });

  it('colors code whose language it knows, and nothing else', () => {
    expect(renderMarkdown('```js\nconst a = 1;\n```')).toBe(
      '<pre tabindex="0"><code class="language-js"><span class="hljs-keyword">const</span> a = <span class="hljs-number">1</span>;\n</code></pre>\n',
    );
    expect(renderMarkdown('```jsx\nconst a = <b>{x}</b>;\n```')).toContain('hljs-name');
    expect(renderMarkdown('```brainfuck\n<script>+</script>\n```')).toBe(
      '<pre tabindex="0"><code class="language-brainfuck">&lt;script&gt;+&lt;/script&gt;\n</code></pre>\n',
    );
    expect(renderMarkdown(`\`\`\`js\n${'a = 1;\n'.repeat(5000)}\`\`\``)).not.toContain('hljs');
  });
});

describe('task lists, call-outs and footnotes', () => {
  it('shows tasks with their state', () => {
    expect(renderMarkdown('- [x] **a**\n- [ ] b\n- [y] c\n- [ ]d')).toBe(
      '<ul>\n<li class="task-list-item"><input type="checkbox" disabled checked aria-label="Done" /> <strong>a</strong></li>\n' +
        '<li class="task-list-item"><input type="checkbox" disabled aria-label="To do" /> b</li>\n<li>[y] c</li>\n<li>[ ]d</li>\n</ul>\n',
    );
  });

  it.each(['note', 'tip', 'important', 'warning', 'caution'])(
    'sets a call-out of the kind %s apart',
    (kind) => {
      const name = kind[0]!.toUpperCase() + kind.slice(1);
      expect(renderMarkdown(`> [!${kind.toUpperCase()}]\n> Take *care*.`)).toBe(
        `<div class="markdown-alert markdown-alert-${kind}">\n<p class="markdown-alert-title">${name}</p>\n<p>Take <em>care</em>.</p>\n</div>\n`,
      );
    },
  );

  it('leaves other quotes as they are', () => {
    expect(renderMarkdown('> [!OTHER]\n> x')).toContain('<blockquote>');
  });

  it('puts footnotes at the end, with a way there and back', () => {
    const html = renderMarkdown('One[^a] and again[^a].\n\n[^a]: The <note>.');
    const id = /#fn-([0-9a-f]{8})-1"/.exec(html)![1];
    expect(html).toContain(`<a href="#fn-${id}-1" id="fnref-${id}-1-0" aria-label="Footnote 1">1</a>`);
    expect(html).toContain(`<li id="fn-${id}-1"><p>The &lt;note&gt;. <a href="#fnref-${id}-1-0"`);
    expect(html).toContain(`href="#fnref-${id}-1-1"`);
    expect(renderMarkdown('Other[^a].\n\n[^a]: x')).not.toContain(`fn-${id}`);
  });
});

describe('formulas', () => {
  it('are MathML', () => {
    expect(renderMarkdown('Area: $a^2$.')).toBe(
      '<p>Area: <span class="formula"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msup><mi>a</mi><mn>2</mn></msup></mrow></semantics></math></span>.</p>\n',
    );
    expect(renderMarkdown('$$\n\\frac{1}{2}\n$$')).toMatch(
      /^<div class="formula" tabindex="0" role="group" aria-label="Formula"><math [^>]*display="block">.*<mfrac><mn>1<\/mn><mn>2<\/mn><\/mfrac>/,
    );
  });

  it('have the letters that their style asks for', () => {
    const html = renderMarkdown('$\\mathbb{R} \\mathbf{A1} \\mathcal{LB} \\mathfrak{z}$');
    for (const letter of ['ℝ', '𝐀', '𝟏', 'ℒ', 'ℬ', '𝔷']) expect(html).toContain(letter);
    expect(html).not.toContain('mathvariant');
  });

  it.each([
    'It costs $5 and then $10.',
    '$HOME/$USER',
    'US$, CA$',
    '5$, 6$',
    'From \\$5 to 6$ a day',
    '`$a$`',
    '${name} and `$HOME`',
    'cost $5 and `$x$`',
    '```\n$$\na\n$$\n```',
    '$ a $',
  ])('are not read into %j', (source) => expect(renderMarkdown(source)).not.toContain('<math'));

  it.each([
    ['\\href{javascript:alert(1)}{x}', '\\href is not available here.'],
    ['\\includegraphics{https://evil.test/a.png}', '\\includegraphics is not available here.'],
    ['\\htmlStyle{position:fixed}{x}', '\\htmlStyle is not available here.'],
    ['\\def\\a{\\a\\a}\\a', '\\def is not available here.'],
    ['\\newcommand{\\a}{b}', '\\newcommand is not available here.'],
    ['\\frac{a', 'Unexpected end of input'],
    ['x'.repeat(1001), 'it has more than 1000 characters.'],
    ['{'.repeat(400), 'This formula cannot be shown: '],
  ])('say why %j cannot be shown', (source, reason) => {
    const html = renderMarkdown(`$${source}$`);
    expect(html).toContain(reason);
    expect(html).toContain('<span class="formula-problem"><code>');
    expect(html).not.toContain('<math');
  });

  it('make no markup of the text in them', () => {
    const html = renderMarkdown('$\\text{<script>alert(1)</script><img src=x onerror=alert(1)>}$');
    expect(html).toContain('<mtext>&lt;script&gt;');
    expect(html).not.toMatch(/<(script|img)/);
  });

  it('end where a text has too many', () => {
    const html = renderMarkdown('$x$ '.repeat(5000));
    expect(html.match(/<math/g)!.length).toBe(500);
    expect(html.match(/cannot be shown/g)).toHaveLength(1);
    expect(html.match(/<code>x<\/code>/g)).toHaveLength(4500);
  });
});

describe('hostile texts', () => {
  it.each([
    ['notes in notes', '^['.repeat(50_000)],
    ['notes that name themselves', Array.from({ length: 5000 }, (_, at) => `[^${at}]: [^${at}]`).join('\n')],
    ['one note inside the other', '[^a]: '.repeat(16_000)],
    ['call-outs in call-outs', `${'> [!NOTE]\n'.repeat(5000)}${'>'.repeat(5000)} [!NOTE]\n> a`],
    ['tasks', '- [ ] a\n'.repeat(12_000)],
    ['dollars', '$'.repeat(100_000)],
    ['formulas that never end', '$$\n'.repeat(30_000)],
    ['roots of roots', `$$\n${'\\sqrt{'.repeat(140)}${'}'.repeat(140)}\n$$`],
    ['large tables', `$$\n\\begin{matrix}${'&'.repeat(480)}\\end{matrix}\n$$\n\n`.repeat(100)],
  ])('of %s are rendered', (_name, source) => {
    expect(renderMarkdown(source)).toBeTypeOf('string');
  });
});

describe('pictures', () => {
  const path = '/pictures/abcDEF_-12345678/plan-1000x800.png';

  it('come in the sizes and kinds that their address names', () => {
    expect(renderMarkdown(`A ![plan](${path}) here`)).toBe(
      `<p>A <picture><source type="image/avif" srcset="${path}/480.avif 480w, ${path}/960.avif 960w, ${path}/1000.avif 1000w" sizes="(min-width: 44rem) 42rem, 92vw" />` +
        `<source type="image/webp" srcset="${path}/480.webp 480w, ${path}/960.webp 960w, ${path}/1000.webp 1000w" sizes="(min-width: 44rem) 42rem, 92vw" />` +
        `<img src="${path}" alt="plan" width="1000" height="800" loading="lazy" decoding="async" /></picture> here</p>\n`,
    );
  });

  it('are figures where they stand alone and have a caption', () => {
    const html = renderMarkdown(`![plan](${path} "The <plan> & more")`);
    expect(html).toMatch(
      /^<figure><picture>.*<\/picture><figcaption>The &lt;plan&gt; &amp; more<\/figcaption><\/figure>\n$/,
    );
    expect(renderMarkdown('![x](https://example.com/a.png "Far")')).toBe(
      '<figure><img src="https://example.com/a.png" alt="x" loading="lazy" decoding="async" /><figcaption>Far</figcaption></figure>\n',
    );
    expect(renderMarkdown('Beside ![x](https://example.com/a.png "Far") and **on**')).toBe(
      '<p>Beside </p>\n<figure><img src="https://example.com/a.png" alt="x" loading="lazy" decoding="async" /><figcaption>Far</figcaption></figure>\n<p> and <strong>on</strong></p>\n',
    );
    expect(renderMarkdown('- Beside ![x](https://example.com/a.png "Far")')).toMatch(
      /^<ul>\n<li>Beside ?\n?<figure><img [^>]*><figcaption>Far<\/figcaption><\/figure>\n<\/li>/,
    );
    expect(renderMarkdown('Beside [![x](https://example.com/a.png "Far")](/a)')).toContain('title="Far"');
    expect(plainParagraphs('Beside ![x](https://example.com/a.png "Far")')).toEqual(['Beside', 'x Far']);
  });

  it('of other addresses make no sizes', () => {
    for (const address of ['/pictures/x/plan.png', '/files/x/plan-10x10.png', `${path}"onload=alert(1)`]) {
      expect(renderMarkdown(`![x](${address})`)).not.toContain('<source');
    }
  });

  it('are written as Markdown that gives the same words back', () => {
    const words = { alt: 'a [b] \\ "c"\n d', caption: 'He said "x\\y"' };
    const html = renderMarkdown(pictureMarkdown({ path, ...words }));
    expect(html).toContain('alt="a [b] \\ &quot;c&quot; d"');
    expect(html).toContain('<figcaption>He said "x\\y"</figcaption>');
    expect(picturesIn(`${pictureMarkdown({ path, ...words })} and ${path}/480.webp`)).toEqual([path]);
  });
});

describe('what one text may come to (fault U10)', () => {
  const wideTable = (lines: number) => `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|x\n'.repeat(lines)}`;
  const fill = (part: string, length: number) =>
    part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const WORST: [string, (length: number) => string][] = [
    ['a wide table', (length) => wideTable(Math.floor((length - 403) / 3))],
    ['many tables', (length) => fill(`${wideTable(30)}\n`, length)],
    ['a table in a list', (length) => fill(`- ${wideTable(30).replaceAll('\n', '\n  ')}\n`, length)],
    [
      'a long address that is named often',
      (length) => `[a]: http://x/${fill('y', length / 2)}\n\n${fill('[a] ', length / 2 - 20)}`,
    ],
    ['footnotes', (length) => `[^a]: x\n\n${fill('[^a]', length - 20)}`],
    ['formulas', (length) => fill('$x$ ', length)],
    ['pictures', (length) => fill('![a](https://x/y) ', length)],
    ...['css', 'yaml', 'json', 'java', 'html', 'js'].map((language): [string, (length: number) => string] => [
      `dense code of ${language}`,
      (length) => `\`\`\`${language}\n${fill('{"a":[1,', length - 20)}\n\`\`\``,
    ]),
    ...[
      '[',
      '*a ',
      '_a',
      '`',
      '``` ',
      '[a](b)',
      '[a](',
      '>',
      '> - ',
      '- ',
      '- x\n',
      '- [ ] a\n',
      '# a\n',
      '***\n',
      'a\n\n',
      'a\\\n',
      '<',
      '&',
      '"',
      '<a@b.c>',
      'http://a.b ',
      'http://日.日/日 ',
      'mailto:a@b.c ',
      '~~a~~ ',
      '&amp;',
      'a\u0301\u0301\u0301',
      '😀',
      '\n',
      '~~~js\n1\n~~~\n',
    ].map((part): [string, (length: number) => string] => [
      JSON.stringify(part),
      (length) => fill(part, length),
    ]),
  ];

  it.each(WORST)('is kept by %s', (_name, make) => {
    for (const length of [4_000, 16_000, 60_000]) {
      const html = renderUserMarkdown(make(length));
      expect(html.length).toBeLessThanOrEqual(65_536);
      expect(html).not.toMatch(/<(?:table|td|img|picture|math|sup)\b/);
    }
    for (const length of [20_000, 100_000]) {
      expect(renderMarkdown(make(length)).length).toBeLessThanOrEqual(1_048_576);
    }
    expect(plainParagraphs(make(10_000)).join('').length).toBeLessThan(2_100_000);
  });

  it('is said when a text is saved, naming the field', () => {
    expect(() => requireRenderable('content', 'Content', wideTable(200))).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        fields: {
          content: expect.stringMatching(/^Content would become too large on the page: .*wide tables/),
        },
      }),
    );
    expect(() => requireRenderable('body', 'Text', fill('a ', 20_000), 'user')).toThrow(/^Text would become/);
    expect(() => requireRenderable('content', 'Content', wideTable(20))).not.toThrow();
    // A table as long as any that somebody writes by hand.
    const table = `|a|b|c|d|\n|-|-|-|-|\n${'|one|two|three|four|\n'.repeat(1_000)}`;
    expect(() => requireRenderable('content', 'Content', table)).not.toThrow();
    expect(renderMarkdown(table)).toContain('<td>four</td>');
  });

  it('is shown as it was written, escaped and cut, where it was stored before', () => {
    const html = renderMarkdown(`<b>"&\n${wideTable(400)}`);
    expect(html).toMatch(/^<pre tabindex="0">&#60;b&#62;&#34;&#38;\n\|a\|a/);
    const long = renderUserMarkdown(fill('<"', 70_000));
    expect(long.length).toBeLessThanOrEqual(65_536);
    expect(long).toMatch(/^<pre tabindex="0">(?:&#60;|&#34;)+<\/pre>\n$/);
  });

  it('keeps what users write within six lists and quotes, and shows the rest as it was written', () => {
    expect(renderUserMarkdown('> > > > > > > > deep').match(/<blockquote>/g)).toHaveLength(6);
    expect(renderUserMarkdown('> > > > > > > > deep')).toContain('&gt; &gt; deep');
    const mixed = renderUserMarkdown('- > - > - > - > deep');
    expect([mixed.match(/<ul>/g)?.length, mixed.match(/<blockquote>/g)?.length]).toEqual([3, 3]);
    expect(renderUserMarkdown('a\n- b\n\n  - c\n\n1. d')).toContain('<li>c</li>');
    // The depth of one list is not that of the next.
    expect(renderUserMarkdown('> > > > > > a\n\nb\n\n> c').match(/<blockquote>/g)).toHaveLength(7);
  });

  it('leaves users their code, colored where that is not much more, and their links', () => {
    const code = `const total = items.map((item) => item.price * 2);\n`.repeat(70);
    expect(renderUserMarkdown(`\`\`\`js\n${code}\`\`\``)).toContain('hljs-keyword');
    expect(renderUserMarkdown(`\`\`\`yaml\n${fill('a: 1\n', 3_900)}\`\`\``)).not.toContain('hljs');
    expect(renderUserMarkdown('[a](https://example.com "b") **c**')).toContain(
      '<a href="https://example.com" title="b"',
    );
    expect(renderUserMarkdown('# a')).toBe('<h4>a</h4>\n');
  });
});

it('leaves brackets without an end as they are, however many, and finds links between some of them', () => {
  expect(renderMarkdown('['.repeat(3000))).toBe(`<p>${'['.repeat(3000)}</p>\n`);
  const [before, behind] = ['[ '.repeat(40), ' ['.repeat(40)];
  expect(renderMarkdown(`${before}[a](/b)${behind}`)).toContain('<a href="/b">a</a>');
});

it('has a version that is another one wherever the same text becomes other HTML', () => {
  const load = createRequire(import.meta.url);
  const packages = ['katex', 'markdown-it', 'sanitize-html', 'highlight.js', 'parse5'].map(
    (name) => (load(`${process.cwd()}/node_modules/${name}/package.json`) as { version: string }).version,
  );
  const sample =
    '# a `b` **c** [d](http://e.f "g")\n\n$a^2$\n\n$$\n\\frac{1}{2}\n$$\n\n| a |\n|---|\n| 1 |\n\n- [x] y\n\n> [!note]\n> z\n\n```js\nlet a = 1;\n```\n\n![p](https://q.r/s.png "t")\n\nu[^v]\n\n[^v]: w\n\n$A/$B, US$5 or 6$\n\n<b>x</b>';
  const digest = createHash('sha256')
    .update(JSON.stringify([packages, renderMarkdown(sample)]))
    .digest('hex')
    .slice(0, 16);
  expect([digest, RENDERER_VERSION]).toEqual(['bf9c53f8bc0d8687', 2]);
});

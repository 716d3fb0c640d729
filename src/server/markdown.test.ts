import { describe, expect, it } from 'vitest';
import { pictureMarkdown, picturesIn } from '#src/shared/pictures.ts';
import { renderMarkdown } from './markdown.ts';

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
    expect(renderMarkdown(`Beside ![plan](${path} "Title")`)).not.toContain('figure');
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

import { parseFragment, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { pictureMarkdown } from '#src/shared/pictures.ts';
import { renderMarkdown } from './markdown.ts';
import { phrasing, withoutHeadings } from './phrasing.ts';

const inLabel = (markdown: string) => phrasing(renderMarkdown(markdown));

describe('Markdown inside a label', () => {
  it.each([
    ['One\nline', '<span class="block">One\nline</span>'],
    ['**a** `b`', '<span class="block"><strong>a</strong> <code>b</code></span>'],
    ['# Big', '<span class="block"><strong>Big</strong></span>'],
    ['[words](https://example.com/a)', '<span class="block">words</span>'],
    ['> said', '<span class="block">\n<span class="block">said</span>\n</span>'],
    ['a\n\n---\n\nb', '<span class="block">a</span>\n\n<span class="block">b</span>'],
  ])('%j is %s', (markdown, html) => expect(inLabel(markdown)).toBe(html));

  it('keeps the lines of code, which wrap', () => {
    expect(inLabel('```js\nif (a < 1) {\n  b();\n}\n```')).toBe(
      '<code class="block whitespace-pre-wrap wrap-anywhere">if (a &lt; 1) {\n  b();\n}</code>',
    );
  });

  it('has lists and tables as lines', () => {
    const words = (markdown: string) =>
      inLabel(markdown)
        .replace(/<[^>]*>/g, '')
        .replace(/\n+/g, '\n')
        .trim();
    expect(words('- a\n- b')).toBe('• a\n• b');
    expect(words('3. a\n4. b')).toBe('3. a\n4. b');
    expect(words('- [x] a\n- [ ] b')).toBe('• ☑ a\n• ☐ b');
    expect(words('| a | b |\n| - | - |\n| c | d |')).toBe('a\n | b\nc\n | d');
  });

  it('keeps formulas and pictures with what they say', () => {
    expect(inLabel('$a^2$')).toMatch(
      /^<span class="block"><span class="formula"><math.*<\/math><\/span><\/span>$/s,
    );
    expect(inLabel('$$\na^2\n$$')).toMatch(/^<span class="block"><math/);
    const picture = pictureMarkdown({
      path: '/pictures/abc/cat-600x400.png',
      alt: 'A cat',
      caption: 'Its words',
    });
    const html = inLabel(picture);
    expect(html).toContain('alt="A cat"');
    expect(html).toContain('<span class="block">Its words</span>');
  });

  it.each([
    '<script>alert(1)</script>',
    '</label><button>x</button>',
    '[x](javascript:alert(1))',
    '[x](https://example.com/ "</label>")',
    '![x](javascript:alert(1))',
    '![</label><script>](https://example.com/a.png)',
    '```html\n</label><script>alert(1)</script>\n```',
    '`</code></label>`',
    '$\\text{</label><script>alert(1)</script>}$',
    '<https://example.com/>\n\nA[^1]\n\n[^1]: note',
    '| </label> |\n| - |\n| <script> |',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    '> [!TIP]\n> # x\n> - [ ] y',
    `${'> '.repeat(300)}x`,
  ])('takes nothing of %j that a label may not hold', (markdown) => {
    const html = inLabel(markdown);
    const allowed = /^(span|strong|em|s|code|br|sup|img|picture|source|math|semantics|annotation|m[a-z]+)$/;
    for (const [, name] of html.matchAll(/<\/?([a-z0-9]+)/g)) expect(name).toMatch(allowed);
    expect(html).not.toMatch(/<[^>]*\s(href|on\w+|id|tabindex|style)=/);
    // It says the same once a browser has read it.
    expect(serialize(parseFragment(`<label>${html}</label>`))).toBe(`<label>${html}</label>`);
  });
});

describe('Markdown without headings', () => {
  it('has bold words in their place', () => {
    expect(withoutHeadings(renderMarkdown('# A *b*\n\n> ## C\n\nd'))).toBe(
      '<p><strong>A <em>b</em></strong></p>\n<blockquote>\n<p><strong>C</strong></p>\n</blockquote>\n<p>d</p>\n',
    );
    expect(withoutHeadings('<p>a</p>')).toBe('<p>a</p>');
  });
});

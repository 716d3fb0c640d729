import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderMarkdown } from '#src/server/markdown.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

const { window } = new JSDOM();
beforeAll(() => {
  const { DOMParser, NodeFilter, document } = window;
  for (const [name, value] of Object.entries({ DOMParser, NodeFilter, document })) vi.stubGlobal(name, value);
});
afterAll(() => void vi.unstubAllGlobals());

const markdown = (html: string) => htmlToMarkdown(html)?.markdown;

describe('what is pasted', () => {
  it('from Word keeps headings, marks, links and lists of paragraphs', () => {
    const item = (level: number, mark: string, text: string) =>
      `<p class=MsoListParagraph style='margin-left:${level * 36}.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`;
    expect(
      markdown(`<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head><body lang=EN-US><!--StartFragment-->
<p class=MsoTitle>All of it</p>
<h1>Means<o:p></o:p></h1>
<p class=MsoNormal>A <b>mean</b> is <i>short</i>, see
<a href="https://example.com/a">there</a>.<o:p></o:p></p>
${item(1, '·', 'One')}${item(2, 'o', 'One a')}${item(2, 'o', 'One b')}${item(1, '·', 'Two')}
<p class=MsoNormal>Then:</p>
${item(1, '1.', 'First')}${item(2, 'a)', 'Inner')}${item(1, '2.', 'Second')}
<!--EndFragment--></body></html>`),
    ).toBe(
      [
        '# All of it\n',
        '# Means\n',
        'A **mean** is *short*, see [there](https://example.com/a).\n',
        '- One\n  - One a\n  - One b\n- Two\n',
        'Then:\n',
        '1. First\n   1. Inner\n2. Second',
      ].join('\n'),
    );
  });

  it('from Google Docs is not bold as a whole, and takes its marks from styles', () => {
    expect(
      markdown(
        `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-weight:400;">Plan</span></h2><p dir="ltr"><span style="font-weight:400">So </span><span style="font-weight:700;">bold </span><span style="font-style:italic;">slanted</span><span style="text-decoration:line-through;">gone</span></p><ul><li dir="ltr" aria-level="1"><p role="presentation"><span style="font-weight:400">One</span></p></li><ul><li dir="ltr" aria-level="2"><p role="presentation"><span>Inner</span></p></li></ul><li role="checkbox" aria-checked="true"><p><span>Two</span></p></li></ul></b><br class="Apple-interchange-newline">`,
      ),
    ).toBe('## Plan\n\nSo **bold** *slanted*~~gone~~\n\n- One\n  - Inner\n- [x] Two');
  });

  it('from Excel is a table of equal rows', () => {
    expect(
      markdown(
        `<html><body><table border=0 cellpadding=0><!--StartFragment--><col width=64 span=2><tr height=20><td class=xl65>Name</td><td>Sum</td></tr><tr><td>a|b</td><td align=right>1,5</td></tr><tr><td></td><td>x<br>y</td></tr><tr><td colspan=2>Both</td></tr><!--EndFragment--></table></body></html>`,
      ),
    ).toBe('| Name | Sum |\n| --- | --- |\n| a\\|b | 1,5 |\n|  | x y |\n| Both |  |');
    expect(markdown('<table><tr><td>One</td></tr></table>')).toBeUndefined();
  });

  it('from a page keeps code, quotes and pictures, and nothing that runs', () => {
    expect(
      markdown(
        `<h3><strong>Code</strong></h3><script>alert(1)</script><style>p{}</style><!-- no --><pre><code class="language-js">const a = 1;\nlet b = \`x\`;</code></pre><p>Use <code>a_b</code>, <a href="javascript:alert(1)">not this</a> and <a href="mailto:a@example.com">that</a>.</p><blockquote><p>Said</p></blockquote><img src="https://example.com/a.png" alt="A"><img src="data:image/png;base64,AA" alt="B"><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td rowspan=2>1</td><td><p>x</p><p>y</p></td></tr><tr><td><a href="https://example.com">z</a></td></tr></tbody></table>`,
      ),
    ).toBe(
      [
        '### Code\n',
        '```js\nconst a = 1;\nlet b = `x`;\n```\n',
        'Use `a_b`, not this and [that](mailto:a@example.com).\n',
        '> Said\n',
        '![A](https://example.com/a.png)\n',
        '| A | B |\n| --- | --- |\n| 1 | x y |\n|  | [z](https://example.com) |',
      ].join('\n'),
    );
    expect(htmlToMarkdown('<p>x <img src="data:image/png;base64,AA"></p>')).toEqual({
      markdown: 'x',
      leftOut: 1,
    });
  });

  it('in lines of a typewriter is a block of code', () => {
    const line = (text: string) =>
      `<p class=MsoNormal><span style='font-family:"Courier New"'>${text}</span></p>`;
    expect(markdown(`<p>So:</p>${line('if a:')}${line('&nbsp;&nbsp;b = 1')}<p>Then</p>`)).toBe(
      'So:\n\n```\nif a:\n  b = 1\n```\n\nThen',
    );
  });

  it('stays what it says where signs mean something in Markdown', () => {
    expect(markdown('<p><b>1.</b> costs $5 or $6, *not* &amp;amp; # that</p>')).toBe(
      '**1.** costs \\$5 or \\$6, \\*not\\* \\&amp; # that',
    );
  });

  it('is left as plain text where it has no format, or comes from an editor of code', () => {
    expect(markdown('<meta charset="utf-8"><span>Only words</span>')).toBeUndefined();
    expect(
      markdown(
        '<div style="font-family: Menlo;white-space: pre;"><div><span style="font-weight: bold;"># Title</span></div></div>',
      ),
    ).toBeUndefined();
  });
});

describe('in a paste', () => {
  it.each([
    ['<b>a<br></b><p><br></p>b<br><br>c<br>d<br>', '**a**\n\nb\n\nc\\\nd'],
    ['<code>a<br>b</code><pre>a<br><i>b</i></pre>', '`a b`\n\n```\na\nb\n```'],
    ['<ol start="5"><li>a<li>b</ol>', '5. a\n6. b'],
    ['<p style="mso-list:level1"><i style="mso-list:Ignore">5.</i>a</p>', '5. a'],
    ['<b>wo</b>rd <b>a:</b>b c<b>(d</b>', '**wo**rd **a**:b c(**d**'],
    ['<b>a</b><b>b</b> <b><a href="https://a.b">c</a></b>d', '**ab** [c](https://a.b)d'],
    ['<b class="katex"><math><annotation encoding="x-tex">E_1</annotation></math>E</b>', '$E_1$'],
    [
      '<math display="block"><mfrac><mi>a</mi><msqrt><mi>ln</mi><mn>2</mn></msqrt></mfrac></math>',
      '$\\displaystyle \\frac{a}{\\sqrt{\\text{ln} 2}}$',
    ],
  ])('%s is %s', (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });
});

describe('raised and lowered text', () => {
  it.each([
    ['2<sup>10</sup>, H<sub>2</sub>O, x<sup>−n</sup> and Java<sup>®</sup>', '2¹⁰, H₂O, x⁻ⁿ and Java®'],
    ['x<span style="font-size:0.6em;vertical-align:super">2</span>', 'x²'],
    ['a<span style="vertical-align:sub">i</span>', 'aᵢ'],
    ['2<sup>n/2</sup>.', '2$^{n/2}$.'],
    ['x<sub>a b</sub>', String.raw`x$_{a\ b}$`],
    ['2<sup>2<sup>n</sup></sup>', '2$^{2ⁿ}$'],
    ['2<sup>n/2</sup>3', '2^(n/2)3'],
    ['a<sup>{x}</sup>', 'a^({x})'],
    ['<code>a<sup>2</sup> b<sub>x/y</sub></code>', '`a² b_(x/y)`'],
    ['So<sup><a href="https://example.com">[1]</a></sup>', String.raw`So[\[1\]](https://example.com)`],
  ])('%s is pasted as %s', (html, expected) => {
    expect(markdown(`<p>${html}</p>`)).toBe(expected);
  });

  it('that is pasted as a formula is shown as one', () => {
    expect(renderMarkdown(markdown('<p>2<sup>n/2</sup></p>')!)).toContain('<msup>');
  });
});

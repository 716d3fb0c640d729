import { afterAll, describe, expect, test } from 'vitest';
import type { JudgeTest, Verdict } from '#src/judge/protocol.ts';
import { expectLinesOfEndlessPrograms, PatientJudge } from './controls.ts';

const judge = new PatientJudge({ children: { web: 1 } });
afterAll(() => judge.stop());

type Page = { language: 'html' | 'css' | 'react'; code: string; fixture?: string };

function run(page: Page, tests: JudgeTest[] = [], expectedOutput?: string): Promise<Verdict> {
  return judge.judge({ ...page, tests, ...(expectedOutput === undefined ? {} : { expectedOutput }) });
}

/** What each input is seen to give, and which of the tests pass. */
async function passes(page: Page, cases: [input: string, expected: string][]): Promise<unknown[]> {
  const { tests } = await run(
    page,
    cases.map(([input, expectedOutput]) => ({ input, expectedOutput })),
  );
  return tests.map(({ passed, got, error }, i) =>
    passed ? [cases[i]![0], 'pass'] : [cases[i]![0], got, error],
  );
}

/** Every input with its expectation passes. */
async function expectAll(page: Page, cases: [input: string, expected: string][]): Promise<void> {
  expect(await passes(page, cases)).toEqual(cases.map(([input]) => [input, 'pass']));
}

describe('css: the cascade', () => {
  const MARKUP = `
    <header id="top" class="bar dark"><h1 class="title">Site</h1><nav><a href="/" class="link">Home</a><a href="https://x.example" lang="en-GB">Out</a></nav></header>
    <main><article class="card featured" data-kind="news"><h2>News</h2><p class="lead">One <em>two</em></p><p>Three</p><p></p></article>
    <ul class="list"><li>a</li><li class="on">b</li><li>c</li><li>d</li></ul>
    <form><input type="checkbox" checked><input type="text" disabled placeholder="x"><input type="email" required><button class="btn btn-primary">Go</button></form>
    <table><tr><td>1</td></tr></table></main>
    <footer style="color: blue; padding: 3px"><small>end</small></footer>`;

  test.each<[what: string, css: string, input: string, expected: string]>([
    ['a later rule of the same weight', 'h1 { color: red } h1 { color: blue }', 'h1 | color', 'blue'],
    [
      'a class over an element, whatever the order',
      '.title { color: red } h1 { color: blue }',
      'h1 | color',
      'red',
    ],
    ['an id over classes', '#top { color: red } .bar.dark { color: blue }', '#top | color', 'red'],
    [
      'an attribute selector as heavy as a class',
      '[class] { color: red } h1 { color: blue }',
      'h1 | color',
      'red',
    ],
    [
      'a pseudo-class as heavy as a class',
      'li:first-child { color: red } li { color: blue }',
      'li | color',
      'red',
    ],
    ['two classes over one', '.card.featured { top: 1px } .card { top: 2px }', '.card | top', '1px'],
    [
      'eleven elements below one class',
      'main article p em { color: red } .lead em { color: blue }',
      'em | color',
      'blue',
    ],
    ['!important over an id', 'h1 { color: red !important } #top h1 { color: blue }', 'h1 | color', 'red'],
    ['!important over a style attribute', 'footer { color: red !important }', 'footer | color', 'red'],
    ['a style attribute over an id', '#x, footer { color: red }', 'footer | color', 'blue'],
    [
      'the heavier of two !important',
      '.title { color: red !important } h1 { color: blue !important }',
      'h1 | color',
      'red',
    ],
    ['inheritance of color', 'header { color: red }', 'h1 | color', 'red'],
    ['inheritance over several levels', 'main { color: red }', 'em | color', 'red'],
    ['no inheritance of borders', 'header { border: 1px solid red }', 'h1 | border', 'none'],
    ['no inheritance of margins', 'main { margin: 9px }', 'article | margin', '0'],
    [
      'an own rule over what is inherited',
      'header { color: red !important } h1 { color: blue }',
      'h1 | color',
      'blue',
    ],
    [
      'inherit',
      'main { border: 2px solid red } article { border: inherit }',
      'article | border',
      '2px solid red',
    ],
    ['initial', 'header { color: red } h1 { color: initial }', 'h1 | color', 'black'],
    ['unset of what inherits', 'header { color: red } h1 { color: blue; color: unset }', 'h1 | color', 'red'],
    ['unset of what does not', 'h1 { margin-top: 5px; margin-top: unset }', 'h1 | margin-top', '0'],
    ["revert to the browser's own", 'h1 { display: inline; display: revert }', 'h1 | display', 'block'],
    ['all', 'h1 { color: red; all: unset }', 'h1 | display', 'inline'],
    ['an initial value', '', 'article | position', 'static'],
    ['display of a div by the browser', '', 'article | display', 'block'],
    ['display of an inline element', '', 'em | display', 'inline'],
    ['display of a list item', '', 'li | display', 'list-item'],
    ['display of a cell', '', 'td | display', 'table-cell'],
    ['bold headings by the browser', '', 'h2 | font-weight', 'bold'],
    ['em relative to the parent', 'main { font-size: 20px } p { font-size: 1.5em }', 'p | font-size', '30px'],
    [
      'em of padding relative to its own size',
      'p { font-size: 20px; padding: 2em }',
      'p | padding-left',
      '40px',
    ],
    ['rem', 'html { font-size: 10px } p { margin: 2rem }', 'p | margin', '20px'],
    ['percent of a font size', 'main { font-size: 20px } p { font-size: 50% }', 'p | font-size', '10px'],
    [
      ':is with the weight of its heaviest',
      ':is(#top, main) h1 { color: red } .title { color: blue }',
      'h1 | color',
      'red',
    ],
    [':where without weight', ':where(#top) h1 { color: red } h1 { color: blue }', 'h1 | color', 'blue'],
    [':not', 'li:not(.on) { color: red }', '.on | color', 'black'],
    [':not with a list', 'li:not(.on, :first-child) { color: red }', 'li:last-child | color', 'red'],
    [':has', 'article:has(> em) { top: 1px } article:has(em) { top: 2px }', 'article | top', '2px'],
    [':nth-child', 'li:nth-child(2n) { color: red }', 'li:nth-child(4) | color', 'red'],
    [':nth-child of a selector', 'li:nth-child(1 of .on) { color: red }', '.on | color', 'red'],
    [':nth-last-child', 'li:nth-last-child(2) { color: red }', 'li:nth-child(3) | color', 'red'],
    [':first-of-type', 'article p:first-of-type { color: red }', '.lead | color', 'red'],
    [':only-child', 'small:only-child { color: red }', 'small | color', 'red'],
    [':empty', 'p:empty { display: none }', 'article p:last-child | display', 'none'],
    [':checked', 'input:checked { width: 7px }', 'input | width', '7px'],
    [':disabled', 'input:disabled { opacity: .5 }', '[placeholder] | opacity', '0.5'],
    [':required', ':required { border: 1px solid red }', '[type=email] | border', '1px solid red'],
    [':lang', ':lang(en) { color: red }', 'nav a:last-child | color', 'red'],
    [':root', ':root { --x: 4px } p { margin: var(--x) }', 'p | margin', '4px'],
    ['a child', 'main > p { color: red }', '.lead | color', 'black'],
    ['the next sibling', 'h2 + p { color: red }', '.lead | color', 'red'],
    ['later siblings', '.lead ~ p { color: red }', 'article p:nth-of-type(2) | color', 'red'],
    ['a start of an attribute', 'a[href^="https"] { color: red }', 'nav a:last-child | color', 'red'],
    ['an attribute without regard to case', '[data-kind="NEWS" i] { color: red }', 'article | color', 'red'],
    ['a group in which one selector is unknown', 'h1, p:nosuch { color: red }', 'h1 | color', 'black'],
    ['an unknown selector inside :is', ':is(h1, p:nosuch) { color: red }', 'h1 | color', 'red'],
    ['an invalid value is dropped', 'h1 { color: red; color: nosuch }', 'h1 | color', 'red'],
    ['custom properties inherit', 'header { --c: red } h1 { color: var(--c) }', 'h1 | color', 'red'],
    [
      "a custom property of an element's own",
      ':root { --c: red } header { --c: blue } h1 { color: var(--c) }',
      'h1 | color',
      'blue',
    ],
    ['var with a fallback', 'h1 { color: var(--none, red) }', 'h1 | color', 'red'],
    ['var in var', ':root { --a: var(--b); --b: red } h1 { color: var(--a) }', 'h1 | color', 'red'],
    [
      'a circle of custom properties',
      'h1 { --a: var(--b); --b: var(--a); color: var(--a, red) }',
      'h1 | color',
      'red',
    ],
    ['var inside a shorthand', ':root { --s: 2px } p { padding: var(--s) 4px }', 'p | padding-top', '2px'],
    ['calc', ':root { --s: 2px } p { width: calc(var(--s) * 3 + 4px) }', 'p | width', '10px'],
    ['min, max and clamp', 'p { width: clamp(1px, max(3px, 5px), 9px) }', 'p | width', '5px'],
    ['a shorthand of four sides', 'p { margin: 1px 2px 3px 4px }', 'p | margin-left', '4px'],
    ['a shorthand of two sides', 'p { padding: 1px 2px }', 'p | padding-bottom', '1px'],
    ['a longhand after its shorthand', 'p { margin: 5px; margin-top: 1px }', 'p | margin', '1px 5px 5px'],
    [
      'a shorthand resets what it leaves out',
      'p { border-top-style: dotted; border: 1px solid red }',
      'p | border-top-style',
      'solid',
    ],
    ['flex in longhands', '.list { flex: 1 }', '.list | flex-grow', '1'],
    [
      'font in longhands',
      'p { font: italic bold 12px/2 Georgia, serif }',
      'p | font-family',
      'Georgia, serif',
    ],
    [
      'background in longhands',
      'p { background: #fff url(a.png) no-repeat }',
      'p | background-repeat',
      'no-repeat',
    ],
    ['inset', 'p { position: absolute; inset: 1px 2px }', 'p | left', '2px'],
    ['logical margins', 'p { margin-inline: 3px }', 'p | margin-right', '3px'],
    [
      'grid areas',
      '.list { display: grid; grid-template-areas: "a b" }',
      '.list | grid-template-areas',
      "'a b'",
    ],
    ['a float becomes a block', 'em { float: left }', 'em | display', 'block'],
    [
      'a layer below what is outside of layers',
      'h1 { color: red } @layer x { h1 { color: blue } }',
      'h1 | color',
      'red',
    ],
    [
      'layers in their declared order',
      '@layer a, b; @layer b { h1 { color: red } } @layer a { #top h1 { color: blue } }',
      'h1 | color',
      'red',
    ],
    [
      '!important turns layers around',
      '@layer a, b; @layer b { h1 { color: red !important } } @layer a { h1 { color: blue !important } }',
      'h1 | color',
      'blue',
    ],
    ['nesting with &', '.card { &.featured { color: red } }', '.card | color', 'red'],
    ['nesting without &', '.card { p { color: red } }', '.lead | color', 'red'],
    ['@supports that holds', '@supports (display: grid) { h1 { color: red } }', 'h1 | color', 'red'],
    ['@supports that does not', '@supports (display: nosuch) { h1 { color: red } }', 'h1 | color', 'black'],
    [
      '@media that holds on a desktop',
      '@media (min-width: 1000px) { h1 { color: red } }',
      'h1 | color',
      'red',
    ],
    ['@media that does not', '@media (max-width: 600px) { h1 { color: red } }', 'h1 | color', 'black'],
    [
      '@media on the screen of the test',
      '@media (max-width: 600px) { h1 { color: red } }',
      '@media (max-width: 600px) h1 | color',
      'red',
    ],
    [
      '@media at its very bound',
      '@media (max-width: 599px) { h1 { color: red } }',
      '@media (max-width: 600px) h1 | color',
      'black',
    ],
    [
      '@media by range',
      '@media (400px <= width <= 700px) { h1 { color: red } }',
      '@media (max-width: 500px) h1 | color',
      'red',
    ],
    [
      '@media of two bounds',
      '@media (min-width: 600px) { h1 { color: red } }',
      '@media (min-width: 600px) and (max-width: 900px) h1 | color',
      'red',
    ],
    ['@media for print', '@media print { nav { display: none } }', '@media print nav | display', 'none'],
    [
      '@media for dark screens',
      '@media (prefers-color-scheme: dark) { body { color: white } }',
      '@media (prefers-color-scheme: dark) h1 | color',
      'white',
    ],
    [
      '@media for less motion',
      '@media (prefers-reduced-motion: reduce) { p { transition: none } } p { top: 1px }',
      '@media (prefers-reduced-motion: reduce) p | top',
      '1px',
    ],
    [
      '@media for upright screens',
      '@media (orientation: portrait) { h1 { color: red } }',
      '@media (orientation: portrait) h1 | color',
      'red',
    ],
    [
      'viewport units on the screen of the test',
      'h1 { width: 50vw }',
      '@media (max-width: 600px) h1 | width',
      '300px',
    ],
    ['colors in any notation', 'h1 { color: hsl(240 100% 50%) }', 'h1 | color', '#00F'],
    ['a comment between declarations', 'h1 { color: red; /* color: blue; */ }', 'h1 | color', 'red'],
  ])('%s', async (_, code, input, expected) => {
    await expectAll({ language: 'css', code, fixture: MARKUP }, [[input, expected]]);
  });

  test.each<[what: string, css: string, input: string, expected: string]>([
    ['hover', '.card:hover { color: red }', '.card:hover | color', 'red'],
    ['no hover', '.card { color: red } .card:hover { color: blue }', '.card | color', 'red'],
    ['hover around it', '.card:hover > .lead { color: red }', '.card:hover > .lead | color', 'red'],
    ['hover inside of it', 'main:hover { color: red }', '.card:hover .lead | color', 'red'],
    ['hover on the second of a list', 'li.on:hover { color: red }', 'li:hover:nth-child(2) | color', 'red'],
    ['hover beside it', 'li:hover + li { color: red }', 'li:hover + li.on | color', 'red'],
    ['focus', '.link:focus { outline-width: 3px }', '.link:focus | outline-width', '3px'],
    ['focus-visible', '.btn:focus-visible { color: red }', '.btn:focus-visible | color', 'red'],
    ['focus inside', 'form:focus-within { color: red }', 'form:focus-within | color', 'red'],
    ['a pressed button', '.btn:active { color: red }', '.btn:active | color', 'red'],
    ['no focus without being asked', '.btn { color: red } .btn:focus { color: blue }', '.btn | color', 'red'],
    ['before', '.card::before { content: "→"; color: red }', '.card::before | content', '→'],
    ['before in the old spelling', '.card:before { color: red }', '.card::before | color', 'red'],
    ['after', '.card::after { content: ""; width: 5px }', '.card::after | width', '5px'],
    ['an empty content', '.card::after { content: "" }', '.card::after | content', ''],
    ['after of what is pointed at', '.card:hover::after { color: red }', '.card:hover::after | color', 'red'],
    ['a marker', 'li::marker { color: red }', 'li::marker | color', 'red'],
    ['a placeholder', 'input::placeholder { color: red }', '[placeholder]::placeholder | color', 'red'],
    ['a custom property that is not there', 'h1 { color: red }', 'h1 | --brand', ''],
    ['an empty text', 'p { color: red }', 'p:empty | text', ''],
    [
      'a container as wide as its style says',
      'main { container-type: inline-size; width: 500px } @container (min-width: 400px) { h2 { color: red } }',
      'h2 | color',
      'red',
    ],
    [
      'a container that is not wide enough',
      'main { container-type: inline-size; width: 300px } h2 { color: blue } @container (min-width: 400px) { h2 { color: red } }',
      'h2 | color',
      'blue',
    ],
    [
      'half of a container',
      'main { width: 600px } .card { container-type: inline-size; width: 50% } @container (width <= 300px) { h2 { color: red } }',
      'h2 | color',
      'red',
    ],
    [
      'a container as wide as the screen',
      'main { container-type: inline-size } @container (max-width: 600px) { h2 { color: red } }',
      '@media (max-width: 600px) h2 | color',
      'red',
    ],
    [
      'a container by its name',
      'main { container: page / inline-size; width: 500px } .card { container-type: inline-size; width: 100px } @container page (min-width: 400px) { h2 { color: red } }',
      'h2 | color',
      'red',
    ],
    [
      'what is no container',
      'main { width: 500px } h2 { color: blue } @container (min-width: 400px) { h2 { color: red } }',
      'h2 | color',
      'blue',
    ],
    [
      'a container of the size that the test names',
      '.card { container-type: inline-size } @container (min-width: 400px) { h2 { color: red } } @container (max-width: 399px) { h2 { color: blue } }',
      '@container (max-width: 399px) h2 | color',
      'blue',
    ],
    [
      'a container with and',
      'main { container-type: inline-size; width: 500px } @container (min-width: 400px) and (max-width: 600px) { h2 { color: red } }',
      'h2 | color',
      'red',
    ],
  ])('%s', async (_, code, input, expected) => {
    // Before and after it, the page is as it was.
    const fixture = MARKUP;
    const still: [string, string] = ['footer | color', 'blue'];
    await expectAll({ language: 'css', code, fixture }, [still, [input, expected], still]);
  });

  test('a wrong value does not pass', async () => {
    const verdict = await run({ language: 'css', code: 'h1 { color: red }', fixture: MARKUP }, [
      { input: 'h1 | color', expectedOutput: 'blue' },
    ]);
    expect(verdict).toMatchObject({ kind: 'wrong_answer', tests: [{ got: 'rgb(255, 0, 0)' }] });
  });

  test('styles cannot end their own element', async () => {
    const code = 'h1 { color: red } </style><h1 class="evil">x</h1><style> h1 { top: 0 }';
    const verdict = await run({ language: 'css', code, fixture: '<p>x</p>' }, [
      { input: '.evil | count', expectedOutput: '1' },
    ]);
    expect(verdict.kind).toBe('syntax_error');
  });

  test('styles of the page itself come before those of the learner', async () => {
    await expectAll(
      { language: 'css', code: 'h1 { color: red }', fixture: '<style>h1 { color: blue }</style><h1>x</h1>' },
      [['h1 | color', 'red']],
    );
  });
});

describe('css: what is not CSS', () => {
  test.each<[code: string, line: number, message: RegExp]>([
    ['h1 {\n  color: red\n  top: 0;\n}', 2, /semicolon/],
    ['h1 {\n  color red;\n}', 2, /colon/i],
    ['h1 {\n  color: red;\n', 1, /no }/],
    ['h1 { color: red; }\n}', 2, /without its {/],
    ['p::before { content: "x; }', 1, /quotes/],
    ['// note\nh1 { top: 0 }', 1, /\/\/ comments/],
  ])('%j is a syntax error in its line', async (code, line, message) => {
    const verdict = await run({ language: 'css', code, fixture: '<h1>x</h1>' }, [
      { input: 'h1 | color', expectedOutput: 'red' },
    ]);
    expect(verdict.kind).toBe('syntax_error');
    expect(verdict.error).toMatchObject({ line, message: expect.stringMatching(message) });
    expect(verdict.error!.explanation).toBeTruthy();
  });

  test('what has no effect is explained beside the wrong answer', async () => {
    const verdict = await run({ language: 'css', code: 'h1 {\n  colour: red;\n}', fixture: '<h1>x</h1>' }, [
      { input: 'h1 | color', expectedOutput: 'red' },
    ]);
    expect(verdict.kind).toBe('wrong_answer');
    expect(verdict.hint).toMatchObject({ line: 2, explanation: 'Did you mean color?' });
  });
});

describe('html', () => {
  const PAGE = `<!doctype html>
<html lang="en">
<head><title>The title</title><style>h1 { color: red; font-size: 2rem } .box { display: flex }</style></head>
<body onload="document.body.textContent = 'ran'">
  <h1 id="main" class="big  red">
    Hello,   <b>Ada</b>
  </h1>
  <p>One<br>two</p><p>Three &amp; four</p>
  <ul>
    <li>a</li>
    <li>b <ul><li>c</li></ul></li>
  </ul>
  <pre>x
  y</pre>
  <table><tr><th>Name</th><td>Ada</td></tr></table>
  <img src="a.png" alt="A cat"><a href="/about?x=1">About</a>
  <form><label for="n">Name</label><input id="n" name="n" value="v" required><input type="checkbox" checked><select><option>1<option selected>2</select><textarea>t
u</textarea></form>
  <div class="box" style="margin: 0 auto; --gap: 3px"></div>
  <svg viewBox="0 0 10 10"><circle r="4"/></svg>
  <script>document.querySelector('h1').textContent = 'hacked';</script>
  <noscript>no script</noscript>
</body></html>`;

  test('reads', async () => {
    await expectAll({ language: 'html', code: PAGE }, [
      ['h1', 'Hello, Ada'],
      ['h1 | text', 'Hello, Ada'],
      ['p', 'One\ntwo'],
      ['p:nth-of-type(2)', 'Three & four'],
      ['ul', 'a\nb\nc'],
      ['pre', 'x\n  y'],
      ['tr', 'Name Ada'],
      ['title', 'The title'],
      ['li | count', '3'],
      ['body > ul > li | count', '2'],
      ['h6 | count', '0'],
      ['h1, h2, p | count', '3'],
      ['img | @alt', 'A cat'],
      ['a | @href', '/about?x=1'],
      ['h1 | @class', 'big  red'],
      ['html | @lang', 'en'],
      ['#n | @required', 'true'],
      ['#n | @disabled', 'false'],
      ['#n | @value', 'v'],
      ['[type=checkbox] | @checked', 'true'],
      ['select | @value', '2'],
      ['label | @for', 'n'],
      ['h1 | html', 'Hello, <b>Ada</b>'],
      ['body > ul > li:first-child | html', 'a'],
      ['h1 | color', 'red'],
      ['h1 | font-size', '32px'],
      ['b | color', '#f00'],
      ['.box | display', 'flex'],
      ['.box | margin', '0px auto'],
      ['.box | --gap', '3px'],
      ['svg > circle | @r', '4'],
      ['svg | @viewBox', '0 0 10 10'],
      ['a[href*="about"] | count', '1'],
      ['li:has(ul) | count', '1'],
      ['script | count', '1'],
    ]);
  });

  test('several matches: the first in the document', async () => {
    await expectAll({ language: 'html', code: '<p class="b">1</p><p class="a">2</p>' }, [
      ['p', '1'],
      ['p | @class', 'b'],
      ['.a, .b', '1'],
    ]);
  });

  test.each<[input: string, name: string, message: RegExp]>([
    ['h6', 'NoMatch', /No element matches h6/],
    ['h1 | @title', 'NoAttribute', /no attribute title/],
    ['h1 | nosuch', 'NoProperty', /no value for nosuch/],
  ])('%s finds nothing, which is a wrong answer and says why', async (input, name, message) => {
    const verdict = await run({ language: 'html', code: '<h1>x</h1>' }, [{ input, expectedOutput: 'x' }]);
    expect(verdict.kind).toBe('wrong_answer');
    expect(verdict.error).toMatchObject({ name, message: expect.stringMatching(message) });
  });

  test('broken markup is read as browsers read it, and explained', async () => {
    const page: Page = { language: 'html', code: '<div>\n<h1>Hi<h1>\n</div>' };
    const verdict = await run(page, [{ input: 'h1 | count', expectedOutput: '1' }]);
    expect(verdict).toMatchObject({
      kind: 'wrong_answer',
      tests: [{ got: '2' }],
      hint: { line: 2, explanation: 'The closing tag has a slash: </h1>.' },
    });
  });

  test('a plain run gives the text of the page', async () => {
    const verdict = await run({ language: 'html', code: '<h1>Hi</h1>\n<p>there</p>' }, [], 'Hi\nthere');
    expect(verdict.kind).toBe('pass');
  });

  test('of a pseudo-element only a property can be read', async () => {
    const verdict = await run({ language: 'css', code: '', fixture: '<p>a</p>' }, [
      { input: 'p::before | text', expectedOutput: '' },
    ]);
    expect(verdict.error).toMatchObject({
      name: 'TestError',
      message: expect.stringContaining('only a property'),
    });
  });

  test('what a visitor does in one test is undone for the next', async () => {
    const code = 'p:hover { color: red } input:focus { color: red }';
    await expectAll({ language: 'css', code, fixture: '<p>a</p><input>' }, [
      ['p | color', 'black'],
      ['p:hover | color', 'red'],
      ['p | color', 'black'],
      ['input:focus | color', 'red'],
      ['p | color', 'black'],
      ['p:hover | count', '1'],
    ]);
  });

  test('a selector that is none is the fault of the test', async () => {
    const verdict = await run({ language: 'html', code: '<p>x</p>' }, [{ input: 'p[', expectedOutput: 'x' }]);
    expect(verdict.error).toMatchObject({ name: 'TestError' });
  });

  test('one test does not change what the next one sees', async () => {
    const code = '<style>@media (max-width: 500px) { p { color: red } }</style><p>x</p>';
    await expectAll({ language: 'html', code }, [
      ['p | color', 'black'],
      ['@media (max-width: 500px) p | color', 'red'],
      ['p | color', 'black'],
    ]);
  });
});

describe('react', () => {
  const COUNTER = `import { useState } from 'react';

export default function Counter({ start = 0, step = 1 }) {
  const [count, setCount] = useState(start);
  return (
    <section>
      <p className="count">Count: {count}</p>
      <button onClick={() => setCount(count + step)}>Add</button>
      <button onClick={() => setCount(0)} disabled={count === 0}>Reset</button>
    </section>
  );
}`;

  test('renders, clicks and reads', async () => {
    await expectAll({ language: 'react', code: COUNTER }, [
      ['<Counter />; p', 'Count: 0'],
      ['<Counter start={5} /> | p | text', 'Count: 5'],
      ['<Counter />; click button; p | text', 'Count: 1'],
      ['<Counter step={3} />; click "Add"; click button "Add"; .count', 'Count: 6'],
      ['<Counter start={2} />; click "Reset"; p', 'Count: 0'],
      ['<Counter />; button:nth-of-type(2) | @disabled', 'true'],
      ['<Counter />; click button; button:nth-of-type(2) | @disabled', 'false'],
      ['<Counter />; button | count', '2'],
      ['<Counter /> | text', 'Count: 0\nAddReset'],
      ['<Counter />; p | @class', 'count'],
      ['<div><Counter /><Counter start={1} /></div>; p | count', '2'],
    ]);
  });

  test('fields', async () => {
    const code = `import { useState } from 'react';
export default function Form() {
  const [name, setName] = useState('');
  const [agreed, setAgreed] = useState(false);
  const [size, setSize] = useState('s');
  const [sent, setSent] = useState(null);
  return (
    <form onSubmit={(event) => { event.preventDefault(); setSent(name + '/' + agreed + '/' + size); }}>
      <input value={name} onChange={(event) => setName(event.target.value.toUpperCase())} onKeyDown={(event) => event.key === 'Escape' && setName('')} />
      <input type="checkbox" checked={agreed} onChange={(event) => setAgreed(event.target.checked)} />
      <select value={size} onChange={(event) => setSize(event.target.value)}><option value="s">Small</option><option value="l">Large</option></select>
      <button>Send</button>
      <output>{sent ?? 'not sent'}</output>
    </form>
  );
}`;
    await expectAll({ language: 'react', code }, [
      ['<Form />; type input "ada"; input | @value', 'ADA'],
      ['<Form />; type input "ada"; press input Enter; output', 'ADA/false/s'],
      ['<Form />; type input "x"; press input Escape; input | @value', ''],
      ['<Form />; click [type=checkbox]; select select "Large"; click "Send"; output', '/true/l'],
      ['<Form />; type input "ab"; clear input; type input "c"; submit form; output', 'C/false/s'],
      ['<Form />; output', 'not sent'],
    ]);
  });

  test('the page around a program is empty', async () => {
    const code = 'export default () => <ul title={document.title + innerWidth}><li>x</li></ul>;';
    await expectAll({ language: 'react', code }, [
      ['<App />; ul | display', 'block'],
      ['<App />; ul | @title', '1024'],
      ['<App />; style | count', '0'],
    ]);
  });

  test('a closing tag of another element is a syntax error at its line', async () => {
    const code = 'export default function App() {\n  return <p>x\n  </div>;\n}';
    const verdict = await run({ language: 'react', code }, [{ input: '<App />', expectedOutput: 'x' }]);
    expect(verdict).toMatchObject({ kind: 'syntax_error', error: { line: 3 } });
    expect(verdict.error?.message).toBe('Expected corresponding JSX closing tag for <p>');
    expect(verdict.error?.explanation).toContain('write </p> before the other closing tag');
  });

  test('two default exports are a syntax error', async () => {
    const code = 'export default () => <p>x</p>;\nexport default () => <p>y</p>;';
    const verdict = await run({ language: 'react', code }, [{ input: '<App />', expectedOutput: 'y' }]);
    expect(verdict).toMatchObject({ kind: 'syntax_error', error: { line: 2 } });
    expect(verdict.error?.explanation).toContain('one default export');
  });

  test('time is virtual', async () => {
    const code = `import { useEffect, useState } from 'react';
export function Clock() {
  const [seconds, setSeconds] = useState(0);
  const [data, setData] = useState('loading');
  useEffect(() => { const id = setInterval(() => setSeconds((n) => n + 1), 1000); return () => clearInterval(id); }, []);
  useEffect(() => { (async () => { await new Promise((done) => setTimeout(done, 1500)); setData('ready'); })(); }, []);
  return <p>{seconds} {data}</p>;
}`;
    await expectAll({ language: 'react', code }, [
      ['<Clock />', '0 loading'],
      ['<Clock />; wait 1s', '1 loading'],
      ['<Clock />; wait 1500ms', '1 ready'],
      ['<Clock />; wait 60s', '60 ready'],
    ]);
  });

  test.each<[what: string, code: string, input: string, expected: string]>([
    [
      'the default export',
      'export default ({ name }) => <p>Hi {name}</p>',
      '<Greeting name="Ada" />',
      'Hi Ada',
    ],
    ['App', 'function App() { return <p>app</p> }\nfunction Other() { return null }', '', 'app'],
    [
      'the last function with a capital letter',
      'const A = () => <p>a</p>;\nconst B = () => <p>b</p>;\nconst LIMIT = 3;',
      '',
      'b',
    ],
    [
      'a class',
      "import React from 'react';\nclass App extends React.Component { render() { return <p>{this.props.x}</p>; } }",
      '<App x={1} />',
      '1',
    ],
    [
      'memo',
      "import { memo } from 'react';\nexport default memo(function Memo() { return <p>m</p>; });",
      '<Memo />',
      'm',
    ],
    [
      'what the program renders itself',
      "import { createRoot } from 'react-dom/client';\nconst hello = <h1>Hello</h1>;\ncreateRoot(document.getElementById('root')).render(hello);",
      '',
      'Hello',
    ],
    [
      'context',
      "import { createContext, useContext } from 'react';\nconst C = createContext('x');\nfunction In() { return useContext(C); }\nexport default function App() { return <C.Provider value=\"y\"><In /></C.Provider>; }",
      '<App />',
      'y',
    ],
    [
      'a reducer',
      "import { useReducer } from 'react';\nexport default function App() { const [n, add] = useReducer((a, b) => a + b, 1); return <button onClick={() => add(2)}>{n}</button>; }",
      '<App />; click button',
      '3',
    ],
    [
      'a portal',
      "import { createPortal } from 'react-dom';\nexport default function App() { return createPortal(<h6>out</h6>, document.body); }",
      '<App />; h6',
      'out',
    ],
    [
      'an error boundary',
      'class Guard extends React.Component { state = {}; static getDerivedStateFromError(e) { return { e }; } render() { return this.state.e ? <p>{this.state.e.message}</p> : this.props.children; } }\nfunction Bad() { throw new Error("bad"); }\nexport default function App() { return <Guard><Bad /></Guard>; }',
      '<App />',
      'bad',
    ],
    [
      'styles',
      'export default function App() { return <p style={{ color: "red", marginTop: 4 }}>x</p>; }',
      '<App />; p | color',
      '#f00',
    ],
    [
      'storage',
      'export default function App() { localStorage.setItem("a", "1"); return <p>{localStorage.getItem("a")}</p>; }',
      '<App />',
      '1',
    ],
    [
      'the element when an attribute of the whole is read',
      'export default function App() { return <p id="x">y</p>; }',
      '<App /> | @id',
      'x',
    ],
  ])('%s', async (_, code, input, expected) => {
    if (input) return expectAll({ language: 'react', code }, [[input, expected]]);
    expect((await run({ language: 'react', code }, [], expected)).kind).toBe('pass');
  });

  test('nothing of one test is left for the next', async () => {
    const code = `let count = 0;
export default function App() { count += 1; window.seen = (window.seen ?? 0) + 1; Array.prototype.extra = 1; return <p>{count} {window.seen}</p>; }`;
    await expectAll(
      { language: 'react', code },
      Array.from({ length: 6 }, () => ['<App />', '1 1'] as [string, string]),
    );
  });

  test('a stack holds the frames of the program alone', async () => {
    const code = `export default function App() {
  const stack = [1].map(() => new Error("x").stack)[0];
  return <pre>{stack}</pre>;
}`;
    const verdict = await run({ language: 'react', code }, [{ input: '<App />', expectedOutput: '' }]);
    expect(verdict.tests[0]!.got).toMatch(/^Error: x\n {4}at App\.jsx:2:\d+\n {4}at App \(App\.jsx:2:\d+\)$/);
  });

  test('what it prints, warnings of React among it', async () => {
    const code = `export default function List({ items }) {
  console.log('items', items);
  return <ul>{items.map((item) => <li>{item}</li>)}</ul>;
}`;
    const verdict = await run({ language: 'react', code }, [
      { input: '<List items={["a", "b"]} />; li | count', expectedOutput: '3' },
    ]);
    expect(verdict.output).toMatch(
      /^items \[ 'a', 'b' \]\nEach child in a list should have a unique "key" prop/,
    );
    expect(verdict.hint!.explanation).toMatch(/key of its own/);
  });

  test.each<[what: string, code: string, line: number | null, message: RegExp, explanation: RegExp]>([
    [
      'a property of null',
      'export default function App() {\n  const user = null;\n\n  return <p>{user.name}</p>;\n}',
      4,
      /null \(reading 'name'\)/,
      /null/,
    ],
    [
      'an error in a handler',
      'export default function App() {\n  const go = () => {\n    nosuch();\n  };\n  return <button onClick={go}>x</button>;\n}',
      3,
      /nosuch is not defined/,
      /never declared/,
    ],
    [
      'an error in an effect',
      'import { useEffect } from "react";\nexport default function App() {\n  useEffect(() => {\n    throw new Error("late");\n  }, []);\n  return <button>x</button>;\n}',
      4,
      /late/,
      /^$/,
    ],
    [
      'a rejected promise',
      'export default function App() {\n  const go = async () => {\n    await null;\n    throw new Error("later");\n  };\n  return <button onClick={go}>x</button>;\n}',
      4,
      /later/,
      /^$/,
    ],
    [
      'state set while rendering',
      'import { useState } from "react";\nexport default function App() {\n  const [n, setN] = useState(0);\n  setN(n + 1);\n  return <button>{n}</button>;\n}',
      3,
      /Too many re-renders/,
      /event handler/,
    ],
    [
      'a hook outside',
      'import { useState } from "react";\nconst [n] = useState(0);\nexport default function App() { return <button>{n}</button>; }',
      2,
      /Invalid hook call/,
      /inside a component/,
    ],
    [
      'an object as a child',
      'export default function App() {\n  return <button>{{ a: 1 }}</button>;\n}',
      1,
      /Objects are not valid/,
      /cannot be shown/,
    ],
    [
      'a missing component',
      'export default function App() {\n  return <button><Nosuch /></button>;\n}',
      2,
      /Nosuch is not defined/,
      /no component/,
    ],
    [
      'another import',
      'import _ from "lodash";\nexport default function App() { return <button />; }',
      1,
      /Cannot import "lodash"/,
      /Only "react"/,
    ],
    [
      'nothing to click',
      'export default function App() {\n  return <p>x</p>;\n}',
      null,
      /no button to click/,
      /^$/,
    ],
    ['no component', 'const x = 1;', null, /no component/, /capital letter/],
  ])('%s is an error at its line', async (_, code, line, message, explanation) => {
    const verdict = await run({ language: 'react', code }, [
      { input: '<App />; click button', expectedOutput: 'x' },
    ]);
    expect(verdict.kind).toBe('runtime_error');
    expect(verdict.error).toMatchObject({ line, message: expect.stringMatching(message) });
    expect(verdict.error!.explanation ?? '').toMatch(explanation);
  });

  test.each<[what: string, code: string, line: number, explanation: RegExp]>([
    ['two elements', 'export default function App() {\n  return <p>a</p><p>b</p>;\n}', 2, /one element/],
    ['an element that is not closed', 'export default function App() {\n  return <p>a;\n}', 2, /closed/],
    ['a brace too few', 'export default function App() {\n  return <p>a</p>;\n', 3, /too early/],
    [
      'a declaration too much',
      'const a = 1;\nconst a = 2;\nexport default function App() { return <p />; }',
      2,
      /./,
    ],
    [
      'an if inside JSX',
      'export default function App() {\n  return <p>{if (1) "a"}</p>;\n}',
      2,
      /expression/,
    ],
  ])('%s is a syntax error at its line', async (_, code, line, explanation) => {
    const verdict = await run({ language: 'react', code }, [{ input: '<App />', expectedOutput: 'x' }]);
    expect(verdict.kind).toBe('syntax_error');
    expect(verdict.error).toMatchObject({ line });
    expect(verdict.error!.explanation).toMatch(explanation);
  });

  test('a loop without end is told with its line', async () => {
    const endless: [what: string, code: string, input: string][] = [
      [
        'while rendering',
        'export default function App() {\n  let n = 0;\n  for (;;) {\n    n += 1;\n  }\n}',
        '<App />',
      ],
      [
        'in a handler',
        'export default function App() {\n  const go = () => {\n    while (true) {}\n  };\n  return <button onClick={go}>x</button>;\n}',
        '<App />; click button',
      ],
    ];
    const programs = endless.map(([what, code, input]) => {
      const tests = [{ input, expectedOutput: 'x' }];
      return { what, line: 3, submission: { language: 'react' as const, code, tests } };
    });
    await expectLinesOfEndlessPrograms(judge, programs, { testMs: 800 });
  });

  test('events that bubble reach the window, which programs may dispatch to themselves', async () => {
    const code = `import { useEffect, useState } from 'react';
export default function App() {
  const [seen, setSeen] = useState('nothing');
  useEffect(() => {
    const listen = (event) => setSeen(event.key ?? event.type);
    window.addEventListener('keydown', listen);
    window.addEventListener('resize', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return <div><input /><p>{seen}</p><button onClick={() => dispatchEvent(new Event('resize'))}>Go</button></div>;
}`;
    const { tests } = await run({ language: 'react', code }, [
      { input: '<App />; p', expectedOutput: 'nothing' },
      { input: '<App />; type input "a"; p', expectedOutput: 'a' },
      { input: '<App />; click button; p', expectedOutput: 'resize' },
    ]);
    expect(tests.map(({ got }) => got)).toEqual(['nothing', 'a', 'resize']);
  });
});

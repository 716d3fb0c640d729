import { expect, test } from 'vitest';
import { explainHtml } from './html.ts';

test.each<[what: string, source: string, message: RegExp, explanation: RegExp]>([
  ['an element that is not closed', '<div><p>Hi</p>', /<div> is never closed/, /Add <\/div>/],
  ['another heading at the end', '<h1>Hi</h2>', /<\/h2> closes nothing/, /Did you mean <\/h1>\?/],
  ['a closing tag too much', '<p>x</p></div>', /<\/div> closes nothing/, /check its spelling/],
  ['a misspelled closing tag', '<section>x</secton>', /<section> is never closed|closes nothing/, /section/],
  ['a missing quote', '<p class="a>Hi</p>\n<p class="b">x</p>', /"class" is not closed/, /quote is missing/],
  ['a value of two words without quotes', '<p class=big red>x</p>', /not in quotes|no attribute "red"/, /./],
  ['a tag that is not closed', '<p Hello</p>', /not closed with >/, /> at its end/],
  ['a closing tag that is not closed', '<p>x</p', /not closed with >/, /<\/p>/],
  [
    'an attribute of one other element',
    '<table><tr><td scope="row">x</td></tr></table>',
    /<td> has no attribute "scope"/,
    /^scope belongs to <th>\. Write <th> in place of <td>, or leave scope out\.$/,
  ],
  [
    'an attribute of two other elements',
    '<p span="2">x</p>',
    /<p> has no attribute "span"/,
    /^span belongs to <col> and <colgroup>\. Browsers ignore it here\.$/,
  ],
  [
    'an attribute of many other elements',
    '<p disabled>x</p>',
    /<p> has no attribute "disabled"/,
    /^disabled belongs to <button>, <fieldset>, <input> and others\. Browsers ignore it here\.$/,
  ],
  ['an attribute of no element', '<p foo="2">x</p>', /no attribute "foo"/, /Check the spelling/],
  ['a closing tag of an empty element', '<img src="a" alt="b"></img>', /no closing tag/, /stands alone/],
  ['typographic quotes', '<p class=“a”>x</p>', /typographic/, /straight/],
  ['= inside of a style', '<p style="color=red">x</p>', /written with =/, /colons/],
  ['/> at an element with content', '<div/>x', /\/>/, /both tags/],
  ['a picture without alt', '<img src="a.png">', /no alt/, /cannot see/],
  ['styles that are not closed', '<style>p { top: 0 }<p>x</p>', /<style> is never closed/, /<\/style>/],
])('%s', (_, source, message, explanation) => {
  const found = explainHtml(source);
  expect(found[0]).toMatchObject({
    name: 'Hint',
    line: 1,
    message: expect.stringMatching(message),
    explanation: expect.stringMatching(explanation),
  });
});

test('the line is that of the mistake', () => {
  expect(explainHtml('<div>\n  <p>a</p>\n  <spam>b</spam>\n</div>')[0]).toMatchObject({ line: 3, column: 3 });
});

test.each([
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>T</title><link rel="stylesheet" href="a.css"></head><body><h1 class="t">Hi</h1><ul><li>a</li><li><a href="#x">b</a></li></ul><img src="a" alt="b"><form action="/x"><label for="n">N</label><input id="n" name="n" required><button type="submit">Go</button></form><table><thead><tr><th scope="col">x</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table></body></html>',
  '<p onclick="x()" data-a="1" aria-label="x" tabindex="0">1 &lt; 2 &amp; 3</p>',
  '<a href=page.html>x</a><br><br/><my-element any="thing"></my-element>',
  '<svg viewBox="0 0 1 1"><path d="M0 0"/><linearGradient id="g"/></svg>',
  '<!-- a <b> in a comment --><pre>  x </pre><script>if (a < b) { "</p>" }</script>',
  '<select><option value="1" selected>One</option></select><video controls><source src="a.mp4" type="video/mp4"></video>',
  '',
])('%s is correct', (source) => {
  expect(explainHtml(source)).toEqual([]);
});

test('long and deep texts do no harm', () => {
  expect(explainHtml('<dvi>'.repeat(10_000))).toEqual([]);
  expect(explainHtml('<b>'.repeat(6_000)).length).toBeGreaterThan(0);
  expect(explainHtml(`<a ${'"'.repeat(9_000)}`)).toBeInstanceOf(Array);
});

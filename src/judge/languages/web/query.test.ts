import { describe, expect, test } from 'vitest';
import { comparedProperty, InvalidInput, parseQuery, parseReactInput } from './query.ts';

const TEXT = { what: 'text' };

describe('a query of html and css', () => {
  test.each<[input: string, expected: object]>([
    ['h1', { selector: 'h1', read: TEXT, media: null }],
    ['h1 | text', { selector: 'h1', read: TEXT }],
    ['li | count', { read: { what: 'count' } }],
    ['img | @alt', { selector: 'img', read: { what: 'attribute', name: 'alt' } }],
    ['svg | @viewBox', { read: { what: 'attribute', name: 'viewBox' } }],
    ['ul | html', { read: { what: 'html' } }],
    [
      '.a > .b | Background-Color',
      { selector: '.a > .b', read: { what: 'style', name: 'background-color' } },
    ],
    [':root | --Brand', { read: { what: 'style', name: '--Brand' } }],
    ['[lang|="en"] | text', { selector: '[lang|="en"]' }],
    ['[title="a | b"] | text', { selector: '[title="a | b"]', read: TEXT }],
    ['@media (max-width: 600px) .card | display', { media: '(max-width: 600px)', selector: '.card' }],
    [
      '@media screen and (min-width: 1px) and (max-width: 2px) nav a',
      { media: 'screen and (min-width: 1px) and (max-width: 2px)', selector: 'nav a' },
    ],
    ['.a::before | content', { selector: '.a', read: { what: 'style', name: 'content', of: '::before' } }],
    ['p > ::marker | color', { selector: 'p > *', read: { what: 'style', name: 'color', of: '::marker' } }],
    ['a:hover::AFTER | top', { selector: 'a:hover', read: { what: 'style', name: 'top', of: '::after' } }],
    ['p:first-line | color', { selector: 'p', read: { what: 'style', name: 'color', of: '::first-line' } }],
    [
      '@container (min-width: 1px) .a | color',
      { container: '(min-width: 1px)', media: null, selector: '.a', read: { what: 'style', name: 'color' } },
    ],
    [
      '@media print @container (width > 1px) .a | color',
      { container: '(width > 1px)', media: 'print', selector: '.a' },
    ],
    ['@media print, (max-width: 9px) h1', { media: 'print, (max-width: 9px)', selector: 'h1' }],
    ['@media not (hover: hover) a:hover | color', { media: 'not (hover: hover)', selector: 'a:hover' }],
  ])('%s', (input, expected) => {
    expect(parseQuery(input)).toMatchObject(expected);
  });

  test.each([
    '',
    ' | text',
    'h1 | a b',
    '@media (max-width: 600px',
    '@media .card',
    '@media (max-width: 1px)',
  ])('%j is refused', (input) => {
    expect(() => parseQuery(input)).toThrow(InvalidInput);
  });
});

describe('an input of react', () => {
  test.each<[input: string, expected: object]>([
    ['', { element: null, steps: [], query: { selector: null, read: TEXT } }],
    ['<App />', { element: '<App />', steps: [] }],
    ['<Greeting name="A; > b" />', { element: '<Greeting name="A; > b" />' }],
    [
      '<List items={["a", "b"]} on={() => 1 > 0} /> | li | count',
      {
        element: '<List items={["a", "b"]} on={() => 1 > 0} />',
        query: { selector: 'li', read: { what: 'count' } },
      },
    ],
    ['<Box><b>x</b></Box>; b', { element: '<Box><b>x</b></Box>', query: { selector: 'b', read: TEXT } }],
    [
      '<><A /><B /></> | html',
      { element: '<><A /><B /></>', query: { selector: null, read: { what: 'html' } } },
    ],
    ['<App /> | text', { query: { selector: null, read: TEXT } }],
    ['<App /> | color', { query: { selector: null, read: { what: 'style', name: 'color' } } }],
    ['<App /> | @id', { query: { selector: null, read: { what: 'attribute', name: 'id' } } }],
    ['<App />; click button', { steps: [{ act: 'click', selector: 'button', text: null }] }],
    [
      '<App />; click button "Add; more"; p | text',
      { steps: [{ act: 'click', selector: 'button', text: 'Add; more' }], query: { selector: 'p' } },
    ],
    [
      '<App />; click button | text',
      { steps: [{ act: 'click', selector: 'button' }], query: { selector: null, read: TEXT } },
    ],
    ['<App />; click [name="a"]', { steps: [{ act: 'click', selector: '[name="a"]', text: null }] }],
    [
      '<App />; type input "it\'s \\"x\\""',
      { steps: [{ act: 'type', selector: 'input', text: 'it\'s "x"' }] },
    ],
    [
      "<App />; type input[name='a'] 'b'",
      { steps: [{ act: 'type', selector: "input[name='a']", text: 'b' }] },
    ],
    ['<App />; press input Enter', { steps: [{ act: 'press', selector: 'input', text: 'Enter' }] }],
    ['<App />; select #size "Large"', { steps: [{ act: 'select', selector: '#size', text: 'Large' }] }],
    [
      '<App />; wait 2s; wait 30ms; wait 5',
      {
        steps: [
          { act: 'wait', ms: 2000 },
          { act: 'wait', ms: 30 },
          { act: 'wait', ms: 5 },
        ],
      },
    ],
    ['click button; p', { element: null, steps: [{ act: 'click' }], query: { selector: 'p' } }],
  ])('%s', (input, expected) => {
    expect(parseReactInput(input)).toMatchObject(expected);
  });

  test.each([
    '<App',
    '<App name="x />',
    '<App a={1 />',
    '<App /> p',
    '<App />; jump button; p',
    '<App />; type input',
    '<App />; wait long',
    '<App />; click',
  ])('%j is refused', (input) => {
    expect(() => parseReactInput(input)).toThrow(InvalidInput);
  });
});

test.each([
  ['css', 'h1 | color', 'color'],
  ['html', '@media print h1 | --x', '--x'],
  ['react', '<App />; click p; p | margin-top', 'margin-top'],
  ['react', '<App /> | p', null],
  ['html', 'h1 | count', null],
  ['html', 'h1 |', null],
  ['javascript', 'a | b', null],
])('%s input %s compares the property %s', (language, input, property) => {
  expect(comparedProperty(language, input)).toBe(property);
});

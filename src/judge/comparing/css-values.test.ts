import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeCss } from './css-values.ts';

describe('two spellings of one value become one', () => {
  test.each([
    ['color', 'red', '#f00'],
    ['content', '"→"', '→'],
    ['content', "'a b'", '"a b"'],
    ['content', '""', ''],
    ['color', 'RGB(255, 0, 0)', 'rgb(255 0 0)'],
    ['color', 'rgb(100% 0% 0%)', 'red'],
    ['color', 'hsl(0 100% 50%)', '#FF0000'],
    ['color', 'hsl(120deg, 100%, 50%)', 'lime'],
    ['color', 'hwb(0 0% 0%)', 'red'],
    ['color', 'rgba(255,0,0,.5)', '#ff000080'],
    ['color', 'transparent', 'rgba(0, 0, 0, 0)'],
    ['color', 'rebeccapurple', '#663399'],
    ['color', 'color(srgb 1 0 0)', 'red'],
    ['color', 'oklch(0.7 0.1 200)', 'oklch(70% 0.1 200)'],
    ['color', 'currentColor', 'currentcolor'],
    ['--brand', '#FF0000', 'red'],
    ['margin', '0px auto', '0 auto'],
    ['margin', '10px 10px 10px 10px', '10px'],
    ['margin', '1px 2px 1px 2px', '1px 2px'],
    ['padding', '1px 2px 3px 2px', '1px 2px 3px'],
    ['border-radius', '8px 8px', '8px'],
    ['gap', '10px 10px', '10px'],
    ['width', '0.50%', '.5%'],
    ['font-size', '12pt', '16px'],
    ['width', '1in', '96px'],
    ['width', 'calc( 100%  -  20px )', 'calc(100% - 20px)'],
    ['rotate', '0.5turn', '180deg'],
    ['transition-duration', '300ms', '.3s'],
    ['border', 'solid red 1px', '1px solid #f00'],
    ['border', 'none', '0px none rgb(0, 0, 0)'],
    ['border-bottom', '0', 'none'],
    ['outline', 'thin dotted blue', 'blue dotted 1px'],
    ['flex', '1', '1 1 0%'],
    ['flex', 'auto', '1 1 auto'],
    ['flex', 'none', '0 0 auto'],
    ['flex', '2 30px', '2 1 30px'],
    ['flex-flow', 'row wrap', 'wrap'],
    ['font-family', '"Open Sans", Arial', 'open sans,Arial'],
    ['font-weight', 'bold', '700'],
    ['font-weight', 'normal', '400'],
    ['font', 'bold 12px/1.5 "Arial"', '700 12px / 1.5 Arial'],
    ['transition', 'all .3s', '0.3s ease 0s'],
    ['transition', 'color 200ms ease, width 1s', 'color 0.2s, 1s width'],
    ['animation', 'spin 2s linear infinite', '2s linear infinite spin'],
    ['box-shadow', '0 2px 4px rgba(0,0,0,.3)', 'rgba(0, 0, 0, 0.3) 0px 2px 4px 0px'],
    ['text-shadow', '1px 1px red', 'red 1px 1px 0'],
    ['grid-template-columns', 'repeat(3, 1fr)', '1fr 1fr 1fr'],
    ['grid-template-areas', '"a b" "c d"', "'a b'  'c d'"],
    ['background', 'white', 'rgb(255, 255, 255)'],
    ['background', 'none', 'rgba(0, 0, 0, 0)'],
    [
      'background',
      'linear-gradient(red, blue)',
      'linear-gradient(rgb(255, 0, 0), rgb(0, 0, 255)) rgba(0, 0, 0, 0)',
    ],
    [
      'background',
      'url(x.png) no-repeat center',
      'url("https://lesson.invalid/x.png") 50% 50% no-repeat rgba(0, 0, 0, 0)',
    ],
    [
      'background',
      '#fff url(x.png) center / cover no-repeat',
      'url("https://lesson.invalid/x.png") 50% 50% / cover no-repeat rgb(255, 255, 255)',
    ],
    ['background-position', 'center', '50% 50%'],
    ['object-position', 'top left', '0 0'],
    ['background-image', 'url(a.png)', 'url("https://lesson.invalid/a.png")'],
    [
      'background-image',
      'linear-gradient(to right, red, blue 50%)',
      'linear-gradient(to right,#f00,rgb(0,0,255) 50%)',
    ],
    ['transition', 'none', 'color'],
    ['transition', 'none 1s', 'color 0s'],
    ['grid-column', 'auto / span 2', 'span 2'],
    ['grid-column', 'span 2 / span 2', 'span 2 / auto'],
    ['grid-row', 'auto / auto', 'auto'],
    ['aspect-ratio', '16/9', '16 / 9'],
    ['opacity', '50%', '.5'],
    ['transform', 'translate( 10px,5px )', 'translate(10px, 5px)'],
    ['text-decoration', 'underline solid rgb(0, 0, 0)', 'underline'],
    ['content', "'x'", '"x"'],
    ['display', 'FLEX', 'flex'],
    ['z-index', '+1', '1'],
    ['color', ' red ; ', 'red'],
  ])('%s: %s = %s', (property, a, b) => {
    expect(normalizeCss(property, a)).toBe(normalizeCss(property, b));
  });
});

describe('different values stay different', () => {
  test.each([
    ['color', 'red', '#f01'],
    ['margin', '1px 2px', '2px 1px'],
    ['width', '50%', '50px'],
    ['width', '1em', '1rem'],
    ['flex', '1', '2'],
    ['font-family', 'red', '#f00'],
    ['font-family', 'Georgia, serif', '"Georgia, serif"'],
    ['font-family', 'serif', '"serif"'],
    ['font', '12px Georgia, serif', '12px "Georgia, serif"'],
    ['animation-name', 'Spin', 'spin'],
    ['grid-template-areas', '"a b"', '"b a"'],
    ['content', '"red"', '"#f00"'],
    ['transition', 'color 1s', 'color 2s'],
    ['transition', 'none', 'color 1s'],
    ['grid-column', '2', 'span 2'],
    ['grid-column', '1 / span 2', 'span 2'],
    ['grid-column', 'auto / 2', '2'],
    ['background-image', 'url(a.png)', 'url(b.png)'],
    ['background', 'url(a.png) no-repeat', 'url(a.png)'],
    ['background', 'url(a.png) center', 'url(a.png) top'],
    ['background', 'url(a.png) center / cover', 'url(a.png) center / contain'],
    ['background', 'linear-gradient(red, blue)', 'linear-gradient(red, blue) red'],
    ['border', '1px solid red', '1px dashed red'],
    ['box-shadow', 'inset 0 0 1px red', '0 0 1px red'],
  ])('%s: %s ≠ %s', (property, a, b) => {
    expect(normalizeCss(property, a)).not.toBe(normalizeCss(property, b));
  });
});

test('what is no value comes back as it is, with single spaces', () => {
  expect(normalizeCss('color', '')).toBe('');
  expect(normalizeCss('width', 'a {{ b   c')).toBe('a {{ b c');
});

const PROPERTIES = [
  'color',
  'margin',
  'border',
  'flex',
  'font-family',
  'transition',
  'background',
  '--x',
  'grid-area',
];

test('any text is taken', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PROPERTIES), fc.string(), (property, value) => {
      expect(normalizeCss(property, value)).toBeTypeOf('string');
    }),
  );
});

test('a normal form is its own normal form', () => {
  const pieces = [
    'red',
    '#abc',
    '1px',
    '0',
    '50%',
    'solid',
    'auto',
    '1',
    ',',
    '/',
    '"a"',
    'rgb(1 2 3)',
    'calc(1px + 2px)',
    'url(a)',
  ];
  const values = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.constantFrom(...PROPERTIES), values, (property, value) => {
      const once = normalizeCss(property, value);
      expect(normalizeCss(property, once)).toBe(once);
    }),
  );
});

test('a value nested without end is given back', () => {
  const deep = `calc(${'('.repeat(4_900)}1px${')'.repeat(4_900)})`;
  expect(normalizeCss('width', deep)).toBeTypeOf('string');
});

test('a value that was written to keep its reader busy is given back', () => {
  const nested = (start: string, depth: number) => `${start.repeat(depth)}1px${')'.repeat(depth)}`;
  expect(normalizeCss('grid-template-columns', nested('repeat(1,', 60)).length).toBeLessThan(2_000);
  expect(normalizeCss('grid-template-columns', nested('repeat(50, ', 8)).length).toBeLessThan(20_000);
  expect(normalizeCss('font-family', `"a${' ;'.repeat(500_000)}b"`)).toHaveLength(1_000_004);
  expect(normalizeCss('font-family', `a${' '.repeat(500_000)}b`)).toBe('a b');
});

import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { guardLoops, LOOP_GUARD, preparePreview } from './preview.ts';

/** Runs guarded code with a guard that allows so many turns of loops in all. */
function runGuarded(code: string, turns = 100): unknown {
  let left = turns;
  return runInNewContext(guardLoops(code, false)!, {
    [LOOP_GUARD]: () => {
      left -= 1;
      if (left < 0) throw new Error('stopped');
    },
  });
}

describe('guarded loops', () => {
  it.each([
    'while (true) {}',
    'while (true);',
    'for (;;) x = 1;',
    'do { } while (true)',
    'do y = 1; while (true)',
    'for (;;) for (;;) { z = 1 }',
    'outer: for (;;) { while (true) continue outer; }',
    '(function* () { while (true) yield 1; })().forEach(() => {})',
  ])('end where they never would: %s', (code) => {
    expect(() => runGuarded(code)).toThrow('stopped');
  });

  it('do what they did before', () => {
    expect(
      runGuarded('let n = 0; for (const i of [1, 2, 3]) n += i; for (const k in {a: 1}) n += 10; n'),
    ).toBe(16);
    expect(runGuarded('let i = 0; do i++; while (i < 5); i')).toBe(5);
  });

  it('keep every line where it was', () => {
    const code = 'let a = 0;\nwhile (a < 3)\n  a += 1;\nthrow new Error("line 4");';
    expect(guardLoops(code, false)!.split('\n')).toHaveLength(4);
  });

  it('are not put into code that cannot be read', () => {
    expect(guardLoops('while (', false)).toBeNull();
  });
});

describe('what the preview shows', () => {
  const base = { fixture: '', element: null };

  it('is a css lesson’s markup with the styles, which cannot leave their element', async () => {
    const preview = await preparePreview({
      ...base,
      language: 'css',
      code: 'p { color: red } </style><script>alert(1)</script>',
      fixture: '<p>Text</p>',
    });
    const html = (preview as { html: string }).html;
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(html.indexOf('<p>Text</p>')).toBeGreaterThan(html.indexOf('</style>'));
    expect(html).toMatch(/^<!doctype html>/);
  });

  it('is a page whose own loops are guarded', async () => {
    const preview = await preparePreview({
      ...base,
      language: 'html',
      code: '<p>a</p><script>while (true) {}</script><script>let b = 1;</script>',
    });
    expect((preview as { html: string }).html).toContain(`while (true) {${LOOP_GUARD}();}`);
    expect((preview as { html: string }).html).toContain('<script>let b = 1;</script>');
  });

  it.each([
    ['export default function Main() { return <p>main</p>; }', '<Main />'],
    [
      'const Card = () => <p/>;\nfunction App() { return <Card />; }\nfunction Last() { return null; }',
      '<App />',
    ],
    ['function One() { return null; }\nconst Two = () => <b>2</b>;\nconst three = 3;', '<Two />'],
    ['function One() { return null; }\nexport default One;\nfunction Other() { return null; }', '<One />'],
  ])('is the component that the judge would take: %s', async (code, element) => {
    const preview = await preparePreview({ ...base, language: 'react', code });
    const name = /<(\w+) \/>/.exec(element)![1];
    expect(preview).toMatchObject({
      kind: 'react',
      script: expect.stringMatching(`exports\\.element = .*call\\(void 0, ${name}, \\{\\}`),
    });
  });

  it('is the element of the first test where there is one', async () => {
    const preview = await preparePreview({
      ...base,
      language: 'react',
      code: 'export default function Greeting({ name }) { return <p>{name}</p>; }',
      element: '<Greeting name="Ada" />',
    });
    expect((preview as { script: string }).script).toContain('name: "Ada"');
  });

  it('says where code cannot be read, and that there is nothing to show', async () => {
    expect(
      await preparePreview({ ...base, language: 'react', code: 'function App() {\n  return <p>;\n}' }),
    ).toMatchObject({
      kind: 'unreadable',
      message: expect.stringMatching(/^Line \d: /),
    });
    expect(await preparePreview({ ...base, language: 'react', code: 'const a = 1;' })).toMatchObject({
      kind: 'unreadable',
    });
  });
});

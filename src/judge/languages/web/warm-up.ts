/** Run before the snapshot, so that the code of common checks is compiled in every sandbox. */

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <title>T</title>
  <style>
    :root { --c: #123456 }
    h1, .a > b { color: var(--c); margin: 1px 2px }
    p:not(.x):first-of-type { font: bold 1.2em/1.5 serif; width: calc(100% - 2rem) }
    @media (max-width: 600px) { p { display: none } }
    ul { display: flex; gap: 4px; border: 1px solid red; background: white }
  </style>
</head>
<body>
  <h1 class="t" id="i">A</h1><div class="a"><b>x</b></div><p style="color: hsl(120 50% 50%)">One <em>two</em></p>
  <ul><li>1</li><li><a href="#">2</a></li></ul>
  <form><label>N <input name="n" required></label><select><option>a</option></select><textarea></textarea></form>
  <table><tr><td>1</td></tr></table><img src="a.png" alt="a">
</body>
</html>`;

const STYLES = '.a { color: red } li + li { padding: 0 1em; display: block } @layer b { p { top: 1px } }';

const PROPERTIES = [
  'color',
  'margin',
  'font-size',
  'display',
  'background-color',
  'border',
  'width',
  'gap',
  '--c',
];

const PAGES = `{
  const look = (selector, read, media) => __sandbox.lookAtPage(JSON.stringify({ selector, read, media }));
  for (const media of [null, '(max-width: 600px)']) {
    __sandbox.beginPage(${JSON.stringify(PAGE)}, ${JSON.stringify(STYLES)});
    for (const name of ${JSON.stringify(PROPERTIES)}) {
      for (const selector of ['p', 'h1', 'ul', '.a b']) look(selector, { what: 'style', name }, media);
    }
    look('ul > li:nth-child(2)', { what: 'text' }, media);
    look('input[required]', { what: 'attribute', name: 'name' }, media);
    look('li', { what: 'count' }, media);
    look('form', { what: 'html' }, media);
    __sandbox.pageText();
  }
  // The page and its screen would come out of the snapshot, and its styles apply to what programs render.
  __sandbox.beginPage('<!doctype html><html><head></head><body></body></html>', null);
  look('body', { what: 'text' }, null);
}`;

const PROGRAM = `
__sandbox.begin((require, exports, module, h) => {
  const { useState, useEffect, useRef, useMemo } = require('react');
  const { jsx, jsxs } = require('react/jsx-runtime');
  function Item({ text }) { return jsx('li', { children: text }); }
  function App() {
    const [count, setCount] = useState(0);
    const [text, setText] = useState('');
    const [items, setItems] = useState(['a', 'b']);
    const field = useRef(null);
    const size = useMemo(() => items.length, [items]);
    useEffect(() => { const id = setTimeout(() => setCount((c) => c + 1), 10); return () => clearTimeout(id); }, []);
    return jsxs('div', { className: 'app', style: { color: 'red' }, children: [
      jsx('p', { children: count }), jsx('h2', { children: size }),
      jsxs('form', { onSubmit: (e) => { e.preventDefault(); setItems([...items, text]); }, children: [
        jsx('input', { ref: field, value: text, onChange: (e) => setText(e.target.value) }),
        jsx('button', { type: 'submit', children: 'Add' })] }),
      jsx('button', { id: 'up', onClick: () => setCount(count + 1), children: 'Up' }),
      jsx('ul', { children: items.map((item, i) => jsx(Item, { text: item }, i)) }),
      count > 100 ? jsx('b', { children: 'many' }) : null] });
  }
  return { exported: App, app: undefined, capitalised: [], named: undefined, element: null };
}, JSON.stringify({
  name: null,
  steps: [
    { act: 'click', selector: '#up', text: null }, { act: 'type', selector: 'input', text: 'c' },
    { act: 'click', selector: 'form button', text: 'Add' }, { act: 'wait', ms: 20 },
  ],
  query: { selector: 'li', read: { what: 'text' }, media: null }, outputLimit: 1000, epochMs: 0, file: "", lines: 0,
}));
`;

const AFTER_PROGRAM = `
if (!__sandbox.collectResult().startsWith('4:over4:none')) throw new Error(__sandbox.collectResult());
__sandbox.end();
`;

/** V8 adds it out of a snapshot, and aborts where React has made it before. */
const CLEAN = 'delete Error.stackTraceLimit; delete __sandbox.begin; delete __sandbox.end;';

export const WARM_UPS: readonly string[] = [PAGES, PROGRAM, AFTER_PROGRAM, CLEAN];

import { describe, expect, test } from 'vitest';
import { explainReact, explainReactWarning } from './react.ts';

test.each<
  [what: string, name: string, message: string, line: number | null, code: string, explanation: RegExp]
>([
  [
    'two elements beside each other',
    'SyntaxError',
    'Unterminated regular expression',
    2,
    'function App() {\n  return <p>a</p><p>b</p>;\n}',
    /one element/,
  ],
  [
    'a comment of HTML',
    'SyntaxError',
    'Unexpected token, expected ";"',
    1,
    'const a = <p><!-- x --></p>;',
    /\{\/\*/,
  ],
  [
    'an attribute without quotes',
    'SyntaxError',
    'Unexpected token, expected ";"',
    1,
    'const a = <p id=x>x</p>;',
    /in quotes or in braces/,
  ],
  ['an element that is not closed', 'SyntaxError', 'Unterminated JSX contents.', 1, '', /<br \/>/],
  [
    'a closing tag of another name',
    'SyntaxError',
    'Expected corresponding closing tag for JSX <p>.',
    1,
    '',
    /closed/,
  ],
  ['an import of styles', 'Error', 'Cannot import "./App.css": a program', 1, '', /style property/],
  ['an import of a package', 'Error', 'Cannot import "axios": a program', 1, '', /"axios"/],
  ['state set while rendering', 'Error', 'Too many re-renders. React limits', 1, '', /event handler/],
  [
    'an effect without dependencies',
    'Error',
    'Maximum update depth exceeded. This can happen',
    1,
    '',
    /\[\] for once/,
  ],
  [
    'an object as a child',
    'Error',
    'Objects are not valid as a React child (found: object with keys {id, name}).',
    1,
    '',
    /\(id, name\)/,
  ],
  [
    'an async component',
    'Error',
    'Objects are not valid as a React child (found: [object Promise]).',
    1,
    '',
    /must not be async/,
  ],
  [
    'hooks in another order',
    'Error',
    'Rendered more hooks than during the previous render.',
    1,
    '',
    /same order/,
  ],
  [
    'a hook outside of a component',
    'Error',
    'Invalid hook call. Hooks can only',
    1,
    '',
    /inside a component/,
  ],
  [
    'a component that is undefined',
    'Error',
    'Element type is invalid: expected a string but got: undefined.',
    1,
    '',
    /\(undefined\)/,
  ],
  [
    'a style as a text',
    'Error',
    'The `style` prop expects a mapping from style properties',
    1,
    '',
    /style=\{\{/,
  ],
  [
    'children of an empty element',
    'Error',
    'img is a void element tag and must neither have `children`',
    1,
    '',
    /no content/,
  ],
  [
    'a hook that is not imported',
    'ReferenceError',
    'useState is not defined',
    1,
    '',
    /import \{ useState \}/,
  ],
  [
    'a component that is not defined',
    'ReferenceError',
    'Header is not defined',
    1,
    '',
    /no component "Header"/,
  ],
  [
    'a handler that is a value',
    'Error',
    'Expected `onClick` listener to be a function, instead got a value of `string` type.',
    1,
    '',
    /onClick=\{handleClick\}/,
  ],
  ['a setter in braces', 'TypeError', 'setCount is not a function', 1, '', /square brackets/],
  ['map of what is no list', 'TypeError', 'items.map is not a function', 1, '', /useState\(\[\]\)/],
  [
    'map of nothing',
    'TypeError',
    "Cannot read properties of undefined (reading 'map')",
    1,
    '',
    /not there yet/,
  ],
  ['an if inside of JSX', 'SyntaxError', 'Unexpected token', 1, 'return <p>{if (a) b}</p>', /expression/],
  [
    'an object in single braces',
    'SyntaxError',
    'Unexpected token',
    1,
    'return <p style={ color: "red" }>x</p>',
    /two pairs of braces/,
  ],
  ['no component', 'NoComponent', 'There is no component: write', null, '', /capital letter/],
  [
    'a program that ends too early',
    'SyntaxError',
    'Unexpected token',
    3,
    'function App() {\n  return 1;\n',
    /too early/,
  ],
  ['what is a mistake in JavaScript', 'TypeError', 'Assignment to constant variable.', 1, 'x = 1', /let/],
])('%s', (_, name, message, line, code, explanation) => {
  expect(explainReact(name, message, line, code)).toMatch(explanation);
});

test("an error of the learner's own is not explained", () => {
  expect(explainReact('Error', 'boom', 1, 'throw new Error("boom")')).toBeNull();
});

describe('warnings', () => {
  test.each<[output: string, explanation: RegExp]>([
    ['Each child in a list should have a unique "key" prop.', /key of its own/],
    ['Invalid DOM property `class`. Did you mean `className`?', /className/],
    ['Invalid DOM property `for`. Did you mean `htmlFor`?', /htmlFor/],
    ['Invalid event handler property `onclick`. Did you mean `onClick`?', /onClick/],
    ['You provided a `value` prop to a form field without an `onChange` handler.', /onChange/],
    ['<greeting /> is using incorrect casing. Use PascalCase', /capital letter/],
    ['A component is changing an uncontrolled input to be controlled.', /useState\(""\)/],
    ['Functions are not valid as a React child.', /<Name \/>/],
  ])('%s', (output, explanation) => {
    expect(explainReactWarning(`before\n${output}\nafter`)).toMatch(explanation);
  });

  test('what a program prints is no warning', () => {
    expect(explainReactWarning('key of a class')).toBeNull();
  });
});

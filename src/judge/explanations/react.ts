import React from 'react';
import { explainJavaScript, TYPESCRIPT } from './javascript.ts';
import { fill, type Rule } from './rules.ts';
import { isTypeScript, misspeltImport, misspeltKeyword, misspeltName } from './script-words.ts';

const MODULES = ['react', 'react-dom', 'react-dom/client'];
export const EXPORTS: readonly string[] = Object.keys(React);

const HOOK = 'use(?:State|Effect|Ref|Memo|Callback|Context|Reducer|Id|LayoutEffect|Transition)';

const ONE_ELEMENT =
  'A component returns one element. If several stand beside each other, wrap them in a <div> or in <> and </>.';

const ARRAY = 'useState gives an array: const [value, setValue] = useState(0); with square brackets.';

const RULES: Rule[] = [
  [/Adjacent JSX elements must be wrapped/, ONE_ELEMENT],
  [
    /Unterminated regular expression|Unexpected token/,
    ONE_ELEMENT,
    /(?:return\s*\(?|=>\s*\(?)\s*<([\w.]+)[^<>]*>[^<>]*<\/\1>\s*<[\w.]+/,
    true,
  ],
  [/Unexpected token/, 'JSX has no <!-- comments -->. Write {/* … */} instead.', /<!--/, true],
  [
    /Unexpected token/,
    'The value of an attribute stands in quotes or in braces: id="a" or id={a}.',
    /<\w[^<>"'{}]{0,200}\s[\w-]+=[^\s"'{}<>=]/,
    true,
  ],
  [
    /^Duplicate export 'default'/,
    'A program has one default export. Leave out "export default" where another component is meant.',
  ],
  [
    /Expected corresponding (?:JSX )?closing tag for <([\w.]+)>/i,
    '<$1> is opened last, and what is opened last is closed first: write </$1> before the other closing tag. Elements without content end with />.',
  ],
  [
    /Expected corresponding (?:JSX )?closing tag|Unterminated JSX contents/i,
    'Every JSX element is closed: <p>…</p>, and elements without content end with />, such as <img /> and <br />.',
  ],
  [
    /Cannot import "(\..*\.css)"/,
    'There are no other files here. Use the style property: style={{ color: "red" }}.',
  ],
  [
    /does not provide an export named '(\w+)'/,
    'React has no "$1". Check its spelling: upper and lower case matter.',
  ],
  [
    /Cannot import "(.+?)"/,
    'Only "react" and "react-dom" can be imported here. Write what "$1" would give in this file.',
  ],
  [
    /Too many re-renders/,
    'The state is set while rendering, which renders again without end. Set it in an event handler, and pass a function to it: onClick={() => setCount(1)}, not onClick={setCount(1)}.',
  ],
  [
    /Maximum update depth exceeded/,
    'An effect sets state and runs again because of it. Give useEffect a list of what it depends on, [] for once only.',
  ],
  [
    /Objects are not valid as a React child \(found: object with keys \{([^}]*)\}/,
    'An object cannot be shown. Show one of its fields ($1): {user.name}, not {user}. A second pair of braces makes an object, too.',
  ],
  [
    /async Client Component|\[object Promise\]/,
    'A component must not be async. Load data in an effect and keep it in state.',
  ],
  [
    /Objects are not valid as a React child/,
    'Only text, numbers and elements can be shown. Turn the value into text, for example with String() or toLocaleString().',
  ],
  [
    /Rendered (?:more|fewer) hooks than/,
    'Hooks must run in the same order every time: call them at the top of the component, before any return, and never inside if, loops or functions.',
  ],
  [
    /Invalid hook call|Cannot read properties of null \(reading 'use\w+'\)/,
    'Hooks such as useState work only inside a component, at its top. They cannot be called outside of it, in an event handler or in a plain function.',
  ],
  [
    /Element type is invalid.*but got: (undefined|object|null)/,
    'A component that is used does not exist ($1). Check its spelling, and that it is imported by the right name and with or without braces.',
  ],
  [
    /Element type is invalid/,
    'What stands in the tag is no component. A component is a function whose name has a capital letter.',
  ],
  [
    /The `style` prop expects a mapping/,
    'style takes an object: style={{ color: "red", fontSize: "16px" }}.',
  ],
  [
    /is a void element tag and must neither have `children`/,
    'Elements such as <img />, <input /> and <br /> have no content. Close them with />.',
  ],
  [new RegExp(`^(${HOOK}) is not defined`), 'Import it in the first line: import { $1 } from "react";'],
  [/^(React|ReactDOM) is not defined/, 'Import it in the first line: import $1 from "react";'],
  [
    /^([A-Z]\w*) is not defined/,
    'There is no component "$1". Write a function of that name, and check its spelling: upper and lower case matter.',
  ],
  [/is not iterable/, ARRAY, new RegExp(HOOK)],
  [
    /^(set\w+) is not a function/,
    'Take the setter as the second item of useState, in square brackets: const [value, $1] = useState(0);',
  ],
  [
    /^\w+ is not a function|is not a function or its return value/,
    ARRAY,
    new RegExp(`\\{[^}]*\\}\\s*=\\s*(?:React\\.)?${HOOK}`),
  ],
  [
    /Expected `(on\w+)` listener to be a function, instead got a value of `(\w+)` type/,
    '$1 needs a function: $1={handleClick} or $1={() => handleClick(1)}. Without () it is not called while rendering.',
  ],
  [
    /\.map is not a function/,
    'map goes through an array, and this is none. Check the initial state: useState([]) for a list.',
  ],
  [
    /Cannot read properties of undefined \(reading 'map'\)/,
    'The list is not there yet. Begin with an empty one, useState([]), or check that the property is passed.',
  ],
  [
    /Cannot read properties of undefined \(reading '(\w+)'\)/,
    'What stands before ".$1" is undefined. Was the property passed to the component, and is its name spelled the same in both places?',
    /props|\(\s*\{/,
  ],
  [
    /There is no component|no component of that name/,
    'A component is a function whose name begins with a capital letter and that returns JSX: export default function App() { return <p>Hi</p>; }',
  ],
  [/There is no network here/, 'Programs here cannot load anything. Use the data of the lesson.'],
  [/./, 'An object in JSX needs two pairs of braces: style={{ color: "red" }}.', /=\s*\{\s*\w+\s*:/, true],
  [
    /Unexpected token/,
    'Inside {} in JSX stands an expression: use condition ? a : b or list.map(…), no if and no for.',
    /\{\s*(?:if|for|while)\b/,
    true,
  ],
];

const TOO_FEW = 'The program ends too early: a }, ) or closing tag is missing above.';

const WARNINGS: Rule[] = [
  [
    /unique "key" prop/,
    'Each element of a list needs a key of its own: items.map((item) => <li key={item.id}>…</li>).',
  ],
  [/Invalid DOM property `class`/, 'In JSX the attribute is className, as class is a word of JavaScript.'],
  [/Invalid DOM property `for`/, 'In JSX the attribute is htmlFor.'],
  [
    /Invalid event handler property `(\w+)`|Unknown event handler property `(\w+)`/,
    'Names of handlers are written with a capital in the middle: onClick, onChange, onSubmit.',
  ],
  [
    /You provided a `value` prop to a form field without an `onChange` handler/,
    'The field cannot be changed: add onChange={(event) => setValue(event.target.value)}.',
  ],
  [
    /is using incorrect casing|The tag <\w+> is unrecognized/,
    'Components begin with a capital letter, elements of HTML with a small one.',
  ],
  [/uncontrolled input to be controlled/, 'Begin the field with a text, not with undefined: useState("").'],
  [
    /Functions are not valid as a React child/,
    'A function stands where something to show is needed. Call it, or write it as an element: <Name />.',
  ],
];

/** Null where it is none of the common ones. */
export function explainReactWarning(output: string): string | null {
  return WARNINGS.find(([message]) => message.test(output))?.[1] ?? null;
}

function explainSpelling(name: string, message: string, line: number | null, code: string): string | null {
  const module = /Cannot import "(.+?)"/.exec(message);
  if (module) return misspeltImport(module[1]!, MODULES);
  const missing = /does not provide an export named '(\w+)'/.exec(message);
  if (missing) {
    const meant = misspeltImport(missing[1]!, EXPORTS);
    return meant && `React has no "${missing[1]}". ${meant}`;
  }
  const taken = name === 'TypeError' ? /^(\w+) is not a function/.exec(message)?.[1] : undefined;
  const owner = taken && new RegExp(`([A-Z]\\w*)(?: = )?\\(${taken}\\)`).exec(code)?.[1];
  if (owner) {
    return `A component gets all its properties as one object. Take "${taken}" out of it with braces: ${owner}({ ${taken} }).`;
  }
  const component = name === 'ReferenceError' ? /^([A-Z]\w*) is not defined$/.exec(message) : null;
  if (component && !/^React(?:DOM)?$/.test(component[1]!)) {
    const meant = misspeltName(component[1]!, code);
    return meant && `There is no component "${component[1]}". ${meant}`;
  }
  if (name !== 'SyntaxError' || line === null) return null;
  return isTypeScript(code) ? TYPESCRIPT : misspeltKeyword(code, line);
}

/** Null where it is none of the common ones. */
export function explainReact(
  name: string,
  message: string,
  line: number | null,
  code: string,
): string | null {
  const lines = code.split('\n');
  const sourceLine = line === null ? '' : (lines[line - 1] ?? '');
  const spelled = explainSpelling(name, message, line, code);
  if (spelled) return spelled;
  const around = line === null ? code : lines.slice(Math.max(0, line - 3), line + 1).join('\n');
  for (const [pattern, text, source, isSyntax] of RULES) {
    if ((isSyntax && name !== 'SyntaxError') || (source && !source.test(around))) continue;
    const match = pattern.exec(message);
    if (match) return fill(text, match);
  }
  if (
    name === 'SyntaxError' &&
    line !== null &&
    lines.slice(line).join('').trim() === '' &&
    !lines[line - 1]?.trim()
  ) {
    return TOO_FEW;
  }
  if (/import|export/.test(message) && name === 'SyntaxError') return null;
  // The text of an element may hold any word.
  if (name === 'SyntaxError' && sourceLine.includes('<')) return null;
  return explainJavaScript(name, message, { code, line });
}

import { fill, type Groups, NODE, PAGE, type Rule, rulesFor } from './rules.ts';
import { isTypeScript, misspeltKeyword, misspeltMethod, misspeltName } from './script-words.ts';

export const TYPESCRIPT =
  'Types such as ": number" belong to TypeScript. This lesson is JavaScript, which has none: leave them out.';

const RULES: Groups = [
  [
    'ReferenceError',
    [
      [/^(document|window|alert|fetch|localStorage|navigator) is not defined$/, PAGE],
      [/^(require|module|exports|process) is not defined$/, NODE],
      [
        /^(print|println|printf|log|echo|puts|Console) is not defined$/,
        'JavaScript has no $1. It prints with console.log.',
      ],
      [
        /^(True|False|None|string|integer) is not defined$/,
        '"$1" is not a name that JavaScript knows. Upper and lower case matter: it is true, false and null.',
      ],
      [
        /^(?:number|string|boolean|any|unknown) is not defined$/,
        TYPESCRIPT,
        /<\s*(?:number|string|boolean|any|unknown)\b/,
      ],
      [
        /^len is not defined$/,
        'There is no len in JavaScript. A list and a text know their length: list.length.',
      ],
      [
        /^(\S+) is not defined$/,
        'The name "$1" is used but was never declared. Check its spelling, and that it is declared with let, const or function where this line can see it. Text needs quotes around it.',
        null,
        true,
      ],
      [
        /^Cannot access '(.+)' before initialization$/,
        '"$1" is used above the line that declares it with let, const or class. Move the declaration up.',
      ],
      [
        /^Must call super constructor/,
        'A class that extends another has to call super(…) in its constructor before it uses "this".',
      ],
    ],
  ],
  [
    'TypeError',
    [
      [
        /^Assignment to constant variable\.?$/,
        'A const keeps its first value. Declare the variable with let if it has to change.',
      ],
      [
        /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) '(.+)'\)$/,
        'What stands before ".$2" (or "[$2]") is $1, so it has nothing inside. Check where that value comes from: a missing return, a wrong index or a misspelled name are usual causes.',
      ],
      [
        /^Cannot destructure property '(.+?)' of .* as it is (undefined|null)\.?$/,
        'There is no object to take "$1" from: the value is $2. Check what is passed in.',
      ],
      [
        /^(.+) is not iterable/,
        'for … of, spreading and destructuring go through a list, and $1 is none. To go through the keys of an object use Object.keys or Object.entries.',
      ],
      [
        /^(.+) is not a constructor$/,
        '"new" works with classes and constructor functions, and $1 is neither.',
      ],
      [
        /^Class constructor (.+) cannot be invoked without 'new'$/,
        'Make an object of a class with "new": new $1(…).',
      ],
      [
        /^Reduce of empty array with no initial value$/,
        'reduce needs a value to begin with when the array is empty: pass it as the second argument, such as 0.',
      ],
      [
        /^Converting circular structure to JSON/,
        'An object that contains itself cannot be turned into JSON.',
      ],
      [
        /^(.+)\.(length|size) is not a function/,
        '$2 is a value and no method: it has no parentheses after it.',
      ],
      [
        /^-?[\d.]+ is not a function/,
        'Parentheses after a number call it. To multiply, write a * between them.',
      ],
      [
        /^(.+) is not a function/,
        '$1 is called with parentheses but is no function. Check the spelling of the method, whether a variable of the same name hides it, and whether the value has the kind you think it has.',
        null,
        true,
      ],
    ],
  ],
  [
    'RangeError',
    [
      [
        /^Maximum call stack size exceeded$/,
        'A function calls itself without end. Recursion needs a case in which it stops, and every call has to come nearer to it.',
      ],
      [
        /^Invalid array length$/,
        'An array cannot have that length: it has to be a whole number that is not negative.',
      ],
      [
        /^Invalid string length$/,
        'A text became longer than the language allows. Look for a loop that keeps adding to it.',
      ],
    ],
  ],
  [
    'SyntaxError',
    [
      [
        /^Identifier '(.+)' has already been declared$/,
        '"$1" is declared twice in the same block. Leave out let or const where you only change it, or choose another name.',
      ],
      [
        /^Invalid shorthand property initializer$/,
        'Inside an object a colon stands between a name and its value: { a: 1 }.',
      ],
      [/./, 'One = gives a name its value. Two or three compare.', /^\s*(?:const|let|var)\s+\w+\s*===?/],
      [
        /^Missing initializer in const declaration$/,
        'A const needs its value at once, such as const a = 1. Use let if the value comes later.',
      ],
      [
        /^missing \) after argument list$/,
        'A call is not closed: a ")" is missing, or a comma between two arguments, or a quote that ends a text.',
      ],
      [
        /^Unexpected end of input$/,
        'The program ends too early: a "}", ")", "]" or a closing backtick is missing. Count the pairs, from the last function backwards.',
      ],
      [
        /^Invalid or unexpected token$/,
        'A text is not closed: the quote that ends it is missing on this line.',
        /^[^'"`]*(['"])(?:(?!\1).)*$/,
      ],
      [
        /^Invalid or unexpected token$/,
        'There are curly quotes on this line, as word processors write them. JavaScript takes straight ones only: " or \'.',
        /[\u2018\u2019\u201C\u201D]/,
      ],
      [
        /^Invalid or unexpected token$/,
        'There is a character here that the language does not know, or a text or comment that is not closed.',
      ],
      [
        /^Invalid left-hand side in assignment$/,
        'Only a variable or a property can stand to the left of "=". To compare two values use "===".',
      ],
      [
        /^Unexpected token '='$/,
        'To compare two values use "===". A single "=" assigns.',
        /\bif\b|\bwhile\b/,
      ],
      [
        /^Unexpected token '(\)|\}|\])'$/,
        'There is a "$1" too many, or something is missing right before it. Check that every bracket has its partner.',
      ],
      [
        /^Unexpected token 'else'$/,
        'This else belongs to no if. Check the braces before it: "if (…) { … } else { … }", without a semicolon after the condition.',
      ],
      [
        /^Unexpected token '\{'$/,
        'The condition before this "{" is not closed: a ")" is missing.',
        /\b(if|while|for|switch)\b/,
      ],
      [
        /^Unexpected identifier '(.+)'$/,
        'Something is missing right before "$1": an operator such as +, a comma, a quote, or a semicolon on the line above.',
      ],
      [/^Unexpected string$/, 'A text stands where none is expected: a "+" or a comma before it is missing.'],
      [
        /^Unexpected number$/,
        'A number stands where none is expected: an operator or a comma before it is missing. Names cannot begin with a digit.',
      ],
      [
        /^(?:await is only valid|Unexpected reserved word)/,
        '"await" works only inside a function that is declared with "async".',
      ],
      [
        /^Illegal return statement$/,
        '"return" stands outside of any function. Check whether a "}" above closes the function too early.',
      ],
      [
        /^Illegal (?:break|continue) statement/,
        '"break" and "continue" work only inside a loop (and break inside a switch).',
      ],
      [
        /^(?:Cannot use import statement outside a module|Unexpected token 'export')/,
        'The program is a single file without modules: leave "import" and "export" out and declare everything here.',
      ],
      [
        /(?:is not valid JSON|in JSON at position|JSON input)/,
        'JSON.parse was given a text that is not JSON. Names and texts need double quotes there, and no comma may follow the last item.',
      ],
      [
        /^Unexpected token '(.+)'$/,
        'The "$1" does not fit here. Look right before it, or at the end of the line above: something is missing or too much.',
      ],
    ],
  ],
];

const LINE_RULES: Rule[] = [
  [
    /=>\s*return\b/,
    'After => stands the value itself, without return. With a return the function needs braces: => { return …; }.',
  ],
  [
    /\bfunction\b[^(]*\([^()]*\)\s*\w/,
    'What a function does stands in braces: function name() { return …; }.',
  ],
  [
    /\bfunction\s+\w+\s*\{/,
    'Parentheses follow the name of a function, even where nothing stands between them: function name() { … }.',
  ],
  [/\b(console\.log|alert|prompt)\s+["\w]/, 'What $1 gets stands in parentheses: $1("Hello").'],
  [/\w\s*=<\s/, 'The equals sign comes last: <= and >=.'],
  [/^\s*#(?!!)/, 'A comment begins with // in JavaScript, not with #.'],
  [/=\s+>/, 'The arrow of a function is one sign, without a space in it: =>.'],
  [/[\w)]\s*->/, 'The arrow of a function is written => in JavaScript.'],
  [/\belse\s*\(.*\)\s*\{/, 'else has no condition of its own. Write else if (…) { … }.'],
  [
    /\b(if|while|for|switch)\s+(?!await\b)[^\s(]/,
    'There is no ( after "$1": what it looks at stands in parentheses, $1 (…) { … }.',
  ],
  [
    /\bfor\s*\([^;)]*,[^;)]*,[^;)]*\)/,
    'The three parts of a for loop are set apart by semicolons: for (let i = 0; i < n; i++).',
  ],
  [
    /\b(?:let|const|var|function)\s+[A-Za-z_$]\w*-\w/,
    'A name cannot have a dash in it, which is a minus. Write the second word with a capital: myName.',
  ],
  [/\b(?:let|const|var|function)\s+\d/, 'A name cannot begin with a digit.'],
  [
    /\b(?:let|const|var|function)\s+(break|case|catch|class|const|continue|default|delete|do|else|export|extends|for|function|if|import|in|new|return|super|switch|this|throw|try|typeof|while|with)\b/,
    '"$1" is one of the language\'s own words and cannot be a name. Choose another.',
  ],
  // TypeScript would take the sign.
  [/^(?:""|[^"'`])*[A-Za-z]!\s*(?:[);,]|$)/, 'Text needs quotes around it, on both sides: "Hello!".'],
  [
    /\bconsole\.log\(\s*(?!(?:async|await|class|delete|function|new|typeof|void)\b)\w+\s+(?!(?:and|in|instanceof|or)\b)[A-Za-z]/,
    'Text needs quotes around it: console.log("Good night"). Between two values stands a comma or a +.',
  ],
  [/[\w)\]]\s+(and|or)\s+[\w(!]/, 'JavaScript writes && for "and", || for "or" and ! for "not".'],
];

/** Characters. */
const LONGEST_LINE = 200;

function explainUnreadable(code: string, line: number | null): string | null {
  if (line === null) return null;
  // Nobody writes a longer line by hand, and some rules take long over one.
  const text = (code.split('\n')[line - 1] ?? '').slice(0, LONGEST_LINE);
  // A text may hold anything.
  const bare = text.replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, '""');
  for (const [pattern, said] of LINE_RULES) {
    const match = pattern.exec(bare);
    if (match) return fill(said, match);
  }
  if (isTypeScript(code)) return TYPESCRIPT;
  return misspeltKeyword(code, line);
}

function explainSpelling(name: string, message: string, code: string): string | null {
  const unknown = name === 'ReferenceError' ? /^([\w$]+) is not defined$/.exec(message) : null;
  if (unknown) {
    const word = misspeltName(unknown[1]!, code);
    return word && `There is no "${unknown[1]!.slice(0, 60)}" here. ${word}`;
  }
  const method = name === 'TypeError' ? /\.([\w$]+) is not a function/.exec(message) : null;
  const word = method && misspeltMethod(method[1]!, code);
  return word && `There is no method "${method![1]!.slice(0, 60)}" here. ${word}`;
}

export interface Place {
  code: string;
  line: number | null;
}

/** Null where it is none of the common ones. */
export function explainJavaScript(name: string, message: string, { code, line }: Place): string | null {
  const sourceLine = line === null ? '' : (code.split('\n')[line - 1] ?? '');
  if (name === 'SyntaxError' && !/JSON|^Invalid regular/.test(message)) {
    const unreadable = explainUnreadable(code, line);
    if (unreadable) return unreadable;
  }
  for (const [pattern, text, own, isGeneral] of rulesFor(RULES, name)) {
    const match = own && !own.test(sourceLine) ? null : pattern.exec(message);
    if (match) return (isGeneral ? explainSpelling(name, message, code) : null) ?? fill(text, match);
  }
  return null;
}

import { isTypeScript, misspeltKeyword, misspeltMethod, misspeltName } from './script-words.ts';

interface Rule {
  name: string;
  message: RegExp;
  line?: RegExp;
  text: string;
  isGeneral?: true;
}

export const TYPESCRIPT =
  'Types such as ": number" belong to TypeScript. This lesson is JavaScript, which has none: leave them out.';

const BUILT_IN_ELSEWHERE = /^(document|window|alert|fetch|localStorage|navigator) is not defined$/;

const RULES: Rule[] = [
  {
    name: 'ReferenceError',
    message: BUILT_IN_ELSEWHERE,
    text: '"$1" belongs to a web page. This program runs without one: use console.log to show something and prompt() to read input.',
  },
  {
    name: 'ReferenceError',
    message: /^(require|module|exports|process) is not defined$/,
    text: '"$1" belongs to Node.js programs made of several files. Here the program is one file and has no modules.',
  },
  {
    name: 'ReferenceError',
    message: /^(print|println|printf|log|echo|puts|Console) is not defined$/,
    text: 'JavaScript has no $1. It prints with console.log.',
  },
  {
    name: 'ReferenceError',
    message: /^(True|False|None|string|integer) is not defined$/,
    text: '"$1" is not a name that JavaScript knows. Upper and lower case matter: it is true, false and null.',
  },
  {
    name: 'ReferenceError',
    message: /^(?:number|string|boolean|any|unknown) is not defined$/,
    line: /<\s*(?:number|string|boolean|any|unknown)\b/,
    text: TYPESCRIPT,
  },
  {
    name: 'ReferenceError',
    message: /^len is not defined$/,
    text: 'There is no len in JavaScript. A list and a text know their length: list.length.',
  },
  {
    name: 'ReferenceError',
    message: /^(\S+) is not defined$/,
    text: 'The name "$1" is used but was never declared. Check its spelling, and that it is declared with let, const or function where this line can see it. Text needs quotes around it.',
    isGeneral: true,
  },
  {
    name: 'ReferenceError',
    message: /^Cannot access '(.+)' before initialization$/,
    text: '"$1" is used above the line that declares it with let, const or class. Move the declaration up.',
  },
  {
    name: 'TypeError',
    message: /^Assignment to constant variable\.?$/,
    text: 'A const keeps its first value. Declare the variable with let if it has to change.',
  },
  {
    name: 'TypeError',
    message: /^Cannot (?:read|set) properties of (undefined|null) \((?:reading|setting) '(.+)'\)$/,
    text: 'What stands before ".$2" (or "[$2]") is $1, so it has nothing inside. Check where that value comes from: a missing return, a wrong index or a misspelled name are usual causes.',
  },
  {
    name: 'TypeError',
    message: /^Cannot destructure property '(.+?)' of .* as it is (undefined|null)\.?$/,
    text: 'There is no object to take "$1" from: the value is $2. Check what is passed in.',
  },
  {
    name: 'TypeError',
    message: /^(.+) is not iterable/,
    text: 'for … of, spreading and destructuring go through a list, and $1 is none. To go through the keys of an object use Object.keys or Object.entries.',
  },
  {
    name: 'TypeError',
    message: /^(.+) is not a constructor$/,
    text: '"new" works with classes and constructor functions, and $1 is neither.',
  },
  {
    name: 'TypeError',
    message: /^Class constructor (.+) cannot be invoked without 'new'$/,
    text: 'Make an object of a class with "new": new $1(…).',
  },
  {
    name: 'TypeError',
    message: /^Reduce of empty array with no initial value$/,
    text: 'reduce needs a value to begin with when the array is empty: pass it as the second argument, such as 0.',
  },
  {
    name: 'TypeError',
    message: /^Converting circular structure to JSON/,
    text: 'An object that contains itself cannot be turned into JSON.',
  },
  {
    name: 'TypeError',
    message: /^(.+)\.(length|size) is not a function/,
    text: '$2 is a value and no method: it has no parentheses after it.',
  },
  {
    name: 'TypeError',
    message: /^-?[\d.]+ is not a function/,
    text: 'Parentheses after a number call it. To multiply, write a * between them.',
  },
  {
    name: 'TypeError',
    message: /^(.+) is not a function/,
    text: '$1 is called with parentheses but is no function. Check the spelling of the method, whether a variable of the same name hides it, and whether the value has the kind you think it has.',
    isGeneral: true,
  },
  {
    name: 'RangeError',
    message: /^Maximum call stack size exceeded$/,
    text: 'A function calls itself without end. Recursion needs a case in which it stops, and every call has to come nearer to it.',
  },
  {
    name: 'RangeError',
    message: /^Invalid array length$/,
    text: 'An array cannot have that length: it has to be a whole number that is not negative.',
  },
  {
    name: 'RangeError',
    message: /^Invalid string length$/,
    text: 'A text became longer than the language allows. Look for a loop that keeps adding to it.',
  },
  {
    name: 'ReferenceError',
    message: /^Must call super constructor/,
    text: 'A class that extends another has to call super(…) in its constructor before it uses "this".',
  },
  {
    name: 'SyntaxError',
    message: /^Identifier '(.+)' has already been declared$/,
    text: '"$1" is declared twice in the same block. Leave out let or const where you only change it, or choose another name.',
  },
  {
    name: 'SyntaxError',
    message: /^Invalid shorthand property initializer$/,
    text: 'Inside an object a colon stands between a name and its value: { a: 1 }.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /^\s*(?:const|let|var)\s+\w+\s*===?/,
    text: 'One = gives a name its value. Two or three compare.',
  },
  {
    name: 'SyntaxError',
    message: /^Missing initializer in const declaration$/,
    text: 'A const needs its value at once, such as const a = 1. Use let if the value comes later.',
  },
  {
    name: 'SyntaxError',
    message: /^missing \) after argument list$/,
    text: 'A call is not closed: a ")" is missing, or a comma between two arguments, or a quote that ends a text.',
  },
  {
    name: 'SyntaxError',
    message: /^Unexpected end of input$/,
    text: 'The program ends too early: a "}", ")", "]" or a closing backtick is missing. Count the pairs, from the last function backwards.',
  },
  {
    name: 'SyntaxError',
    message: /^Invalid or unexpected token$/,
    line: /^[^'"`]*(['"])(?:(?!\1).)*$/,
    text: 'A text is not closed: the quote that ends it is missing on this line.',
  },
  {
    name: 'SyntaxError',
    message: /^Invalid or unexpected token$/,
    line: /[\u2018\u2019\u201C\u201D]/,
    text: 'There are curly quotes on this line, as word processors write them. JavaScript takes straight ones only: " or \'.',
  },
  {
    name: 'SyntaxError',
    message: /^Invalid or unexpected token$/,
    text: 'There is a character here that the language does not know, or a text or comment that is not closed.',
  },
  {
    name: 'SyntaxError',
    message: /^Invalid left-hand side in assignment$/,
    text: 'Only a variable or a property can stand to the left of "=". To compare two values use "===".',
  },
  {
    name: 'SyntaxError',
    message: /^Unexpected token '='$/,
    line: /\bif\b|\bwhile\b/,
    text: 'To compare two values use "===". A single "=" assigns.',
  },
  {
    name: 'SyntaxError',
    message: /^Unexpected token '(\)|\}|\])'$/,
    text: 'There is a "$1" too many, or something is missing right before it. Check that every bracket has its partner.',
  },
  {
    name: 'SyntaxError',
    message: /^Unexpected token 'else'$/,
    text: 'This else belongs to no if. Check the braces before it: "if (…) { … } else { … }", without a semicolon after the condition.',
  },
  {
    name: 'SyntaxError',
    message: /^Unexpected token '\{'$/,
    line: /\b(if|while|for|switch)\b/,
    text: 'The condition before this "{" is not closed: a ")" is missing.',
  },

  {
    name: 'SyntaxError',
    message: /^Unexpected identifier '(.+)'$/,
    text: 'Something is missing right before "$1": an operator such as +, a comma, a quote, or a semicolon on the line above.',
  },
  {
    name: 'SyntaxError',
    message: /^Unexpected string$/,
    text: 'A text stands where none is expected: a "+" or a comma before it is missing.',
  },
  {
    name: 'SyntaxError',
    message: /^Unexpected number$/,
    text: 'A number stands where none is expected: an operator or a comma before it is missing. Names cannot begin with a digit.',
  },
  {
    name: 'SyntaxError',
    message: /^(?:await is only valid|Unexpected reserved word)/,
    text: '"await" works only inside a function that is declared with "async".',
  },
  {
    name: 'SyntaxError',
    message: /^Illegal return statement$/,
    text: '"return" stands outside of any function. Check whether a "}" above closes the function too early.',
  },
  {
    name: 'SyntaxError',
    message: /^Illegal (?:break|continue) statement/,
    text: '"break" and "continue" work only inside a loop (and break inside a switch).',
  },
  {
    name: 'SyntaxError',
    message: /^(?:Cannot use import statement outside a module|Unexpected token 'export')/,
    text: 'The program is a single file without modules: leave "import" and "export" out and declare everything here.',
  },
  {
    name: 'SyntaxError',
    message: /(?:is not valid JSON|in JSON at position|JSON input)/,
    text: 'JSON.parse was given a text that is not JSON. Names and texts need double quotes there, and no comma may follow the last item.',
  },
  {
    name: 'SyntaxError',
    message: /^Unexpected token '(.+)'$/,
    text: 'The "$1" does not fit here. Look right before it, or at the end of the line above: something is missing or too much.',
  },
];

const LINE_RULES: { line: RegExp; text: string }[] = [
  {
    line: /=>\s*return\b/,
    text: 'After => stands the value itself, without return. With a return the function needs braces: => { return …; }.',
  },
  {
    line: /\bfunction\b[^(]*\([^()]*\)\s*\w/,
    text: 'What a function does stands in braces: function name() { return …; }.',
  },
  {
    line: /\bfunction\s+\w+\s*\{/,
    text: 'Parentheses follow the name of a function, even where nothing stands between them: function name() { … }.',
  },
  {
    line: /\b(console\.log|alert|prompt)\s+["\w]/,
    text: 'What $1 gets stands in parentheses: $1("Hello").',
  },
  {
    line: /\w\s*=<\s/,
    text: 'The equals sign comes last: <= and >=.',
  },
  {
    line: /^\s*#(?!!)/,
    text: 'A comment begins with // in JavaScript, not with #.',
  },
  {
    line: /=\s+>/,
    text: 'The arrow of a function is one sign, without a space in it: =>.',
  },
  {
    line: /[\w)]\s*->/,
    text: 'The arrow of a function is written => in JavaScript.',
  },
  {
    line: /\belse\s*\(.*\)\s*\{/,
    text: 'else has no condition of its own. Write else if (…) { … }.',
  },
  {
    line: /\b(if|while|for|switch)\s+(?!await\b)[^\s(]/,
    text: 'There is no ( after "$1": what it looks at stands in parentheses, $1 (…) { … }.',
  },
  {
    line: /\bfor\s*\([^;)]*,[^;)]*,[^;)]*\)/,
    text: 'The three parts of a for loop are set apart by semicolons: for (let i = 0; i < n; i++).',
  },
  {
    line: /\b(?:let|const|var|function)\s+[A-Za-z_$]\w*-\w/,
    text: 'A name cannot have a dash in it, which is a minus. Write the second word with a capital: myName.',
  },
  {
    line: /\b(?:let|const|var|function)\s+\d/,
    text: 'A name cannot begin with a digit.',
  },
  {
    line: /\b(?:let|const|var|function)\s+(break|case|catch|class|const|continue|default|delete|do|else|export|extends|for|function|if|import|in|new|return|super|switch|this|throw|try|typeof|while|with)\b/,
    text: '"$1" is one of the language\'s own words and cannot be a name. Choose another.',
  },
  {
    // TypeScript would take the sign.
    line: /^(?:""|[^"'`])*[A-Za-z]!\s*(?:[);,]|$)/,
    text: 'Text needs quotes around it, on both sides: "Hello!".',
  },
  {
    line: /\bconsole\.log\(\s*(?!(?:async|await|class|delete|function|new|typeof|void)\b)\w+\s+(?!(?:and|in|instanceof|or)\b)[A-Za-z]/,
    text: 'Text needs quotes around it: console.log("Good night"). Between two values stands a comma or a +.',
  },
  {
    line: /[\w)\]]\s+(and|or)\s+[\w(!]/,
    text: 'JavaScript writes && for "and", || for "or" and ! for "not".',
  },
];

/** Characters. */
const LONGEST_LINE = 200;

function explainUnreadable(code: string, line: number | null): string | null {
  if (line === null) return null;
  // Nobody writes a longer line by hand, and some rules take long over one.
  const text = (code.split('\n')[line - 1] ?? '').slice(0, LONGEST_LINE);
  // A text may hold anything.
  const bare = text.replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, '""');
  for (const rule of LINE_RULES) {
    const match = rule.line.exec(bare);
    if (match) return fill(rule.text, match);
  }
  if (isTypeScript(code)) return TYPESCRIPT;
  return misspeltKeyword(code, line);
}

const fill = (text: string, match: RegExpExecArray): string =>
  text.replace(/\$(\d)/g, (_, group: string) => (match[Number(group)] ?? '').slice(0, 60));

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
  for (const rule of RULES) {
    if (rule.name !== name) continue;
    const match = rule.message.exec(message);
    if (!match || (rule.line && !rule.line.test(sourceLine))) continue;
    return (rule.isGeneral ? explainSpelling(name, message, code) : null) ?? fill(rule.text, match);
  }
  return null;
}

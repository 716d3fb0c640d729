import { nearest } from './nearest.ts';

interface Rule {
  name: string | string[];
  message: RegExp;
  line?: RegExp;
  text: string;
}

const TYPE_NAMES: Record<string, string> = {
  str: 'text',
  int: 'a whole number',
  float: 'a decimal number',
  list: 'a list',
  tuple: 'a tuple',
  dict: 'a dictionary',
  set: 'a set',
  bool: 'True or False',
  NoneType: 'None, the value of nothing',
  function: 'a function',
  builtin_function_or_method: 'a function',
  method: 'a function',
};

const MODULES =
  'collections copy csv datetime decimal enum fractions functools heapq itertools json math operator os random re statistics string sys textwrap time typing'.split(
    ' ',
  );

const FROM: Record<string, string> = Object.fromEntries(
  Object.entries({
    math: 'sqrt floor ceil pi factorial gcd sin cos log',
    random: 'randint choice shuffle sample',
    collections: 'Counter defaultdict deque namedtuple',
    time: 'sleep',
    itertools: 'permutations combinations product',
    functools: 'reduce lru_cache',
  }).flatMap(([module, names]) => names.split(' ').map((name) => [name, module])),
);

const OWN_WORDS =
  'and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield';

const RULES: Rule[] = [
  // ---- The program cannot be read ----
  {
    name: 'IndentationError',
    message:
      /^expected an indented block after (?:'(\w+)' statement|(function|class) definition|.*) on line (\d+)/,
    text: 'The lines that belong to line $3 must start further to the right than it does: put four spaces in front of them.',
  },
  {
    name: 'IndentationError',
    message: /^unexpected indent/,
    text: 'This line starts further to the right than the one above it, and nothing above it opens a block. Remove the spaces in front, or check that the line above ends with a colon.',
  },
  {
    name: 'IndentationError',
    message: /^unindent does not match/,
    text: 'This line starts in a column that no earlier line starts in. Lines of one block all begin with the same number of spaces.',
  },
  {
    name: 'TabError',
    message: /./,
    text: 'Some lines are moved in with tabs and some with spaces. Use four spaces everywhere.',
  },
  {
    name: 'SyntaxError',
    message: /^Missing parentheses in call to '(\w+)'/,
    text: '$1 is a function, so what it gets stands in parentheses: $1("Hello").',
  },
  {
    name: 'SyntaxError',
    message: /^unterminated (?:f-string|string) literal/,
    text: 'A text starts on this line and has no closing quote. Both ends need the same quote, and an apostrophe inside single quotes ends the text early.',
  },
  {
    name: 'SyntaxError',
    message: /^unterminated triple-quoted/,
    text: 'A text that starts with three quotes is never closed with three quotes.',
  },
  {
    name: 'SyntaxError',
    message: /^'(.)' was never closed/,
    text: 'The "$1" here has no partner that closes it. Count the brackets on this line, and look at its end.',
  },
  {
    name: 'SyntaxError',
    message: /^unmatched '(.)'/,
    text: 'There is one "$1" too many on this line, or the bracket that opens it is missing.',
  },
  {
    name: 'SyntaxError',
    message: /^closing parenthesis '(.)' does not match opening parenthesis '(.)'/,
    text: '"$2" is closed with "$1". Each kind of bracket is closed by its own kind.',
  },
  {
    name: 'SyntaxError',
    message: /^expected ':'/,
    text: 'A line that begins with if, elif, else, for, while, def or class ends with a colon.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /\{[^}=]*["'\w]\s*=(?!=)/,
    text: 'In a dictionary a colon stands between a key and its value: {"a": 1}.',
  },
  {
    name: 'SyntaxError',
    message: /^cannot assign to expression/,
    line: /^\s*[A-Za-z_]\w*-\w[\w-]*\s*=/,
    text: 'A name cannot have a dash in it, which is a minus. Write my_name.',
  },
  {
    name: 'SyntaxError',
    message: /^expected '\('/,
    text: 'Parentheses follow the name of a function, even where nothing stands between them: def name():.',
  },
  {
    name: 'SyntaxError',
    message: /^expected 'except' or 'finally' block/,
    text: 'A try needs an except below it, as far to the left as the try: except ValueError:.',
  },
  {
    name: 'SyntaxError',
    message: /^invalid syntax$/,
    line: /\bthen\s*:?\s*$/,
    text: 'Python has no "then": the condition ends with a colon.',
  },
  {
    name: 'SyntaxError',
    message: /^invalid syntax$/,
    line: /=[<>]/,
    text: 'The equals sign comes last: >= and <=.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /=!/,
    text: '"Not equal" is written !=, with the equals sign last.',
  },
  {
    name: 'SyntaxError',
    message: /^invalid syntax\. Maybe you meant '==' or ':='/,
    text: 'One equals sign gives a name a value. To ask whether two values are equal, write two: ==.',
  },
  {
    name: 'SyntaxError',
    message: /^cannot assign to .+ here\. Maybe you meant '==' instead of '='/,
    text: 'Left of one equals sign stands the name that gets the value. To compare two values, write two equals signs: ==.',
  },
  {
    name: 'SyntaxError',
    message: /^cannot assign to (True|False|None|literal|function call|expression)/,
    text: 'Left of the equals sign must stand a name. The value goes to its right: name = value.',
  },
  {
    name: 'SyntaxError',
    message: /^invalid syntax\. Perhaps you forgot a comma/,
    text: 'Two values stand side by side. Between the items of a list or the arguments of a call belongs a comma.',
  },
  {
    name: 'SyntaxError',
    message: /^'(return|yield|await)' outside function/,
    text: '$1 only works inside a function. Check that this line is moved in under its def.',
  },
  {
    name: 'SyntaxError',
    message: /^'(break|continue)' (?:outside loop|not properly in loop)/,
    text: '$1 only works inside a for or while loop. Check that this line is moved in under its loop.',
  },
  {
    name: 'SyntaxError',
    message: /^invalid decimal literal/,
    text: 'A number and letters are written together. A name may not begin with a digit, and a text needs quotes.',
  },
  {
    name: 'SyntaxError',
    message: /^leading zeros in decimal integer literals/,
    text: 'A whole number may not begin with 0. Leave the zeros out, or put quotes around it to keep them as a text.',
  },
  {
    name: 'SyntaxError',
    message: /^invalid (?:non-printable )?character/,
    text: 'This line has a character that Python does not know, often a curly quote or a dash from a text document. Type it again on the keyboard.',
  },
  {
    name: 'SyntaxError',
    message: /^f-string:/,
    text: 'Something inside the braces of this f-string is not a complete expression. To show a brace itself, write it twice.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /\+\+|--\s*$/,
    text: 'Python has no ++ and no --. Write count += 1.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /^\s*else\s+if\b/,
    text: 'Python writes "else if" as one word: elif.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /&&|\|\|/,
    text: 'Python writes "and" and "or" as words.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /^\s*throw\b/,
    text: 'Python has no throw: it raises an error with raise.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /\bcatch\b/,
    text: 'Python has no catch: after try comes except.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /^\s*(?:function|var|let|const)\s/,
    text: 'That is how JavaScript does it. In Python a function begins with def, and a variable needs no word in front.',
  },
  {
    name: 'SyntaxError',
    message: /./,
    line: /^\s*\/\//,
    text: 'A comment begins with # in Python, not with //.',
  },
  {
    name: 'SyntaxError',
    message: /^invalid syntax/,
    line: new RegExp(`^\\s*(?:${OWN_WORDS})\\s*=(?!=)`),
    text: "The name on the left is one of Python's own words. Choose another.",
  },
  {
    name: 'SyntaxError',
    message: /^invalid syntax\. Did you mean '(\w+)'/,
    text: 'A word here is spelled wrong. Did you mean "$1"?',
  },
  {
    name: 'SyntaxError',
    message: /^invalid syntax/,
    text: 'Python cannot read this line. Look for a missing colon, bracket, quote or operator, here and at the end of the line above.',
  },

  // ---- Names ----
  {
    name: 'NameError',
    message: /^name '(true|false|null|none)' is not defined/,
    text: '"$1" is not a name that Python knows. Upper and lower case matter: it is True, False and None.',
  },
  {
    name: 'NameError',
    message: /^name '(\w+)' is not defined\. Did you mean: 'self\.(\w+)'/,
    text: 'What an object keeps is found through self: write self.$2.',
  },
  {
    name: 'NameError',
    message: /^name '(\w+)' is not defined\. Did you mean: '(\w+)'/,
    text: 'No "$1" exists at this point. Python knows "$2": is it a typing mistake? Upper and lower case matter, and text needs quotes around it.',
  },
  {
    name: 'NameError',
    message: /^name '(\w+)' is not defined\. Did you forget to import '(\w+)'/,
    text: '"$1" is a module. Write "import $1" at the top of the program before using it.',
  },
  {
    name: 'NameError',
    message: /^name '(\w+)' is not defined/,
    text: 'No "$1" exists at this point. Check its spelling and that it gets its value before this line. If it is meant as a text, put quotes around it.',
  },
  {
    name: 'UnboundLocalError',
    message: /^cannot access local variable '(\w+)'/,
    text: 'This function gives "$1" a value somewhere, so "$1" belongs to the function, and here it has none yet. Pass the value in as a parameter, or give it one before this line.',
  },
  {
    name: 'ModuleNotFoundError',
    message:
      /^No module named '(numpy|pandas|matplotlib|requests|scipy|sklearn|pygame|tkinter|turtle|flask|django)/,
    text: '"$1" is not available here. Programs on this page use the modules that come with Python itself.',
  },
  {
    name: ['ModuleNotFoundError', 'ImportError'],
    message: /^(?:No module named|cannot import name) '([\w.]+)'/,
    text: 'There is no "$1" to import. Check its spelling; only the modules that come with Python are available here.',
  },
  {
    name: 'AttributeError',
    message: /^'NoneType' object has no attribute '(\w+)'/,
    text: 'What stands before ".$1" is None, so it has nothing inside. Often a function without return gave it, or a method such as sort or append, which change a list and give nothing back.',
  },
  {
    name: 'AttributeError',
    message: /^'(?:list|str|tuple|dict|set)' object has no attribute '(length|size|len)'/,
    text: 'There is no "$1" here. Python counts with a function: len(items).',
  },
  {
    name: 'AttributeError',
    message: /^'list' object has no attribute '(push|add)'/,
    text: 'A list has no "$1". To put an item at its end: items.append(item).',
  },
  {
    name: 'AttributeError',
    message: /^'(\w+)' object has no attribute '(\w+)'\. Did you mean: '(\w+)'/,
    text: 'A value of the type $1 has no "$2". It does have "$3": is it a typing mistake?',
  },
  {
    name: 'AttributeError',
    message: /^'(\w+)' object has no attribute '(\w+)'/,
    text: 'The value is of the type $1, which has no "$2". Check the spelling, and that the value is what you think it is: print(type(value)) tells.',
  },
  {
    name: 'AttributeError',
    message: /^module '(\w+)' has no attribute '(\w+)'/,
    text: 'The module "$1" has no "$2". Check the spelling.',
  },

  // ---- Types ----
  {
    name: 'TypeError',
    message: /^can only concatenate str \(not "(\w+)"\) to str/,
    text: 'A text and $1 are not joined with +. Turn the value into a text first, str(value), or write an f-string: f"{value}".',
  },
  {
    name: 'TypeError',
    message: /^can only concatenate (list|tuple) \(not "(\w+)"\)/,
    text: 'To $1, $2 is not added with +. Put one item at the end of a list with items.append(item), or write items + [item].',
  },
  {
    name: 'TypeError',
    message: /^can't multiply sequence by non-int of type '(\w+)'/,
    text: 'A text or a list is repeated by a whole number only, and this is $1. If a text holds a number, int(...) or float(...) make one of it.',
  },
  {
    name: 'TypeError',
    message: /^sequence item \d+: expected str instance, (\w+) found/,
    text: 'join takes texts only, and here is $1. Make texts first: ", ".join(str(item) for item in items).',
  },
  {
    name: 'TypeError',
    message: /^([\w.]+)\(\) takes (exactly one argument|no arguments) \((\d+) given\)/,
    text: '$1 takes $2, and here it gets $3. Call it once for each value; a list gets several with extend([1, 2]).',
  },
  {
    name: 'TypeError',
    message: /^([A-Z]\w*)\(\) takes no arguments/,
    text: '$1 takes no values when it is made. What takes them is a method spelled __init__, with two underscores at each end, and self as its first parameter.',
  },
  {
    name: 'TypeError',
    message: /^exceptions must derive from BaseException/,
    text: 'raise needs an error and not a text alone: raise ValueError("…").',
  },
  {
    name: 'TypeError',
    message: /^'(?:builtin_function_or_method|method)' object is not iterable/,
    text: 'A method stands here without its call. Write () after its name, as in ages.items().',
  },
  {
    name: 'TypeError',
    message: /^unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'/,
    text: '$1 does not work between $2 and $3. What input() gives is always text: int(...) or float(...) make a number of it.',
  },
  {
    name: 'TypeError',
    message: /^'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'/,
    text: '"$1" cannot compare $2 with $3. What input() gives is always text: int(...) or float(...) make a number of it.',
  },
  {
    name: 'TypeError',
    message: /^(\w+(?:\.\w+)*)\(\) missing (\d+) required positional arguments?: (.+)$/,
    text: '$1 is called with too few values: $3 is missing between the parentheses. A method of an object is called on the object: thing.method().',
  },
  {
    name: 'TypeError',
    message: /^(\w+(?:\.\w+)*)\(\) takes (?:from )?(.+?) positional arguments? but (\d+) (?:was|were) given/,
    text: '$1 is called with more values than it takes ($2). If it is a method, its first parameter must be self, which Python fills in.',
  },
  {
    name: 'TypeError',
    message: /^(\w+(?:\.\w+)*)\(\) got an unexpected keyword argument '(\w+)'/,
    text: '$1 has no parameter named "$2". Check its spelling in the def line.',
  },
  {
    name: 'TypeError',
    message: /^'(\w+)' object is not callable/,
    line: /(?:\d|\))\s*\(/,
    text: 'Parentheses directly after a value call it like a function, and $1 is none. To multiply, write *.',
  },
  {
    name: 'TypeError',
    message: /^'(\w+)' object is not callable/,
    text: 'Parentheses after a name call it as a function, and this one holds $1. Was a function name such as list, sum or str used for a variable?',
  },
  {
    name: 'TypeError',
    message:
      /^'(int|float|NoneType|function|builtin_function_or_method|method|set|bool)' object is not subscriptable/,
    text: 'Square brackets take a part out of a list, a text or a dictionary, and this is $1. A function is called with round parentheses.',
  },
  {
    name: 'TypeError',
    message: /^'(list|tuple|str|dict|set)' object cannot be interpreted as an integer/,
    line: /\brange\(/,
    text: 'range counts up to a number, and this is $1. To count its items: range(len(items)). To go through them: for item in items.',
  },
  {
    name: 'TypeError',
    message: /^'(int|float|NoneType|bool|function)' object is not iterable/,
    text: 'This goes through the items of a list or a text, and the value is $1. To count, use range(number).',
  },
  {
    name: 'TypeError',
    message: /^(list|tuple|string) indices must be integers or slices, not '?(\w+)'?/,
    text: 'The number of a place in it must be a whole number, and this is $2. For names as keys use a dictionary.',
  },
  {
    name: 'TypeError',
    message: /^'(str|tuple)' object does not support item assignment/,
    text: 'The parts of $1 cannot be changed. Make a new one, or use a list.',
  },
  {
    name: 'TypeError',
    message: /^(?:cannot use '\w+' as a (?:dict key|set element) \()?unhashable type: '(\w+)'/,
    text: 'A key of a dictionary and an item of a set must be something that cannot change, and this is $1. Use a tuple instead.',
  },
  {
    name: 'TypeError',
    message: /^object of type '(\w+)' has no len\(\)/,
    text: 'len counts the items of a list or the characters of a text, and this is $1.',
  },
  {
    name: 'TypeError',
    message: /^(?:int|float)\(\) argument must be .+ not '(\w+)'/,
    text: 'Only a text or a number can be turned into a number, and this is $1.',
  },
  {
    name: 'TypeError',
    message: /^cannot unpack non-iterable (\w+) object/,
    text: 'Several names stand left of the equals sign, and right of it is one single value: $1.',
  },

  // ---- Values ----
  {
    name: 'ValueError',
    message: /^invalid literal for int\(\) with base 10: (''|"")/,
    text: 'int was given an empty text. Check that there is something to turn into a number.',
  },
  {
    name: 'ValueError',
    message: /^invalid literal for int\(\) with base \d+: (.+)$/,
    text: 'int cannot make a whole number of $1. It takes digits only; use float for numbers with a point, and split() to take several numbers apart.',
  },
  {
    name: 'ValueError',
    message: /^could not convert string to float: (.+)$/,
    text: 'float cannot make a number of $1. It takes digits and one point.',
  },
  {
    name: 'ValueError',
    message: /^(max|min)\(\) (?:iterable )?arg(?:ument)? is (?:an )?empty/,
    text: 'The list is empty, and $1 has nothing to choose from. Ask first: if items. Or say what it gives then: $1(items, default=0).',
  },
  {
    name: 'ValueError',
    message: /^(?:not enough|too many) values to unpack/,
    line: /\bfor\s+\w+\s*,\s*\w+\s+in\s+\w+\s*:/,
    text: 'Two names stand in the for. Keys and values of a dictionary come from its items: for key, value in ages.items(). Places and items of a list come from enumerate(items).',
  },
  {
    name: 'ValueError',
    message: /^not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)/,
    text: 'Left of the equals sign stand $1 names, and right of it came only $2 values.',
  },
  {
    name: 'ValueError',
    message: /^too many values to unpack \(expected (\d+)/,
    text: 'Left of the equals sign stand $1 names, and right of it came more values.',
  },
  {
    name: 'ValueError',
    message: /^list\.(?:remove|index)\(.*\): x not in list|is not in list$/,
    text: 'The list does not have that item. Ask first: if item in items.',
  },
  {
    name: 'IndexError',
    message: /^(list|string|tuple|list assignment|pop) index out of range/,
    text: 'There is no place with that number. Places are counted from 0, so the last one is len(...) - 1.',
  },
  {
    name: 'IndexError',
    message: /^pop from empty list/,
    text: 'The list is empty, so there is nothing to take out. Ask first: if items.',
  },
  {
    name: 'KeyError',
    message: /^(.+)$/,
    text: 'The dictionary has no key $1. Check its spelling, or use .get($1), which gives None where there is none.',
  },
  {
    name: 'ZeroDivisionError',
    message: /./,
    text: 'Something is divided by zero. Check the number on the right of / or % before dividing.',
  },
  {
    name: 'RecursionError',
    message: /./,
    text: 'A function calls itself over and over. It needs a case in which it returns without calling itself, and each call must come closer to it.',
  },
  {
    name: 'EOFError',
    message: /./,
    text: 'input() was called, and there is no more input to read. Check how often it is called; where the exercise gives no input, use the values that it names instead.',
  },
  {
    name: 'FileNotFoundError',
    message: /'([^']*)'$/,
    text: 'There is no file "$1". A program here starts in an empty folder: it can only read files that it has written itself.',
  },
  {
    name: 'AssertionError',
    message: /^/,
    text: 'An assert in the program was not true.',
  },
  {
    name: 'StopIteration',
    message: /^/,
    text: 'next() was called, and there was nothing left to give.',
  },
  {
    name: ['gaierror', 'URLError', 'ConnectionRefusedError'],
    message: /^/,
    text: 'Programs here have no network.',
  },
  {
    name: 'OSError',
    message: /Network is unreachable|Host is unreachable/,
    text: 'Programs here have no network.',
  },
  {
    name: 'RuntimeError',
    message: /^can't start new thread/,
    text: 'Programs here run in one thread. Do one thing after the other, or use asyncio.',
  },
  {
    name: 'RuntimeError',
    message: /^(dictionary|Set) changed size during iteration/,
    text: 'Items are added or removed while a loop goes through them. Go through a copy: for item in list(items).',
  },
  {
    name: 'SystemExit',
    message: /^/,
    text: 'The program ended itself before the test could call it. Leave out exit() and quit().',
  },
];

const inWords = (value: string) => TYPE_NAMES[value] ?? value;

export function explainPython(name: string, message: string, line: string | null): string | null {
  const module = name === 'ModuleNotFoundError' ? /^No module named '(\w+)'/.exec(message) : null;
  const meant = module && nearest(module[1]!, MODULES);
  if (meant) return `There is no module "${module[1]}". Did you mean "${meant}"?`;
  const missing = name === 'NameError' ? /^name '(\w+)' is not defined/.exec(message)?.[1] : undefined;
  if (missing && Object.hasOwn(FROM, missing)) {
    return `"${missing}" has to be imported: write "from ${FROM[missing]} import ${missing}" at the top of the program.`;
  }
  for (const rule of RULES) {
    const names = typeof rule.name === 'string' ? [rule.name] : rule.name;
    if (!names.includes(name) || (rule.line && !rule.line.test(line ?? ''))) continue;
    const match = rule.message.exec(message);
    if (!match) continue;
    // A name of the learner's own may be that of a type; only messages about types have their names put in words.
    const groups = name === 'TypeError' ? match.map((group) => group && inWords(group)) : match;
    return rule.text.replaceAll(/\$(\d)/g, (_, index) => groups[Number(index)] ?? '');
  }
  return null;
}

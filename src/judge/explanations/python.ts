import { nearest } from './nearest.ts';
import { fill, type Groups, rulesFor } from './rules.ts';

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

const RULES: Groups = [
  [
    'IndentationError',
    [
      [
        /^expected an indented block after (?:'(\w+)' statement|(function|class) definition|.*) on line (\d+)/,
        'The lines that belong to line $3 must start further to the right than it does: put four spaces in front of them.',
      ],
      [
        /^unexpected indent/,
        'This line starts further to the right than the one above it, and nothing above it opens a block. Remove the spaces in front, or check that the line above ends with a colon.',
      ],
      [
        /^unindent does not match/,
        'This line starts in a column that no earlier line starts in. Lines of one block all begin with the same number of spaces.',
      ],
    ],
  ],
  [
    'TabError',
    [[/./, 'Some lines are moved in with tabs and some with spaces. Use four spaces everywhere.']],
  ],
  [
    'SyntaxError',
    [
      [
        /^Missing parentheses in call to '(\w+)'/,
        '$1 is a function, so what it gets stands in parentheses: $1("Hello").',
      ],
      [
        /^unterminated (?:f-string|string) literal/,
        'A text starts on this line and has no closing quote. Both ends need the same quote, and an apostrophe inside single quotes ends the text early.',
      ],
      [
        /^unterminated triple-quoted/,
        'A text that starts with three quotes is never closed with three quotes.',
      ],
      [
        /^'(.)' was never closed/,
        'The "$1" here has no partner that closes it. Count the brackets on this line, and look at its end.',
      ],
      [
        /^unmatched '(.)'/,
        'There is one "$1" too many on this line, or the bracket that opens it is missing.',
      ],
      [
        /^closing parenthesis '(.)' does not match opening parenthesis '(.)'/,
        '"$2" is closed with "$1". Each kind of bracket is closed by its own kind.',
      ],
      [
        /^expected ':'/,
        'A line that begins with if, elif, else, for, while, def or class ends with a colon.',
      ],
      [
        /./,
        'In a dictionary a colon stands between a key and its value: {"a": 1}.',
        /\{[^}=]*["'\w]\s*=(?!=)/,
      ],
      [
        /^cannot assign to expression/,
        'A name cannot have a dash in it, which is a minus. Write my_name.',
        /^\s*[A-Za-z_]\w*-\w[\w-]*\s*=/,
      ],
      [
        /^expected '\('/,
        'Parentheses follow the name of a function, even where nothing stands between them: def name():.',
      ],
      [
        /^expected 'except' or 'finally' block/,
        'A try needs an except below it, as far to the left as the try: except ValueError:.',
      ],
      [/^invalid syntax$/, 'Python has no "then": the condition ends with a colon.', /\bthen\s*:?\s*$/],
      [/^invalid syntax$/, 'The equals sign comes last: >= and <=.', /=[<>]/],
      [/./, '"Not equal" is written !=, with the equals sign last.', /=!/],
      [
        /^invalid syntax\. Maybe you meant '==' or ':='/,
        'One equals sign gives a name a value. To ask whether two values are equal, write two: ==.',
      ],
      [
        /^cannot assign to .+ here\. Maybe you meant '==' instead of '='/,
        'Left of one equals sign stands the name that gets the value. To compare two values, write two equals signs: ==.',
      ],
      [
        /^cannot assign to (True|False|None|literal|function call|expression)/,
        'Left of the equals sign must stand a name. The value goes to its right: name = value.',
      ],
      [
        /^invalid syntax\. Perhaps you forgot a comma/,
        'Two values stand side by side. Between the items of a list or the arguments of a call belongs a comma.',
      ],
      [
        /^'(return|yield|await)' outside function/,
        '$1 only works inside a function. Check that this line is moved in under its def.',
      ],
      [
        /^'(break|continue)' (?:outside loop|not properly in loop)/,
        '$1 only works inside a for or while loop. Check that this line is moved in under its loop.',
      ],
      [
        /^invalid decimal literal/,
        'A number and letters are written together. A name may not begin with a digit, and a text needs quotes.',
      ],
      [
        /^leading zeros in decimal integer literals/,
        'A whole number may not begin with 0. Leave the zeros out, or put quotes around it to keep them as a text.',
      ],
      [
        /^invalid (?:non-printable )?character/,
        'This line has a character that Python does not know, often a curly quote or a dash from a text document. Type it again on the keyboard.',
      ],
      [
        /^f-string:/,
        'Something inside the braces of this f-string is not a complete expression. To show a brace itself, write it twice.',
      ],
      [/./, 'Python has no ++ and no --. Write count += 1.', /\+\+|--\s*$/],
      [/./, 'Python writes "else if" as one word: elif.', /^\s*else\s+if\b/],
      [/./, 'Python writes "and" and "or" as words.', /&&|\|\|/],
      [/./, 'Python has no throw: it raises an error with raise.', /^\s*throw\b/],
      [/./, 'Python has no catch: after try comes except.', /\bcatch\b/],
      [
        /./,
        'That is how JavaScript does it. In Python a function begins with def, and a variable needs no word in front.',
        /^\s*(?:function|var|let|const)\s/,
      ],
      [/./, 'A comment begins with # in Python, not with //.', /^\s*\/\//],
      [
        /^invalid syntax/,
        "The name on the left is one of Python's own words. Choose another.",
        new RegExp(`^\\s*(?:${OWN_WORDS})\\s*=(?!=)`),
      ],
      [/^invalid syntax\. Did you mean '(\w+)'/, 'A word here is spelled wrong. Did you mean "$1"?'],
      [
        /^invalid syntax/,
        'Python cannot read this line. Look for a missing colon, bracket, quote or operator, here and at the end of the line above.',
      ],
    ],
  ],
  [
    'NameError',
    [
      [
        /^name '(true|false|null|none)' is not defined/,
        '"$1" is not a name that Python knows. Upper and lower case matter: it is True, False and None.',
      ],
      [
        /^name '(\w+)' is not defined\. Did you mean: 'self\.(\w+)'/,
        'What an object keeps is found through self: write self.$2.',
      ],
      [
        /^name '(\w+)' is not defined\. Did you mean: '(\w+)'/,
        'No "$1" exists at this point. Python knows "$2": is it a typing mistake? Upper and lower case matter, and text needs quotes around it.',
      ],
      [
        /^name '(\w+)' is not defined\. Did you forget to import '(\w+)'/,
        '"$1" is a module. Write "import $1" at the top of the program before using it.',
      ],
      [
        /^name '(\w+)' is not defined/,
        'No "$1" exists at this point. Check its spelling and that it gets its value before this line. If it is meant as a text, put quotes around it.',
      ],
    ],
  ],
  [
    'UnboundLocalError',
    [
      [
        /^cannot access local variable '(\w+)'/,
        'This function gives "$1" a value somewhere, so "$1" belongs to the function, and here it has none yet. Pass the value in as a parameter, or give it one before this line.',
      ],
    ],
  ],
  [
    'ModuleNotFoundError',
    [
      [
        /^No module named '(numpy|pandas|matplotlib|requests|scipy|sklearn|pygame|tkinter|turtle|flask|django)/,
        '"$1" is not available here. Programs on this page use the modules that come with Python itself.',
      ],
    ],
  ],
  [
    'ModuleNotFoundError ImportError',
    [
      [
        /^(?:No module named|cannot import name) '([\w.]+)'/,
        'There is no "$1" to import. Check its spelling; only the modules that come with Python are available here.',
      ],
    ],
  ],
  [
    'AttributeError',
    [
      [
        /^'NoneType' object has no attribute '(\w+)'/,
        'What stands before ".$1" is None, so it has nothing inside. Often a function without return gave it, or a method such as sort or append, which change a list and give nothing back.',
      ],
      [
        /^'(?:list|str|tuple|dict|set)' object has no attribute '(length|size|len)'/,
        'There is no "$1" here. Python counts with a function: len(items).',
      ],
      [
        /^'list' object has no attribute '(push|add)'/,
        'A list has no "$1". To put an item at its end: items.append(item).',
      ],
      [
        /^'(\w+)' object has no attribute '(\w+)'\. Did you mean: '(\w+)'/,
        'A value of the type $1 has no "$2". It does have "$3": is it a typing mistake?',
      ],
      [
        /^'(\w+)' object has no attribute '(\w+)'/,
        'The value is of the type $1, which has no "$2". Check the spelling, and that the value is what you think it is: print(type(value)) tells.',
      ],
      [/^module '(\w+)' has no attribute '(\w+)'/, 'The module "$1" has no "$2". Check the spelling.'],
    ],
  ],
  [
    'TypeError',
    [
      [
        /^can only concatenate str \(not "(\w+)"\) to str/,
        'A text and $1 are not joined with +. Turn the value into a text first, str(value), or write an f-string: f"{value}".',
      ],
      [
        /^can only concatenate (list|tuple) \(not "(\w+)"\)/,
        'To $1, $2 is not added with +. Put one item at the end of a list with items.append(item), or write items + [item].',
      ],
      [
        /^can't multiply sequence by non-int of type '(\w+)'/,
        'A text or a list is repeated by a whole number only, and this is $1. If a text holds a number, int(...) or float(...) make one of it.',
      ],
      [
        /^sequence item \d+: expected str instance, (\w+) found/,
        'join takes texts only, and here is $1. Make texts first: ", ".join(str(item) for item in items).',
      ],
      [
        /^([\w.]+)\(\) takes (exactly one argument|no arguments) \((\d+) given\)/,
        '$1 takes $2, and here it gets $3. Call it once for each value; a list gets several with extend([1, 2]).',
      ],
      [
        /^([A-Z]\w*)\(\) takes no arguments/,
        '$1 takes no values when it is made. What takes them is a method spelled __init__, with two underscores at each end, and self as its first parameter.',
      ],
      [
        /^exceptions must derive from BaseException/,
        'raise needs an error and not a text alone: raise ValueError("…").',
      ],
      [
        /^'(?:builtin_function_or_method|method)' object is not iterable/,
        'A method stands here without its call. Write () after its name, as in ages.items().',
      ],
      [
        /^unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'/,
        '$1 does not work between $2 and $3. What input() gives is always text: int(...) or float(...) make a number of it.',
      ],
      [
        /^'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'/,
        '"$1" cannot compare $2 with $3. What input() gives is always text: int(...) or float(...) make a number of it.',
      ],
      [
        /^(\w+(?:\.\w+)*)\(\) missing (\d+) required positional arguments?: (.+)$/,
        '$1 is called with too few values: $3 is missing between the parentheses. A method of an object is called on the object: thing.method().',
      ],
      [
        /^(\w+(?:\.\w+)*)\(\) takes (?:from )?(.+?) positional arguments? but (\d+) (?:was|were) given/,
        '$1 is called with more values than it takes ($2). If it is a method, its first parameter must be self, which Python fills in.',
      ],
      [
        /^(\w+(?:\.\w+)*)\(\) got an unexpected keyword argument '(\w+)'/,
        '$1 has no parameter named "$2". Check its spelling in the def line.',
      ],
      [
        /^'(\w+)' object is not callable/,
        'Parentheses directly after a value call it like a function, and $1 is none. To multiply, write *.',
        /(?:\d|\))\s*\(/,
      ],
      [
        /^'(\w+)' object is not callable/,
        'Parentheses after a name call it as a function, and this one holds $1. Was a function name such as list, sum or str used for a variable?',
      ],
      [
        /^'(int|float|NoneType|function|builtin_function_or_method|method|set|bool)' object is not subscriptable/,
        'Square brackets take a part out of a list, a text or a dictionary, and this is $1. A function is called with round parentheses.',
      ],
      [
        /^'(list|tuple|str|dict|set)' object cannot be interpreted as an integer/,
        'range counts up to a number, and this is $1. To count its items: range(len(items)). To go through them: for item in items.',
        /\brange\(/,
      ],
      [
        /^'(int|float|NoneType|bool|function)' object is not iterable/,
        'This goes through the items of a list or a text, and the value is $1. To count, use range(number).',
      ],
      [
        /^(list|tuple|string) indices must be integers or slices, not '?(\w+)'?/,
        'The number of a place in it must be a whole number, and this is $2. For names as keys use a dictionary.',
      ],
      [
        /^'(str|tuple)' object does not support item assignment/,
        'The parts of $1 cannot be changed. Make a new one, or use a list.',
      ],
      [
        /^(?:cannot use '\w+' as a (?:dict key|set element) \()?unhashable type: '(\w+)'/,
        'A key of a dictionary and an item of a set must be something that cannot change, and this is $1. Use a tuple instead.',
      ],
      [
        /^object of type '(\w+)' has no len\(\)/,
        'len counts the items of a list or the characters of a text, and this is $1.',
      ],
      [
        /^(?:int|float)\(\) argument must be .+ not '(\w+)'/,
        'Only a text or a number can be turned into a number, and this is $1.',
      ],
      [
        /^cannot unpack non-iterable (\w+) object/,
        'Several names stand left of the equals sign, and right of it is one single value: $1.',
      ],
    ],
  ],
  [
    'ValueError',
    [
      [
        /^invalid literal for int\(\) with base 10: (''|"")/,
        'int was given an empty text. Check that there is something to turn into a number.',
      ],
      [
        /^invalid literal for int\(\) with base \d+: (.+)$/,
        'int cannot make a whole number of $1. It takes digits only; use float for numbers with a point, and split() to take several numbers apart.',
      ],
      [
        /^could not convert string to float: (.+)$/,
        'float cannot make a number of $1. It takes digits and one point.',
      ],
      [
        /^(max|min)\(\) (?:iterable )?arg(?:ument)? is (?:an )?empty/,
        'The list is empty, and $1 has nothing to choose from. Ask first: if items. Or say what it gives then: $1(items, default=0).',
      ],
      [
        /^(?:not enough|too many) values to unpack/,
        'Two names stand in the for. Keys and values of a dictionary come from its items: for key, value in ages.items(). Places and items of a list come from enumerate(items).',
        /\bfor\s+\w+\s*,\s*\w+\s+in\s+\w+\s*:/,
      ],
      [
        /^not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)/,
        'Left of the equals sign stand $1 names, and right of it came only $2 values.',
      ],
      [
        /^too many values to unpack \(expected (\d+)/,
        'Left of the equals sign stand $1 names, and right of it came more values.',
      ],
      [
        /^list\.(?:remove|index)\(.*\): x not in list|is not in list$/,
        'The list does not have that item. Ask first: if item in items.',
      ],
    ],
  ],
  [
    'IndexError',
    [
      [
        /^(list|string|tuple|list assignment|pop) index out of range/,
        'There is no place with that number. Places are counted from 0, so the last one is len(...) - 1.',
      ],
      [/^pop from empty list/, 'The list is empty, so there is nothing to take out. Ask first: if items.'],
    ],
  ],
  [
    'KeyError',
    [
      [
        /^(.+)$/,
        'The dictionary has no key $1. Check its spelling, or use .get($1), which gives None where there is none.',
      ],
    ],
  ],
  [
    'ZeroDivisionError',
    [[/./, 'Something is divided by zero. Check the number on the right of / or % before dividing.']],
  ],
  [
    'RecursionError',
    [
      [
        /./,
        'A function calls itself over and over. It needs a case in which it returns without calling itself, and each call must come closer to it.',
      ],
    ],
  ],
  [
    'EOFError',
    [
      [
        /./,
        'input() was called, and there is no more input to read. Check how often it is called; where the exercise gives no input, use the values that it names instead.',
      ],
    ],
  ],
  [
    'FileNotFoundError',
    [
      [
        /'([^']*)'$/,
        'There is no file "$1". A program here starts in an empty folder: it can only read files that it has written itself.',
      ],
    ],
  ],
  ['AssertionError', [[/^/, 'An assert in the program was not true.']]],
  ['StopIteration', [[/^/, 'next() was called, and there was nothing left to give.']]],
  ['gaierror URLError ConnectionRefusedError', [[/^/, 'Programs here have no network.']]],
  ['OSError', [[/Network is unreachable|Host is unreachable/, 'Programs here have no network.']]],
  [
    'RuntimeError',
    [
      [
        /^can't start new thread/,
        'Programs here run in one thread. Do one thing after the other, or use asyncio.',
      ],
      [
        /^(dictionary|Set) changed size during iteration/,
        'Items are added or removed while a loop goes through them. Go through a copy: for item in list(items).',
      ],
    ],
  ],
  [
    'SystemExit',
    [[/^/, 'The program ended itself before the test could call it. Leave out exit() and quit().']],
  ],
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
  for (const [pattern, text, at] of rulesFor(RULES, name)) {
    const match = at && !at.test(line ?? '') ? null : pattern.exec(message);
    if (!match) continue;
    // A name of the learner's own may be that of a type; only messages about types have their names put in words.
    const groups = name === 'TypeError' ? match.map((group) => group && inWords(group)) : match;
    return fill(text, groups, Infinity);
  }
  return null;
}

/** What the type checker's commonest complaints mean, by their number, in plain words. */
interface Rule {
  code: number | readonly number[];
  message?: RegExp;
  text: string;
}

const ASSIGNED = /^Type '([\s\S]+?)' is not assignable to type '([\s\S]+?)'\./;
const PASSED = /^Argument of type '([\s\S]+?)' is not assignable to parameter of type '([\s\S]+?)'\./;

const RULES: readonly Rule[] = [
  {
    code: [2304, 2552, 2584],
    message: /^Cannot find name '(document|window|alert|fetch|localStorage|navigator)'/,
    text: '"$1" belongs to a web page. This program runs without one: use console.log to show something and prompt() to read input.',
  },
  {
    code: [2304, 2580, 2591],
    message: /^Cannot find name '(require|module|exports|process|Buffer)'/,
    text: '"$1" belongs to Node.js programs made of several files. Here the program is one file and has no modules.',
  },
  {
    code: [2304, 2503],
    message: /^Cannot find (?:name|namespace) '(.+?)'/,
    text: 'The name "$1" is used but was never declared. Check its spelling, and that it is declared where this line can see it. Text needs quotes around it.',
  },
  {
    code: 2552,
    message: /^Cannot find name '(.+?)'\. Did you mean '(.+?)'/,
    text: '"$1" was never declared, but "$2" was. Is it a slip of the keys?',
  },
  {
    code: 2322,
    message: /^Type '(null|undefined)' is not assignable to type '(.+?)'\./,
    text: '$1 does not belong to the type $2. If it may be missing, say so in the type: $2 | $1.',
  },
  {
    code: 2322,
    message: /^Type '(.+ \| (?:null|undefined))' is not assignable to type '(.+?)'\./,
    text: 'The value may be missing, and the type $2 has no place for that. Ask first whether it is there, or say with ?? what counts instead.',
  },
  {
    code: 2322,
    message: ASSIGNED,
    text: 'A value of the type $1 stands where a $2 belongs. Change the value, or the type that is written for it.',
  },
  {
    code: 2345,
    message: PASSED,
    text: 'The function asks for a $2 and is given a $1. Look at the types of its parameters, and at what is passed in the same place.',
  },
  {
    code: [2339, 2551],
    message: /^Property '(.+?)' does not exist on type '([\s\S]+?)'\. Did you mean '(.+?)'/,
    text: 'There is no "$1" here, but there is "$3". Is it a slip of the keys?',
  },
  {
    code: 2339,
    message: /^Property '(.+?)' does not exist on type '(never|unknown)'\./,
    text: 'TypeScript does not know what this value is at this place, so nothing can be taken from it. Say its type where it is declared, or ask for it with typeof or instanceof.',
  },
  {
    code: 2339,
    message: /^Property '(.+?)' does not exist on type 'readonly .*\[\]'\./,
    text: 'A readonly list cannot be changed, so it has no "$1". Make a new one: [...list], toSorted, filter.',
  },
  {
    code: 2339,
    message: /^Property '(.+?)' does not exist on type '(.+ \| .+)'\./,
    text: 'Not every type that this value may have has "$1". Find out first which one it is, with typeof, in or a comparison.',
  },
  {
    code: 2339,
    message: /^Property '(.+?)' does not exist on type '([\s\S]+?)'\./,
    text: 'The type $2 has no "$1". Check the spelling, and whether the type should name it.',
  },
  {
    code: [2554, 2555],
    message: /^Expected (?:at least )?(\S+) arguments?, but got (\d+)\./,
    text: 'The call passes $2 values and the function takes $1. A parameter that may be left out is marked with ?, or has a value to begin with.',
  },
  {
    code: [2531, 18_047],
    message: /(null)/,
    text: 'This value may be null, and then it has nothing inside. Ask first whether it is there, with if (… !== null) or ?., or say with ?? what counts instead.',
  },
  {
    code: [2532, 18_048],
    message: /(undefined)/,
    text: 'By its type this value may be undefined. Ask first with if (… !== undefined) or ?., say with ?? what counts instead, or take undefined out of a type that you wrote.',
  },
  {
    code: [2533, 18_049],
    text: 'This value may be null or undefined, and then it has nothing inside. Ask first whether it is there, or say with ?? what counts instead.',
  },
  {
    code: 18_046,
    message: /^'(.+?)' is of type 'unknown'/,
    text: 'Nothing is known of "$1", so nothing may be done with it. Ask first what it is, with typeof or instanceof.',
  },
  {
    code: [7006, 7031],
    message: /'(.+?)' implicitly has an '(?:any)' type/,
    text: 'The type of "$1" has to be written: $1: number, for example.',
  },
  {
    code: [7005, 7034],
    message: /^Variable '(.+?)' implicitly has/,
    text: 'TypeScript cannot tell what will be in "$1". Write its type where it is declared, such as const $1: number[] = [].',
  },
  {
    code: 7053,
    text: 'TypeScript does not know that this key is one of the object’s. Give the key the type keyof …, or the object a type such as Record<string, number>.',
  },
  {
    code: [2741, 2739, 2740],
    message:
      /^(?:Property '(.+?)' is missing|Type .* is missing the following properties from type '.+?': ([^\n]+))/s,
    text: 'The object lacks what its type asks for: $1$2. Add it, or mark it with ? in the type if it may be left out.',
  },
  {
    code: [2353, 2561],
    message: /'(.+?)' does not exist in type '([\s\S]+?)'/,
    text: 'The type $2 has no "$1", so an object that is written for it may not have it either. Check the spelling, or add it to the type.',
  },
  {
    code: [2362, 2363],
    text: 'Only numbers can be calculated with. Turn a text into a number first, with Number(…).',
  },
  {
    code: 2365,
    message: /^Operator '(.+?)' cannot be applied to types '([\s\S]+?)' and '([\s\S]+?)'\./,
    text: '$1 does not go between a $2 and a $3. Bring both to the same type first, such as with Number(…) or String(…).',
  },
  {
    code: 2367,
    message: /types '([\s\S]+?)' and '([\s\S]+?)' have no overlap/,
    text: 'A $1 is never the same as a $2, so the comparison always has the same result. Check both sides, and the spelling of texts.',
  },
  {
    code: [2300, 2451],
    message: /'(.+?)'/,
    text: 'The name "$1" is declared twice. Choose another one, or leave one declaration out.',
  },
  {
    code: 2393,
    text: 'There are two functions of this name. Choose another name for one of them.',
  },
  {
    code: 2588,
    message: /'(.+?)'/,
    text: 'A const keeps its first value. Declare "$1" with let if it has to change.',
  },
  {
    code: 2540,
    message: /'(.+?)'/,
    text: '"$1" is readonly: it gets its value once, when the object is made. Make a new object instead, or leave readonly out.',
  },
  {
    code: 2542,
    text: 'This list or object is readonly: nothing in it may be changed. Make a new one instead.',
  },
  {
    code: 2564,
    message: /^Property '(.+?)'/,
    text: '"$1" has no value yet when an object is made. Give it one where it is declared or in the constructor, or add undefined to its type.',
  },
  {
    code: 2454,
    message: /^Variable '(.+?)'/,
    text: '"$1" is used before it has been given a value. Give it one on every way that leads here.',
  },
  {
    code: 2769,
    text: 'The function can be called in several ways, and the call fits none of them. Compare the types of what is passed with each of them.',
  },
  {
    code: [2366, 7030],
    text: 'On one way through the function nothing is returned. Return something at its end too, or add undefined to the type that it gives back.',
  },
  {
    code: 2355,
    text: 'The function promises to give something back and has no return. Add it, or write void for the type that it gives back.',
  },
  {
    code: 2420,
    message: /^Class '(.+?)' incorrectly implements interface '([\s\S]+?)'\./,
    text: 'The class $1 says that it implements $2 and lacks something of it, or has it with another type. The rest of the message names it.',
  },
  {
    code: [2416, 2430, 2415],
    text: 'What is taken over from a class or interface may not get another type that does not fit. The rest of the message says which part differs.',
  },
  {
    code: [2515, 2654],
    text: 'A class that extends an abstract one has to write the methods that are abstract there.',
  },
  {
    code: 2511,
    text: 'An abstract class has no objects of its own. Make one of a class that extends it.',
  },
  {
    code: [2341, 2445],
    message: /^Property '(.+?)' is/,
    text: '"$1" can be used inside its class alone. Use a method of the class, or leave private or protected out.',
  },
  {
    code: 2314,
    message: /^Generic type '(.+?)(?:<.*)?' requires (\d+)/,
    text: 'The type $1 needs to know the type of what is in it, in angle brackets: $1<string>, for example.',
  },
  {
    code: 2344,
    text: 'The type in the angle brackets does not have what stands behind extends. Use one that does.',
  },
  {
    code: [2349, 2348],
    text: 'What stands before the parentheses is no function. Check the name, and whether a * is missing.',
  },
  {
    code: 2352,
    text: 'The two types have nothing in common, so "as" does not turn one into the other. Convert the value, such as with Number(…) or String(…).',
  },
  {
    code: [2307, 6053, 6231, 2688, 2726],
    text: 'Here the program is one file and has no modules. Leave out what asks for another one.',
  },
  {
    code: 2693,
    message: /^'(.+?)' only refers to a type/,
    text: '"$1" is a type. Types are gone when the program runs, so they cannot be used as values.',
  },
  {
    code: 2749,
    message: /^'(.+?)' refers to a value/,
    text: '"$1" is a value. For its type write typeof $1.',
  },
  {
    code: 2578,
    text: 'The line below has no error any more: leave the comment out.',
  },
  {
    code: 1005,
    message: /^'(.+?)' expected\./,
    text: 'Here or just before it a $1 is missing, or something is too much.',
  },
  {
    code: [1109, 1128, 1003, 1131, 1136],
    text: 'This does not fit here. Something before it is missing or too much.',
  },
  {
    code: 1002,
    text: 'The quote that ends this text is missing.',
  },
  {
    code: 1160,
    text: 'The backtick that ends this text is missing.',
  },
];

const BY_CODE = new Map<number, Rule[]>();
for (const rule of RULES) {
  for (const code of [rule.code].flat()) BY_CODE.set(code, [...(BY_CODE.get(code) ?? []), rule]);
}

export function explainTypeScript(code: number, message: string): string | null {
  for (const { message: pattern, text } of BY_CODE.get(code) ?? []) {
    const match = pattern ? pattern.exec(message) : [];
    if (match) return text.replace(/\$(\d)/g, (_, at: string) => match[Number(at)] ?? '');
  }
  return null;
}

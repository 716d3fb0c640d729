import { fill, NODE, PAGE } from '#src/judge/explanations/rules.ts';

/** What the type checker's commonest complaints mean, by their number, in plain words. */
type Rule = [code: number | readonly number[], text: string, message?: RegExp];

const ASSIGNED = /^Type '([\s\S]+?)' is not assignable to type '([\s\S]+?)'\./;
const PASSED = /^Argument of type '([\s\S]+?)' is not assignable to parameter of type '([\s\S]+?)'\./;

const RULES: readonly Rule[] = [
  [[2304, 2552, 2584], PAGE, /^Cannot find name '(document|window|alert|fetch|localStorage|navigator)'/],
  [[2304, 2580, 2591], NODE, /^Cannot find name '(require|module|exports|process|Buffer)'/],
  [
    [2304, 2503],
    'The name "$1" is used but was never declared. Check its spelling, and that it is declared where this line can see it. Text needs quotes around it.',
    /^Cannot find (?:name|namespace) '(.+?)'/,
  ],
  [
    2552,
    '"$1" was never declared, but "$2" was. Is it a slip of the keys?',
    /^Cannot find name '(.+?)'\. Did you mean '(.+?)'/,
  ],
  [
    2322,
    '$1 does not belong to the type $2. If it may be missing, say so in the type: $2 | $1.',
    /^Type '(null|undefined)' is not assignable to type '(.+?)'\./,
  ],
  [
    2322,
    'The value may be missing, and the type $2 has no place for that. Ask first whether it is there, or say with ?? what counts instead.',
    /^Type '(.+ \| (?:null|undefined))' is not assignable to type '(.+?)'\./,
  ],
  [
    2322,
    'A value of the type $1 stands where a $2 belongs. Change the value, or the type that is written for it.',
    ASSIGNED,
  ],
  [
    2345,
    'The function asks for a $2 and is given a $1. Look at the types of its parameters, and at what is passed in the same place.',
    PASSED,
  ],
  [
    [2339, 2551],
    'There is no "$1" here, but there is "$3". Is it a slip of the keys?',
    /^Property '(.+?)' does not exist on type '([\s\S]+?)'\. Did you mean '(.+?)'/,
  ],
  [
    2339,
    'TypeScript does not know what this value is at this place, so nothing can be taken from it. Say its type where it is declared, or ask for it with typeof or instanceof.',
    /^Property '(.+?)' does not exist on type '(never|unknown)'\./,
  ],
  [
    2339,
    'A readonly list cannot be changed, so it has no "$1". Make a new one: [...list], toSorted, filter.',
    /^Property '(.+?)' does not exist on type 'readonly .*\[\]'\./,
  ],
  [
    2339,
    'Not every type that this value may have has "$1". Find out first which one it is, with typeof, in or a comparison.',
    /^Property '(.+?)' does not exist on type '(.+ \| .+)'\./,
  ],
  [
    2339,
    'The type $2 has no "$1". Check the spelling, and whether the type should name it.',
    /^Property '(.+?)' does not exist on type '([\s\S]+?)'\./,
  ],
  [
    [2554, 2555],
    'The call passes $2 values and the function takes $1. A parameter that may be left out is marked with ?, or has a value to begin with.',
    /^Expected (?:at least )?(\S+) arguments?, but got (\d+)\./,
  ],
  [
    [2531, 18_047],
    'This value may be null, and then it has nothing inside. Ask first whether it is there, with if (… !== null) or ?., or say with ?? what counts instead.',
    /(null)/,
  ],
  [
    [2532, 18_048],
    'By its type this value may be undefined. Ask first with if (… !== undefined) or ?., say with ?? what counts instead, or take undefined out of a type that you wrote.',
    /(undefined)/,
  ],
  [
    [2533, 18_049],
    'This value may be null or undefined, and then it has nothing inside. Ask first whether it is there, or say with ?? what counts instead.',
  ],
  [
    18_046,
    'Nothing is known of "$1", so nothing may be done with it. Ask first what it is, with typeof or instanceof.',
    /^'(.+?)' is of type 'unknown'/,
  ],
  [
    [7006, 7031],
    'The type of "$1" has to be written: $1: number, for example.',
    /'(.+?)' implicitly has an '(?:any)' type/,
  ],
  [
    [7005, 7034],
    'TypeScript cannot tell what will be in "$1". Write its type where it is declared, such as const $1: number[] = [].',
    /^Variable '(.+?)' implicitly has/,
  ],
  [
    7053,
    'TypeScript does not know that this key is one of the object’s. Give the key the type keyof …, or the object a type such as Record<string, number>.',
  ],
  [
    [2741, 2739, 2740],
    'The object lacks what its type asks for: $1$2. Add it, or mark it with ? in the type if it may be left out.',
    /^(?:Property '(.+?)' is missing|Type .* is missing the following properties from type '.+?': ([^\n]+))/s,
  ],
  [
    [2353, 2561],
    'The type $2 has no "$1", so an object that is written for it may not have it either. Check the spelling, or add it to the type.',
    /'(.+?)' does not exist in type '([\s\S]+?)'/,
  ],
  [[2362, 2363], 'Only numbers can be calculated with. Turn a text into a number first, with Number(…).'],
  [
    2365,
    '$1 does not go between a $2 and a $3. Bring both to the same type first, such as with Number(…) or String(…).',
    /^Operator '(.+?)' cannot be applied to types '([\s\S]+?)' and '([\s\S]+?)'\./,
  ],
  [
    2367,
    'A $1 is never the same as a $2, so the comparison always has the same result. Check both sides, and the spelling of texts.',
    /types '([\s\S]+?)' and '([\s\S]+?)' have no overlap/,
  ],
  [
    [2300, 2451],
    'The name "$1" is declared twice. Choose another one, or leave one declaration out.',
    /'(.+?)'/,
  ],
  [2393, 'There are two functions of this name. Choose another name for one of them.'],
  [2588, 'A const keeps its first value. Declare "$1" with let if it has to change.', /'(.+?)'/],
  [
    2540,
    '"$1" is readonly: it gets its value once, when the object is made. Make a new object instead, or leave readonly out.',
    /'(.+?)'/,
  ],
  [2542, 'This list or object is readonly: nothing in it may be changed. Make a new one instead.'],
  [
    2564,
    '"$1" has no value yet when an object is made. Give it one where it is declared or in the constructor, or add undefined to its type.',
    /^Property '(.+?)'/,
  ],
  [
    2454,
    '"$1" is used before it has been given a value. Give it one on every way that leads here.',
    /^Variable '(.+?)'/,
  ],
  [
    2769,
    'The function can be called in several ways, and the call fits none of them. Compare the types of what is passed with each of them.',
  ],
  [
    [2366, 7030],
    'On one way through the function nothing is returned. Return something at its end too, or add undefined to the type that it gives back.',
  ],
  [
    2355,
    'The function promises to give something back and has no return. Add it, or write void for the type that it gives back.',
  ],
  [
    2420,
    'The class $1 says that it implements $2 and lacks something of it, or has it with another type. The rest of the message names it.',
    /^Class '(.+?)' incorrectly implements interface '([\s\S]+?)'\./,
  ],
  [
    [2416, 2430, 2415],
    'What is taken over from a class or interface may not get another type that does not fit. The rest of the message says which part differs.',
  ],
  [[2515, 2654], 'A class that extends an abstract one has to write the methods that are abstract there.'],
  [2511, 'An abstract class has no objects of its own. Make one of a class that extends it.'],
  [
    [2341, 2445],
    '"$1" can be used inside its class alone. Use a method of the class, or leave private or protected out.',
    /^Property '(.+?)' is/,
  ],
  [
    2314,
    'The type $1 needs to know the type of what is in it, in angle brackets: $1<string>, for example.',
    /^Generic type '(.+?)(?:<.*)?' requires (\d+)/,
  ],
  [2344, 'The type in the angle brackets does not have what stands behind extends. Use one that does.'],
  [
    [2349, 2348],
    'What stands before the parentheses is no function. Check the name, and whether a * is missing.',
  ],
  [
    2352,
    'The two types have nothing in common, so "as" does not turn one into the other. Convert the value, such as with Number(…) or String(…).',
  ],
  [
    [2307, 6053, 6231, 2688, 2726],
    'Here the program is one file and has no modules. Leave out what asks for another one.',
  ],
  [
    2693,
    '"$1" is a type. Types are gone when the program runs, so they cannot be used as values.',
    /^'(.+?)' only refers to a type/,
  ],
  [2749, '"$1" is a value. For its type write typeof $1.', /^'(.+?)' refers to a value/],
  [2578, 'The line below has no error any more: leave the comment out.'],
  [1005, 'Here or just before it a $1 is missing, or something is too much.', /^'(.+?)' expected\./],
  [[1109, 1128, 1003, 1131, 1136], 'This does not fit here. Something before it is missing or too much.'],
  [1002, 'The quote that ends this text is missing.'],
  [1160, 'The backtick that ends this text is missing.'],
];

export function explainTypeScript(code: number, message: string): string | null {
  for (const [codes, text, pattern] of RULES) {
    const match = [codes].flat().includes(code) ? (pattern?.exec(message) ?? (pattern ? null : [])) : null;
    if (match) return fill(text, match, Infinity);
  }
  return null;
}

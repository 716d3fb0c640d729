import {
  type AnonymousFunctionDeclaration,
  type AnyNode,
  type ArrowFunctionExpression,
  type CallExpression,
  type FunctionDeclaration,
  type FunctionExpression,
  type MemberExpression,
  Parser,
  type Pattern,
} from 'acorn';

/**
 * Whether a program is plain: it changes its own variables and objects that it has just made, and cannot get at anything
 * of the language's library that could be changed, so that a second run in the same context finds what the first one
 * found. Making a context for each test is half of what a test costs; plain programs are spared it.
 *
 * The library's objects are reached by names alone: every name is either one that no object of the library has, or one
 * of those listed here. What is computed between brackets is a number, unless the member's value becomes a number or a
 * text at once. Whatever the check does not know makes a program not plain, which costs time and nothing else.
 */

/** Characters; longer programs take longer to read than is saved. The site's process reads them. */
const LONGEST = 8_000;
/** Blocks and functions inside each other: names are looked for through all of them. */
const DEEPEST = 50;
/** Parts of patterns that the parser looks at; it looks at inner ones once for each level. */
const MOST_PATTERN_PARTS = 8_000;
/** Calls after each other on one object. */
const LONGEST_CHAIN = 20;

/** Texts that hide names from the check, or that no plain program needs. */
const NEVER = /__|prototype|\(\?<[^=!]|\\[ux0-9\r\n\u2028\u2029]|constructor/;

const words = (text: string) => new Set(text.split(/\s+/));

const CONSTANTS = words('undefined NaN Infinity');
/** Functions that may be called, made with `new`, or handed to a call; the last two are the sandbox's own. */
const FUNCTIONS = words(
  `Array Map Set Number String Boolean BigInt parseInt parseFloat isNaN isFinite Error TypeError RangeError
  prompt readline`,
);
/** What is asked of names of the library. */
const MEMBERS_OF = new Map<string, Set<string>>([
  // Random numbers come in batches, and a program can see where one ends.
  ['Math', new Set(Object.getOwnPropertyNames(Math).filter((name) => name !== 'random'))],
  ['JSON', words('parse stringify')],
  ['console', words('log info warn error debug table')],
  ['Object', words('keys values entries is hasOwn')],
  ['Array', words('from of isArray')],
  ['String', words('fromCharCode fromCodePoint')],
  [
    'Number',
    words(
      `EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER MAX_VALUE MIN_VALUE POSITIVE_INFINITY NEGATIVE_INFINITY
      isInteger isSafeInteger isFinite isNaN parseFloat parseInt`,
    ),
  ],
]);
/** Those of them that give a new object. */
const MAKING_OF = words('Object.keys Object.values Object.entries Array.from Array.of');
/** Every function has the one, and inputs are evaluated by the other. */
const OWN_OF_RUNS = words('arguments eval');
const NUMBERS = words('Number parseInt parseFloat');
/** Those that give a number, a text or a truth value, whatever they are called with. */
const GIVING_PRIMITIVES = words('Number String Boolean parseInt parseFloat isNaN isFinite');

/** Methods that change their object. */
const CHANGING = words('push pop shift unshift splice sort reverse fill copyWithin set add delete clear');
/** Those of them that give it back. */
const GIVING_BACK = words('sort reverse fill set add');
const FOLDING = words('reduce reduceRight');
/** Methods that give a new object. */
const MAKING = words('slice split map filter concat flat flatMap toSorted toReversed toSpliced with');
/** Values that change nothing, and names that programs also give to members of their own. */
const DATA = words('name message length size description cause stack source flags value done');
const READING = words(
  `at charAt charCodeAt codePointAt endsWith startsWith includes indexOf lastIndexOf localeCompare match matchAll
  normalize padEnd padStart repeat replace replaceAll search substring toLowerCase toUpperCase trim trimStart trimEnd
  entries keys values every some find findIndex findLast findLastIndex forEach join reduce reduceRight
  toFixed toPrecision toExponential toString toLocaleString hasOwnProperty get has test exec next
  union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom`,
);

/** Names by which an object that a program can hold has something of the library. */
const LIBRARY = new Set([
  'arguments',
  'caller',
  'callee',
  ...[Object, Function, Array, String, Number, Boolean, BigInt, Symbol, Map, Set, RegExp, Date, Promise]
    .concat([Error, ArrayBuffer, DataView, WeakMap, WeakSet, Object.getPrototypeOf(Int8Array)] as never)
    .flatMap((type) => [type, type.prototype])
    .concat(
      [[], '', new Map(), new Set(), 'a'.matchAll(/a/g)].map((all) =>
        Object.getPrototypeOf((all as unknown[])[Symbol.iterator]()),
      ),
      typeof Iterator === 'function' ? [Iterator, Iterator.prototype] : [],
    )
    .flatMap((object) => Object.getOwnPropertyNames(object)),
]);

/** Statements and expressions that are as harmless as their parts, with the members that hold these. */
const PARTS = new Map(
  Object.entries({
    ArrayExpression: 'elements',
    ArrayPattern: 'elements',
    ChainExpression: 'expression',
    EmptyStatement: '',
    Literal: '',
    LogicalExpression: 'left right',
    ObjectExpression: 'properties',
    ObjectPattern: 'properties',
    RestElement: 'argument',
    SequenceExpression: 'expressions',
    SpreadElement: 'argument',
    ThrowStatement: 'argument',
    TryStatement: 'block handler finalizer',
    VariableDeclaration: 'declarations',
  }).map(([type, members]) => [type, members.split(' ').filter(Boolean)]),
);
const ARITHMETIC = words('- * / % ** & | ^ << >> >>>');

interface Binding {
  /** Only ever holds an object that the program has just made. */
  isOwn: boolean;
  /** Only ever holds a number, as far as was seen. */
  isNumber: boolean;
  /** It was taken for a number between brackets. */
  isKey: boolean;
  /** It was taken for an object of the program's own making. */
  isTrusted: boolean;
}

interface Scope {
  names: Map<string, Binding>;
  outer: Scope | null;
  isFunction: boolean;
  /** Of a function that `reduce` calls: its first parameter, which is given what the function gave before. */
  folds: Binding | null;
}

/** Thrown inside the check alone. */
const NOT_PLAIN = new Error('not plain');

function refuse(): never {
  throw NOT_PLAIN;
}

function childrenOf(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const value of Object.values(node)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (typeof part === 'object' && part !== null && typeof part.type === 'string') found.push(part);
    }
  }
  return found;
}

const isFunction = ({ type }: AnyNode) => type.includes('Function');

function hasInside(node: AnyNode, wanted: (node: AnyNode) => boolean, intoFunctions: boolean): boolean {
  if (wanted(node)) return true;
  if (isFunction(node) && !intoFunctions) return false;
  return childrenOf(node).some((child) => hasInside(child, wanted, intoFunctions));
}

const isVar = (node: AnyNode) => node.type === 'VariableDeclaration' && node.kind === 'var';

/** The name of a member that is written down; null where it is computed. */
function memberName(node: MemberExpression): string | null {
  return !node.computed && node.property.type === 'Identifier' ? node.property.name : null;
}

/** "Array.from"; null where it is no member of a name. */
function fullName(node: AnyNode): string | null {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return null;
  return `${node.object.name}.${memberName(node)}`;
}

/** Whether an expression gives an object that nobody else holds. No plain program has methods of these names. */
function makesObject(node: AnyNode | null | undefined, links = 0): boolean {
  if (!node || links > LONGEST_CHAIN) return false;
  if (['ArrayExpression', 'ObjectExpression', 'NewExpression'].includes(node.type)) return true;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const name = memberName(node.callee) ?? '';
  return (
    MAKING.has(name) ||
    MAKING_OF.has(fullName(node.callee)!) ||
    (GIVING_BACK.has(name) && makesObject(node.callee.object, links + 1))
  );
}

/** Whether a call is one of these functions or of `Math`, so that it keeps nothing of what it is called with. */
function callsOneOf(names: Set<string>, { callee }: CallExpression): boolean {
  return callee.type === 'Identifier'
    ? names.has(callee.name)
    : (fullName(callee)?.startsWith('Math.') ?? false);
}

/** Goes through one program or input. */
class Check {
  /** Names that an input takes from its program; null for a program, which must know all of its own. */
  readonly taken: Set<string> | null;
  readonly #text: string;
  /** Few programs have any, and looking for them costs as much as all the rest. */
  readonly #hasVars: boolean;

  constructor(text: string, isInput: boolean) {
    this.taken = isInput ? new Set() : null;
    this.#text = text;
    this.#hasVars = /\bvar\b/.test(text);
  }

  program(body: AnyNode[]): Set<string> {
    // The global object would keep it for the next run.
    if (this.#hasVars && body.some((node) => hasInside(node, isVar, false))) refuse();
    const scope = this.#open(null, body);
    for (const node of body) this.#visit(node, scope, true);
    return new Set(scope.names.keys());
  }

  #open(outer: Scope | null, body: AnyNode[]): Scope {
    const scope: Scope = { names: new Map(), outer, isFunction: false, folds: null };
    for (const node of body) this.#declare(node, scope);
    return scope;
  }

  /** Makes the names of a declaration known before what uses them is read. `var` belongs to its function. */
  #declare(node: AnyNode, scope: Scope): void {
    if (node.type === 'FunctionDeclaration') {
      if (node.id) this.#name(node.id.name, scope);
    } else if (node.type === 'VariableDeclaration' && !isVar(node)) {
      if (node.kind !== 'let' && node.kind !== 'const') refuse();
      for (const { id, init } of node.declarations) this.#pattern(id, scope, init);
    }
  }

  #declareVars(node: AnyNode, scope: Scope): void {
    if (isFunction(node)) return;
    if (node.type === 'VariableDeclaration' && isVar(node)) {
      for (const { id, init } of node.declarations) this.#pattern(id, scope, init);
    }
    for (const child of childrenOf(node)) this.#declareVars(child, scope);
  }

  #name(name: string, scope: Scope, init?: AnyNode | null, isRest = false): void {
    if (CONSTANTS.has(name) || FUNCTIONS.has(name) || MEMBERS_OF.has(name) || OWN_OF_RUNS.has(name)) refuse();
    const isOwn = isRest || makesObject(init);
    // Its initial value is read where it stands: names may mean something else there.
    const isNumber = Boolean(init);
    const known = scope.names.get(name);
    if (!known) scope.names.set(name, { isOwn, isNumber, isKey: false, isTrusted: false });
    else {
      known.isOwn &&= isOwn;
      if (!isNumber) this.#loseNumber(known);
    }
  }

  #loseNumber(binding: Binding): void {
    if (binding.isKey) refuse();
    binding.isNumber = false;
  }

  #pattern(node: Pattern, scope: Scope, init?: AnyNode | null, isRest = false): void {
    if (node.type === 'Identifier') this.#name(node.name, scope, init, isRest);
    else if (node.type === 'AssignmentPattern') this.#pattern(node.left, scope);
    else if (node.type === 'RestElement') this.#pattern(node.argument, scope, null, true);
    else if (node.type === 'ArrayPattern') {
      for (const element of node.elements) if (element) this.#pattern(element, scope);
    } else if (node.type === 'ObjectPattern') {
      for (const property of node.properties) {
        this.#pattern(property.type === 'RestElement' ? property : property.value, scope);
      }
    } else refuse();
  }

  #find(name: string, from: Scope): Binding | null {
    for (let scope: Scope | null = from; scope; scope = scope.outer) {
      const binding = scope.names.get(name);
      if (binding) return binding;
    }
    return null;
  }

  /** Whether an expression gives an object of the program's own making. */
  #isOwn(node: AnyNode, scope: Scope): boolean {
    if (node.type !== 'Identifier') return makesObject(node);
    const binding = this.#find(node.name, scope);
    if (!binding?.isOwn) return false;
    binding.isTrusted = true;
    return true;
  }

  /** Whether an expression gives a number, whatever its parts are. */
  #isNumber(node: AnyNode, scope: Scope): boolean {
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'number';
      case 'UnaryExpression':
        return ['-', '+', '~'].includes(node.operator);
      case 'UpdateExpression':
        return true;
      case 'BinaryExpression':
        if (node.operator !== '+') return ARITHMETIC.has(node.operator);
        return this.#isNumber(node.left, scope) && this.#isNumber(node.right, scope);
      case 'ConditionalExpression':
        return this.#isNumber(node.consequent, scope) && this.#isNumber(node.alternate, scope);
      case 'CallExpression':
        return callsOneOf(NUMBERS, node);
      case 'Identifier': {
        const binding = this.#find(node.name, scope);
        if (!binding?.isNumber) return false;
        binding.isKey = true;
        return true;
      }
      default:
        return false;
    }
  }

  /** Whether an expression gives no object, whatever its parts are. */
  #isPrimitive(node: AnyNode, scope: Scope): boolean {
    switch (node.type) {
      case 'Literal':
        return !node.regex;
      case 'TemplateLiteral':
      case 'BinaryExpression':
      case 'UnaryExpression':
        return true;
      case 'ConditionalExpression':
        return this.#isPrimitive(node.consequent, scope) && this.#isPrimitive(node.alternate, scope);
      case 'LogicalExpression':
        return this.#isPrimitive(node.left, scope) && this.#isPrimitive(node.right, scope);
      case 'CallExpression':
        return callsOneOf(GIVING_PRIMITIVES, node);
      default:
        return this.#isNumber(node, scope);
    }
  }

  #all(nodes: (AnyNode | null | undefined)[], scope: Scope): void {
    for (const node of nodes) if (node) this.#visit(node, scope);
  }

  #visit(node: AnyNode, scope: Scope, isTop = false): void {
    switch (node.type) {
      case 'Identifier':
        this.#use(node.name, scope);
        break;
      case 'FunctionDeclaration':
        // In a block it would also be a variable of the function around.
        if (!isTop) refuse();
        this.#function(node, scope);
        break;
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#function(node, scope);
        break;
      case 'BlockStatement':
        this.#all(node.body, this.#open(scope, node.body));
        break;
      case 'ExpressionStatement':
        // The parser may take a division in a new line for a pattern, and what is behind it for the pattern's text.
        if (this.#text[node.start] === '/') refuse();
        this.#visit(node.expression, scope);
        break;
      case 'BreakStatement':
      case 'ContinueStatement':
        if (node.label) refuse();
        break;
      case 'SwitchStatement': {
        const statements = node.cases.flatMap(({ consequent }) => consequent);
        this.#coerced(node.discriminant, scope);
        this.#all(node.cases, this.#open(scope, statements));
        break;
      }
      case 'SwitchCase':
        if (node.test) this.#coerced(node.test, scope);
        this.#all(node.consequent, scope);
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        this.#coerced(node.test, scope);
        this.#all([node.consequent, node.alternate], scope);
        break;
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.#coerced(node.test, scope);
        this.#visit(node.body, scope);
        break;
      case 'ForStatement': {
        const inner = this.#open(scope, node.init ? [node.init] : []);
        if (node.test) this.#coerced(node.test, inner);
        this.#all([node.init, node.update, node.body], inner);
        break;
      }
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.type === 'ForOfStatement' && node.await) refuse();
        // An old form gives the variable a value before the first round: `for (var n = 0 in all)`.
        if (node.left.type !== 'VariableDeclaration' || node.left.declarations[0]!.init) refuse();
        this.#all([node.left, node.right, node.body], this.#open(scope, [node.left]));
        break;
      case 'CatchClause': {
        const inner = this.#open(scope, []);
        if (node.param) this.#pattern(node.param, inner);
        this.#all([node.param, node.body], inner);
        break;
      }
      case 'VariableDeclarator':
        if (node.id.type !== 'Identifier') this.#visit(node.id, scope);
        else if (node.init && !this.#isNumber(node.init, scope)) {
          this.#loseNumber(this.#find(node.id.name, scope)!);
        }
        if (node.init) this.#visit(node.init, scope);
        break;
      case 'AssignmentPattern':
        // It would not see the variables of the body, which this check takes for its.
        if (hasInside(node.right, isFunction, true)) refuse();
        this.#all([node.left, node.right], scope);
        break;
      case 'BinaryExpression':
        this.#coerced(node.left, scope);
        if (node.operator === 'in' || node.operator === 'instanceof') this.#visit(node.right, scope);
        else this.#coerced(node.right, scope);
        break;
      case 'TemplateLiteral':
        for (const part of node.expressions) this.#coerced(part, scope);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') {
          if (node.argument.type === 'Identifier') refuse();
          this.#change(node.argument, scope, null, false);
        }
        this.#coerced(node.argument, scope);
        break;
      case 'UpdateExpression':
        this.#change(node.argument, scope, null, true);
        this.#coerced(node.argument, scope);
        break;
      case 'ReturnStatement':
        if (node.argument) this.#give(node.argument, scope);
        break;
      case 'AssignmentExpression':
        this.#assign(node, scope);
        break;
      case 'MemberExpression':
        this.#read(node, scope, false);
        break;
      case 'CallExpression':
        this.#call(node, scope);
        break;
      case 'NewExpression':
        if (node.callee.type !== 'Identifier' || !FUNCTIONS.has(node.callee.name)) refuse();
        this.#arguments(node.arguments, scope);
        break;
      case 'Property':
        if (node.kind !== 'init' || node.computed || this.#isMethodOfLibrary(node.key)) refuse();
        this.#visit(node.value, scope);
        break;
      default: {
        const members = PARTS.get(node.type);
        if (!members) refuse();
        for (const member of members) {
          const part = (node as unknown as Record<string, AnyNode | AnyNode[] | null>)[member];
          if (Array.isArray(part)) this.#all(part, scope);
          else if (part) this.#visit(part, scope);
        }
      }
    }
  }

  /**
   * A part whose value nobody keeps: it becomes a number or a text at once, or is only tested. It may come from a member
   * of any name, since a function of the library does no harm there.
   */
  #coerced(node: AnyNode, scope: Scope): void {
    if (node.type === 'MemberExpression') this.#read(node, scope, true);
    else if (node.type === 'ChainExpression') this.#coerced(node.expression, scope);
    else if (node.type === 'LogicalExpression') {
      this.#coerced(node.left, scope);
      this.#coerced(node.right, scope);
    } else if (node.type === 'ConditionalExpression') {
      for (const part of [node.test, node.consequent, node.alternate]) this.#coerced(part, scope);
    } else this.#visit(node, scope);
  }

  #read(node: MemberExpression, scope: Scope, isCoerced: boolean): void {
    // These could be called on another object, or made to fill one.
    if (CHANGING.has(memberName(node) ?? '') || MAKING_OF.has(fullName(node) ?? '')) refuse();
    this.#member(node, scope, isCoerced);
  }

  /** What a function gives. One that `reduce` calls gets it back as its first parameter. */
  #give(node: AnyNode, scope: Scope): void {
    let inside: Scope | null = scope;
    while (inside && !inside.isFunction) inside = inside.outer;
    const folds = inside?.folds;
    if (folds?.isOwn && !this.#isFolded(node, folds, scope)) {
      if (folds.isTrusted) refuse();
      folds.isOwn = false;
    }
    this.#visit(node, scope);
  }

  #isFolded(node: AnyNode, folds: Binding, scope: Scope): boolean {
    if (node.type === 'Identifier') return this.#find(node.name, scope) === folds;
    if (makesObject(node)) return true;
    return (
      node.type === 'CallExpression' &&
      node.callee.type === 'MemberExpression' &&
      GIVING_BACK.has(memberName(node.callee) ?? '') &&
      this.#isFolded(node.callee.object, folds, scope)
    );
  }

  /** Whether a program's own member would be taken for one of the library's. */
  #isMethodOfLibrary(key: AnyNode): boolean {
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
    return LIBRARY.has(name) && !DATA.has(name);
  }

  #use(name: string, scope: Scope): void {
    if (this.#find(name, scope) || CONSTANTS.has(name)) return;
    if (!this.taken || FUNCTIONS.has(name) || MEMBERS_OF.has(name)) refuse();
    this.taken.add(name);
  }

  #function(
    node: FunctionDeclaration | AnonymousFunctionDeclaration | FunctionExpression | ArrowFunctionExpression,
    outer: Scope,
    isFolding = false,
  ): void {
    if (node.async || node.generator) refuse();
    const scope = this.#open(outer, []);
    scope.isFunction = true;
    if (node.type === 'FunctionExpression' && node.id) this.#name(node.id.name, scope);
    const [first] = node.params;
    const folded = isFolding && first?.type === 'Identifier' ? first : null;
    for (const param of node.params) this.#pattern(param, scope, null, param === folded);
    if (folded) scope.folds = scope.names.get(folded.name)!;
    this.#all(
      node.params.filter(({ type }) => type !== 'Identifier'),
      scope,
    );
    const { body } = node;
    const statements = body.type === 'BlockStatement' ? body.body : [body];
    // A parameter's default does not see the names of the body.
    const inner = this.#open(scope, statements);
    if (this.#hasVars) for (const statement of statements) this.#declareVars(statement, inner);
    for (const [name, binding] of inner.names) {
      // `var` begins with what the parameter of its name was given.
      if (scope.names.has(name)) Object.assign(binding, { isOwn: false, isNumber: false });
    }
    if (body.type !== 'BlockStatement') this.#give(body, inner);
    else for (const statement of statements) this.#visit(statement, inner, true);
  }

  #assign(node: AnyNode & { type: 'AssignmentExpression' }, scope: Scope): void {
    const { operator, left, right } = node;
    const isArithmetic = ARITHMETIC.has(operator.slice(0, -1));
    const isNumber = isArithmetic || (['=', '+='].includes(operator) && this.#isNumber(right, scope));
    this.#change(left, scope, operator === '=' ? right : null, isNumber);
    const isCoerced = isArithmetic || operator === '+=';
    // A member of any name may get a number or a text: no method of the library comes of it.
    if (left.type === 'MemberExpression') {
      this.#read(left, scope, isCoerced || (operator === '=' && this.#isPrimitive(right, scope)));
    } else this.#visit(left, scope);
    if (isCoerced) this.#coerced(right, scope);
    else this.#visit(right, scope);
  }

  /** A variable or a member that gets another value. */
  #change(target: AnyNode, scope: Scope, value: AnyNode | null, isNumber: boolean): void {
    if (target.type === 'Identifier') {
      const binding = this.#find(target.name, scope);
      // Of nobody, it would be the global object's.
      if (!binding || (binding.isOwn && !makesObject(value))) refuse();
      if (!isNumber) this.#loseNumber(binding);
    } else if (target.type === 'MemberExpression') {
      if (!this.#isOwn(target.object, scope)) refuse();
      if (!target.computed && this.#isMethodOfLibrary(target.property)) refuse();
    } else refuse();
  }

  #member(node: MemberExpression, scope: Scope, isCoerced = false): void {
    const { object, property } = node;
    if (object.type === 'Identifier' && !this.#find(object.name, scope)) {
      const members = MEMBERS_OF.get(object.name);
      if (members || FUNCTIONS.has(object.name)) {
        if (!members?.has(memberName(node) ?? '')) refuse();
        // A second parameter of `parse` could put functions under any name.
        if (fullName(node) === 'JSON.parse') refuse();
        return;
      }
    }
    this.#visit(object, scope);
    const name = memberName(node);
    if (name === null) {
      if (!isCoerced && !this.#isNumber(property, scope)) refuse();
      this.#coerced(property, scope);
    } else if (LIBRARY.has(name) && ![CHANGING, MAKING, READING, DATA].some((known) => known.has(name))) {
      refuse();
    }
  }

  #call(node: CallExpression, scope: Scope): void {
    const { callee } = node;
    if (fullName(callee) === 'JSON.parse') {
      if (node.arguments.length !== 1 || node.arguments[0]!.type === 'SpreadElement') refuse();
    } else if (callee.type === 'MemberExpression') {
      if (CHANGING.has(memberName(callee) ?? '') && !this.#isOwn(callee.object, scope)) refuse();
      this.#member(callee, scope);
    } else if (callee.type !== 'Identifier' || !FUNCTIONS.has(callee.name)) this.#visit(callee, scope);
    const [first, initial, ...others] = node.arguments;
    const isFolding =
      callee.type === 'MemberExpression' && FOLDING.has(memberName(callee) ?? '') && makesObject(initial);
    // Nobody else can call a function without a name of its own.
    if (
      isFolding &&
      (first!.type === 'ArrowFunctionExpression' || (first!.type === 'FunctionExpression' && !first!.id))
    ) {
      this.#function(first as ArrowFunctionExpression | FunctionExpression, scope, true);
      this.#arguments([initial!, ...others], scope);
    } else this.#arguments(node.arguments, scope, callsOneOf(GIVING_PRIMITIVES, node));
  }

  /** The library's functions may be handed to a call, as to `map`. */
  #arguments(parts: AnyNode[], scope: Scope, areCoerced = false): void {
    for (const part of parts) {
      if (part.type === 'Identifier' && FUNCTIONS.has(part.name)) continue;
      if (areCoerced) this.#coerced(part, scope);
      else this.#visit(part, scope);
    }
  }
}

/** What the parser keeps to itself. */
interface Inside {
  scopeStack: unknown[];
  patternParts?: number;
  enterScope(flags: number): void;
  checkLValInnerPattern(...parts: unknown[]): void;
  validateRegExpFlags(state: { flags: string }): void;
}

/** Takes no text that it would read for long: it runs in the site's process. */
const BoundedParser = Parser.extend((Base) => {
  const { enterScope, checkLValInnerPattern, validateRegExpFlags } = Base.prototype as unknown as Inside;
  const Bounded = class extends Base {};
  const bounds: Partial<Inside> & ThisType<Inside> = {
    enterScope(flags) {
      if (this.scopeStack.length > DEEPEST) refuse();
      enterScope.call(this, flags);
    },
    checkLValInnerPattern(...parts) {
      this.patternParts = (this.patternParts ?? 0) + 1;
      if (this.patternParts > MOST_PATTERN_PARTS) refuse();
      checkLValInnerPattern.apply(this, parts);
    },
    validateRegExpFlags(state) {
      // The parser has the engine make every pattern, and some of Unicode take seconds.
      if (/[uv]/.test(state.flags)) refuse();
      validateRegExpFlags.call(this, state);
    },
  };
  Object.assign(Bounded.prototype, bounds);
  return Bounded as typeof Parser;
});

function read(text: string, isInput: boolean): { names: Set<string>; taken: Set<string> } | null {
  if (text.length > LONGEST || NEVER.test(text)) return null;
  try {
    const whole = isInput ? `(${text}\n)` : text;
    const { body } = BoundedParser.parse(whole, { ecmaVersion: 'latest', sourceType: 'script' });
    if (isInput && (body.length !== 1 || body[0]!.type !== 'ExpressionStatement')) return null;
    const check = new Check(whole, isInput);
    return { names: check.program(body), taken: check.taken ?? new Set() };
  } catch {
    // Not plain, not JavaScript, or deeper than this reads.
    return null;
  }
}

const KEPT = 2_000;
/** What inputs take from their programs; lessons ask the same ones again and again. */
const inputs = new Map<string, Set<string> | null>();

function takenBy(input: string): Set<string> | null {
  if (input.length > LONGEST) return null;
  const known = inputs.get(input);
  if (known !== undefined) return known;
  const taken = read(input, true)?.taken ?? null;
  if (inputs.size >= KEPT) inputs.clear();
  inputs.set(input, taken);
  return taken;
}

/**
 * Whether a program may run several times in one and the same context.
 *
 * @param code a program that the engine takes
 * @param asked expressions that are evaluated in its scope, each after a run of its own
 */
export function isPlain(code: string, asked: readonly string[]): boolean {
  const taken = asked.map(takenBy);
  if (taken.includes(null)) return false;
  const program = read(code, false);
  return program !== null && taken.every((names) => [...names!].every((name) => program.names.has(name)));
}

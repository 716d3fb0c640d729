import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePool } from '#src/judge/artifacts.ts';
import type { Language, Submission, Verdict } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';

// Every test of a submission finds the world as its program found it first (decision 50), whatever the tests before did.
const judge = new PatientJudge({ children: { web: 1, python: 1 } });
beforeAll(() => ensurePool('python'), 180_000);
afterAll(() => judge.stop());

/** The same input three times. */
function thrice(language: Language, code: string, input: string): Promise<Verdict> {
  const tests = Array.from({ length: 3 }, () => ({ input, expectedOutput: 'clean' }));
  return judge.judge({ language, code, tests });
}

async function expectClean(language: Language, code: string, input: string): Promise<void> {
  const { tests } = await thrice(language, code, input);
  expect(tests.map(({ got, error }) => got ?? error)).toEqual(['clean', 'clean', 'clean']);
}

/** What is asked, as an expression that is true where a mark is found, and how it is left, as statements. */
type Mark = [what: string, imports: string, found: string, leave: string];

const MODULES: Mark[] = [
  ['a name of builtins', 'import builtins', 'hasattr(builtins, "mark")', 'builtins.mark = 1'],
  ['a builtin function', 'import builtins', 'len([]) != 0', 'builtins.len = lambda x: 7'],
  ['a loaded module', 'import sys', '"mark" in sys.modules', 'sys.modules["mark"] = sys'],
  ['a module that is gone', 'import sys', '"json" not in sys.modules', 'del sys.modules["json"]'],
  [
    'a module in the place of another',
    'import sys, json',
    'not hasattr(__import__("json"), "dumps")',
    'sys.modules["json"] = sys',
  ],
  ['a constant of a module', 'import math', 'math.pi == 3', 'math.pi = 3'],
  ['a class of a module', 'import json', 'hasattr(json.JSONEncoder, "mark")', 'json.JSONEncoder.mark = 1'],
  [
    'a method of a class',
    'import fractions',
    'fractions.Fraction(1, 2) + 0 == 9',
    'fractions.Fraction.__add__ = lambda *_: 9',
  ],
  [
    'the code of a function',
    'import json',
    'json.dumps([]) == "9"',
    'json.dumps.__code__ = (lambda *a, **k: "9").__code__',
  ],
  [
    'the defaults of a function',
    'import textwrap',
    'textwrap.shorten.__kwdefaults__ is not None',
    'textwrap.shorten.__kwdefaults__ = {"x": 1}',
  ],
  ['a built-in type', 'import gc', 'hasattr(str, "mark")', 'gc.get_referents(str.__dict__)[0]["mark"] = 1'],
  [
    'a virtual base class',
    'import collections.abc',
    'isinstance(1, collections.abc.Sized)',
    'collections.abc.Sized.register(int)',
  ],
  [
    'a class of characters',
    'import string',
    'string.Template.delimiter == "%"',
    'string.Template.delimiter = "%"',
  ],
  [
    'a codec',
    'import codecs',
    '__import__("contextlib").suppress and _known(codecs)',
    'codecs.register(lambda n: codecs.lookup("utf-8") if n == "mark" else None)',
  ],
  [
    'an error handler',
    'import codecs',
    'b"\\xff".decode("ascii", "replace") == "9"',
    'codecs.register_error("replace", lambda e: ("9", e.end))',
  ],
  ['the collector', 'import gc', 'not gc.isenabled()', 'gc.disable()'],
  [
    'a callback of the collector',
    'import gc',
    'len(gc.callbacks) > 0',
    'gc.callbacks.append(lambda *_: None)',
  ],
  ['an exit function', 'import atexit', 'atexit._ncallbacks() > 0', 'atexit.register(print, end="")'],
  [
    'a tracer of threads',
    'import threading',
    'threading.gettrace() is not None',
    'threading.settrace(lambda *_: None)',
  ],
  [
    'a value of a thread',
    'import threading',
    'hasattr(threading.current_thread(), "mark")',
    'threading.current_thread().mark = 1',
  ],
  [
    'filters of warnings',
    'import warnings',
    'warnings.filters[0][0] == "error"',
    'warnings.simplefilter("error")',
  ],
  [
    'the generator of random numbers',
    'import random',
    'random.random.__self__ is not random._inst',
    'random._inst = random.Random(7)',
  ],
  ['the environment', 'import os', '"MARK" in os.environ', 'os.environ["MARK"] = "1"'],
  ['the folder', 'import os', 'os.getcwd() != "/home/learner"', 'os.chdir("/tmp")'],
  ['a file', 'import os', 'os.path.exists("mark")', 'open("mark", "w").close()'],
  [
    'a file among the temporary ones',
    'import os',
    'os.path.exists("/tmp/mark")',
    'open("/tmp/mark", "w").close()',
  ],
  ['an open file', 'import os', 'os.fstat(5) is None if _open(os) else False', 'os.open("mark", os.O_CREAT)'],
  [
    'the mode of its folder',
    'import os',
    'os.stat(".").st_mode & 0o777 != 0o777',
    'os.chmod(".", 0o777); os.chmod(".", 0o500)',
  ],
  ['the mask of files', 'import os', 'os.umask(0o22) == 0o77', 'os.umask(0o77)'],
  ['output that is closed', 'import os, sys', 'sys.stdout.closed', 'sys.stdout.close(); os.close(1)'],
  [
    'output that goes elsewhere',
    'import sys, io',
    'isinstance(sys.stdout, io.StringIO)',
    'sys.stdout = sys.__stdout__ = io.StringIO()',
  ],
  ['the limit of recursion', 'import sys', 'sys.getrecursionlimit() != 1000', 'sys.setrecursionlimit(77)'],
  ['the limit of digits', 'import sys', 'sys.get_int_max_str_digits() == 0', 'sys.set_int_max_str_digits(0)'],
  [
    'a handler of a signal',
    'import signal',
    'signal.getsignal(signal.SIGINT) is not signal.default_int_handler',
    'signal.signal(signal.SIGINT, lambda *_: None)',
  ],
  [
    'a finder of modules',
    'import sys',
    'len(sys.meta_path) > 3',
    'sys.meta_path.insert(0, type("F", (), {"find_spec": staticmethod(lambda *a: None)}))',
  ],
  ['a hook of paths', 'import sys', 'len(sys.path_hooks) == 0', 'sys.path_hooks.clear()'],
  ['the path of modules', 'import sys', 'sys.path == []', 'sys.path.clear()'],
  [
    'a module of its own',
    'import sys',
    '"mark" in sys.modules',
    'open("mark.py", "w").write("x = 1"); import mark',
  ],
  ['a hook of errors', 'import sys', 'sys.excepthook is not sys.__excepthook__', 'sys.excepthook = print'],
  ['a hook of values', 'import sys', 'sys.displayhook is not sys.__displayhook__', 'sys.displayhook = print'],
  ['a trace', 'import sys', 'sys.gettrace() is not None', 'sys.settrace(lambda *_: None)'],
  ['a profile', 'import sys', 'sys.getprofile() is not None', 'sys.setprofile(lambda *_: None)'],
  [
    'a monitor',
    'import sys',
    'sys.monitoring.get_tool(3) is not None',
    'sys.monitoring.use_tool_id(3, "mark")',
  ],
  [
    'a hook of asynchronous generators',
    'import sys',
    'sys.get_asyncgen_hooks()[0] is not None',
    'sys.set_asyncgen_hooks(print)',
  ],
  [
    'an audit hook',
    'import sys',
    '_audited(sys)',
    'sys.addaudithook(lambda e, a: 1 / 0 if e == "mark" else None)',
  ],
  [
    'a value of the context',
    'import contextvars, decimal',
    'len(contextvars.copy_context()) > 0',
    'decimal.getcontext().prec = 5; contextvars.ContextVar("v").set(1)',
  ],
  [
    'the precision of decimals',
    'import decimal',
    'decimal.getcontext().prec != 28',
    'decimal.getcontext().prec = 5',
  ],
  [
    'the locale',
    'import locale',
    '"mark" in locale._override_localeconv',
    'locale._override_localeconv["mark"] = 1',
  ],
  [
    'a level of logging',
    'import logging',
    'logging.root.level != 30 or len(logging.root.handlers) > 0',
    'logging.basicConfig(level=10)',
  ],
  [
    'the reader of pickles',
    'import copyreg',
    'complex not in copyreg.dispatch_table',
    'copyreg.dispatch_table.clear()',
  ],
  [
    'the loop of events',
    'import asyncio',
    'asyncio.events._event_loop_policy is None',
    'asyncio.events._event_loop_policy = None',
  ],
  ['the time that has passed', 'import time', 'time.time() > 2e9', 'time.sleep(5e8)'],
  ['the clock that is closed', 'import os, time', '_stopped(time)', 'os.close(3)'],
  ['a cycle with a destructor', 'import gc', '"mark" in gc.garbage', 'gc.garbage.append("mark")'],
  [
    'a subclass of a type',
    'import gc',
    'any(c.__name__ == "Mark" for c in int.__subclasses__())',
    'gc.disable(); m = type("Mark", (int,), {}); m.m = m; gc.freeze()',
  ],
  ['a big memory', 'import sys', 'hasattr(sys, "mark")', 'sys.mark = bytearray(60_000_000)'],
  [
    'a default of sockets',
    'import socket',
    'socket.getdefaulttimeout() is not None',
    'socket.setdefaulttimeout(3)',
  ],
];

/** The same without the word `import`, and with as little as can be of what gives a program away. */
const HIDDEN: Mark[] = [
  ['the module behind a function', '', 'hasattr(print.__self__, "mark")', 'print.__self__.mark = 1'],
  ['the names behind a class', '', '"mark" in _b()', '_b()["mark"] = 1'],
  ['an attribute of input', '', '"mark" in vars(input)', 'input.mark = 1'],
  ['an attribute of help', '', 'hasattr(help, "mark")', 'help.mark = 1'],
  ['the default of a prompt', '', 'input.__kwdefaults__ is not None', 'input.__kwdefaults__ = {}'],
  ['a cell of the judge', '', '"mark" in _cell()', '_cell()["mark"] = 1'],
  [
    'a frame of a generator',
    '',
    '"mark" in _g().gi_frame.f_builtins',
    '_g().gi_frame.f_builtins["mark"] = 1',
  ],
  ['a frame of an error', '', '"mark" in _t().tb_frame.f_builtins', '_t().tb_frame.f_builtins["mark"] = 1'],
  ['what a pattern names', '', '"mark" in _p()', '_p()["mark"] = 1'],
  [
    'what a text says',
    '',
    '"mark" in eval("__bui" + "ltins__").__dict__',
    'exec("__bui" + "ltins__.mark = 1")',
  ],
  [
    'what an import in a text gives',
    '',
    'hasattr(eval("__imp" + "ort__(\'sys\')"), "mark")',
    'exec("import sys\\nsys.mark = 1")',
  ],
];

const HELPERS = `
def _known(codecs):
  try: return codecs.lookup("mark") is not None
  except LookupError: return False
def _open(os):
  try: return os.fstat(5) is not None
  except OSError: return False
def _audited(sys):
  try: sys.audit("mark"); return False
  except ZeroDivisionError: return True
def _stopped(time):
  before = time.time()
  time.sleep(100)
  return time.time() - before < 100
def _b():
  return [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "Quitter"][0].__init__.__globals__["__builtins__"]
def _cell():
  return [c.cell_contents for c in input.__closure__ if type(c.cell_contents) is dict][0]
def _g():
  g = (x for x in [1])
  return g
def _t():
  try: 1 / 0
  except ZeroDivisionError as error: return error.__traceback__
def _p():
  match print:
    case object(__self__=found): return found.__dict__
`;

describe('python: a mark that one test leaves is not found by the next', () => {
  const cases = [...MODULES, ...HIDDEN].map((mark) => [mark[0], mark] as const);
  test.each(cases)('%s', async (_, [, imports, found, leave]) => {
    const code = `${imports}\n${HELPERS}\ndef seen():\n  was = ${found}\n  ${leave.replaceAll('; ', '\n  ')}\n  return "found" if was else "clean"\n`;
    await expectClean('python', code, 'seen()');
  });

  test.each([
    ['globals', 'n = 0\ndef seen():\n  global n\n  n += 1\n  return "clean" if n == 1 else n'],
    [
      'a default that grows',
      'def seen(found=[]):\n  found.append(1)\n  return "clean" if len(found) == 1 else found',
    ],
    [
      'a class attribute',
      'class A:\n  n = 0\ndef seen():\n  A.n += 1\n  return "clean" if A.n == 1 else A.n',
    ],
    [
      'a function attribute',
      'def seen():\n  seen.n = getattr(seen, "n", 0) + 1\n  return "clean" if seen.n == 1 else seen.n',
    ],
    [
      'a name that hides a builtin',
      'def seen():\n  global len\n  was = len([]) == 9\n  len = lambda x: 9\n  return "found" if was else "clean"',
    ],
    [
      'a generator that is under way',
      'def g():\n  yield "clean"\n  yield "found"\nit = g()\nseen = lambda: next(it)',
    ],
    ['all memory', 'def seen():\n  x = [0] * 5_000_000\n  return "clean"'],
    ['an error that is caught', 'def seen():\n  try: seen.x\n  except AttributeError: return "clean"'],
  ])('%s of a plain program', async (_, code) => {
    await expectClean('python', code, 'seen()');
  });

  test('what an error leaves under way', async () => {
    const code = `def g():
  try: yield 1
  finally: print("late")
it = g()
next(it)
def f(n):
  if n == 0: raise ValueError("x")
  return "ok"`;
    const tests = [0, 1].map((n) => ({ input: `f(${n})`, expectedOutput: 'ok' }));
    const verdict = await judge.judge({ language: 'python', code, tests });
    expect(verdict.tests.map(({ kind }) => kind)).toEqual(['runtime_error', 'pass']);
    expect(verdict.tests[1]!.output).toBe('late\n');
  });

  test('what a test changes, and not the program', async () => {
    const input =
      'exec("import sys; found = hasattr(sys, \'mark\'); sys.mark = 1") or ("found" if found else "clean")';
    await expectClean('python', 'found = False', input);
  });

  test.each([
    [
      'random numbers that are seeded',
      'import random\nrandom.seed(3)\ndef f():\n  x = random.random()\n  random.seed(4)\n  return x',
    ],
    ['hashes', 'def f(): return hash("a")'],
    ['descriptors', 'def f(): return open("x", "w").fileno()'],
    ['generators kept alive', 'import random\nkeep = random.Random(5)\ndef f(): return keep.random()'],
  ])('%s begin the same', async (_, code) => {
    const tests = Array.from({ length: 4 }, () => ({ input: 'f()', expectedOutput: '' }));
    const verdict = await judge.judge({ language: 'python', code, tests });
    expect(new Set(verdict.tests.map(({ got }) => got)).size).toBe(1);
    expect(verdict.tests[0]!.got).toBeTruthy();
  });

  test.each<[what: string, submission: Pick<Submission, 'language' | 'code'>, input: string]>([
    ['python', { language: 'python', code: 'import random\ndef f(): return random.random()' }, 'f()'],
    [
      'python, where all is restored',
      { language: 'python', code: 'import random, os\ndef f(): return random.random()' },
      'f()',
    ],
    ['javascript', { language: 'javascript', code: 'const f = () => Math.random();' }, 'f()'],
    [
      'react',
      { language: 'react', code: 'export default function App() { return <p>{Math.random()}</p>; }' },
      '<App />',
    ],
  ])('random numbers differ from test to test: %s', async (_, submission, input) => {
    const tests = Array.from({ length: 4 }, () => ({ input, expectedOutput: '' }));
    const verdict = await judge.judge({ ...submission, tests });
    expect(new Set(verdict.tests.map(({ got }) => got)).size).toBe(4);
    expect(verdict.tests[0]!.got).toMatch(/^0\.\d+/);
  });

  test.each([
    ['the library', 'os.unlink("/lib/python314.zip")'],
    ['the library, renamed', 'os.rename("/lib/python314.zip", "/lib/x")'],
    ['the library, emptied', 'open("/lib/python314.zip", "w").close()'],
    ['the library, overwritten', 'open("/lib/python314.zip", "r+b", buffering=0).write(b"x")'],
    ['its own folder', 'os.rmdir("/home/learner")'],
    ['its own folder, renamed', 'os.rename("/home/learner", "/tmp/x")'],
    ['a device', 'os.unlink("/dev/program-output")'],
    ['a file elsewhere', 'open("/etc/x", "w")'],
    ['a link elsewhere', 'os.symlink("/tmp", "/lib/x")'],
    ['a mode elsewhere', 'os.chmod("/lib", 0)'],
  ])('%s cannot be changed', async (_, change) => {
    const code = `import os\ndef seen():\n  try: ${change}\n  except OSError: pass\n  else: return "changed"\n  import wave\n  return "clean"`;
    await expectClean('python', code, 'seen()');
  });

  test('modules that are safe to share hold nothing that could be changed without a trace', async () => {
    const code = `import collections, datetime, itertools, math, cmath, random, string, time
def f():
  containers = (type(math), list, dict, set, bytearray)
  found = []
  for module in (collections, datetime, itertools, math, cmath, random, string, time):
    found += [f"{module.__name__}.{n}" for n in dir(module) if n[0] != "_" and isinstance(getattr(module, n), containers)]
  return found`;
    const verdict = await judge.judge({
      language: 'python',
      code,
      // Its name alone has all memory restored (harness.py, REACHING_NAMES).
      tests: [{ input: 'f()', expectedOutput: "['collections.abc']" }],
    });
    expect(verdict.tests[0]!.got).toBe("['collections.abc']");
  });
});

describe('javascript: a mark that one test leaves is not found by the next', () => {
  test.each([
    ['a global', 'globalThis.mark', 'globalThis.mark = 1'],
    ['a prototype', '[].mark', 'Array.prototype.mark = 1'],
    ['a built-in function', 'Math.max(1) === 9', 'Math.max = () => 9'],
    ['the console', 'console.mark', 'console.mark = 1'],
    ['the last match', 'RegExp.$1 === "mark"', '/(mark)/.exec("mark")'],
    ['the limit of stacks', 'Error.stackTraceLimit !== 10', 'Error.stackTraceLimit = 3'],
    ['a frozen prototype', 'Object.isFrozen(Object.prototype)', 'Object.freeze(Object.prototype)'],
    ['the time that has passed', 'Date.now() > 2e12', 'setTimeout(() => {}, 5e4)'],
    ['a timer', 'globalThis.late', 'setTimeout(() => { globalThis.late = 1; }, 1)'],
    ['input', 'prompt.mark', 'prompt.mark = 1'],
    ['a property of a symbol of all realms', 'Object[Symbol.for("mark")]', 'Object[Symbol.for("mark")] = 1'],
  ])('%s', async (_, found, leave) => {
    const code = `function seen() { const was = ${found}; ${leave}; return was ? "found" : "clean"; }`;
    await expectClean('javascript', code, 'seen()');
  });
});

describe('javascript: what a program changes is new for each test', () => {
  test.each([
    ['a variable', 'let n = 0;\nconst next = () => { n += 1; return n; };'],
    ['a list', 'const all = [];\nconst next = () => { all.push(1); return all.length; };'],
    ['a map', 'const all = new Map();\nconst next = () => all.set("n", (all.get("n") ?? 0) + 1).get("n");'],
    [
      'an object that counts',
      'const all = {};\nconst next = () => { const name = "to" + "String"; all[name] = (typeof all[name] === "number" ? all[name] : 0) + 1; return Number(all[name]); };',
    ],
    [
      'what reduce fills',
      'const next = () => ["n"].reduce((all, name) => { all[name] = (all[name] ?? 0) + 1; return all; }, {}).n;',
    ],
    [
      'a closure',
      'const make = () => { let n = 0; return () => { n += 1; return n; }; };\nconst next = make();',
    ],
    ['a pattern’s place', 'const p = /a/g;\nconst next = () => { p.test("aaa"); return p.lastIndex; };'],
  ])('%s', async (_, setUp) => {
    const code = `${setUp}\nfunction seen() { return next() === 1 ? "clean" : "found"; }`;
    await expectClean('javascript', code, 'seen()');
  });

  test('what it printed, and the lines it reads', async () => {
    const code =
      'const line = prompt();\nconsole.log("read " + line);\nconst rest = prompt();\nconsole.log(rest === null);';
    const tests = ['one', 'two', 'one'].map((input) => ({
      input,
      expectedOutput: `read ${input}\ntrue`,
      mode: 'stdin' as const,
    }));
    expect((await judge.judge({ language: 'javascript', code, tests })).kind).toBe('pass');
  });

  test('an error, and the output before a limit', async () => {
    const code =
      'console.log("here");\nfunction f(n) { if (n === 1) return n.x.y; while (n === 3) {} return n; }';
    const tests = [0, 1, 2, 3].map((n) => ({ input: `f(${n})`, expectedOutput: String(n) }));
    const verdict = await judge.judge({ language: 'javascript', code, tests });
    expect(verdict.tests.map(({ kind }) => kind)).toEqual(['pass', 'runtime_error', 'pass', 'time_limit']);
    expect(verdict.tests.map(({ output }) => output)).toEqual(tests.map(() => 'here\n'));
  });
});

describe('javascript: a program whose tests', () => {
  test.each([
    ['take long', 'let n = 0; while (n < 4_000_000) n += 1;', ['pass', 'pass', 'pass', 'pass']],
    ['print much', 'console.log("x".repeat(60_000));', ['pass', 'pass', 'pass', 'pass']],
    ['print too much', 'for (;;) console.log("x".repeat(9_999));', ['pass', 'pass', 'output_limit', 'pass']],
    [
      'fill the memory',
      'const all = []; for (;;) all.push(new Array(9_999).fill(1));',
      ['pass', 'pass', 'memory_limit'],
    ],
    [
      'never end in a single operation',
      'let n = 3n; for (;;) n *= n;',
      ['time_limit', 'time_limit', 'time_limit'],
    ],
  ])('%s gets true verdicts', async (_, work, kinds) => {
    const code = `function f(n) { if (n === 2) { ${work} } return n; }`;
    const tests = [0, 1, 2, 3].map((n) => ({ input: `f(${n})`, expectedOutput: String(n) }));
    const verdict = await judge.judge({ language: 'javascript', code, tests });
    const got = verdict.tests.slice(0, kinds.length).map(({ kind }) => kind);
    // Which limit is reached first depends on the machine.
    if (kinds.includes('memory_limit')) expect(['memory_limit', 'time_limit']).toContain(got.pop());
    expect(got).toEqual(kinds.filter((kind) => kind !== 'memory_limit'));
  });
});

describe('javascript: a shown test', () => {
  test.each([
    ['prints too much to be told with others', 'return "x".repeat(600_000);'],
    ['takes long', 'let n = 0; while (n < 3_000_000) n += 1;'],
    ['fills the memory', 'const all = []; for (;;) all.push(new Array(9_999).fill(1));'],
  ])('does not learn that a hidden one %s', async (_, work) => {
    const code = `function f(n) { if (n > 50) { ${work} } return String(new Error("here").stack); }`;
    const told = async (hidden: number) => {
      const tests = [1, 2, hidden].map((n) => ({
        input: `f(${n})`,
        expectedOutput: 'nothing',
        hidden: n === hidden,
      }));
      const verdict = await judge.judge({ language: 'javascript', code, tests });
      return verdict.tests.slice(0, 2).map(({ got }) => got);
    };
    const usual = await told(10);
    expect(usual[0]).toContain('Error: here');
    expect(await told(90)).toEqual(usual);
  });
});

describe('react: a mark that one test leaves is not found by the next', () => {
  test.each([
    ['a global', 'globalThis.mark', 'globalThis.mark = 1'],
    ['a prototype', '[].mark', 'Array.prototype.mark = 1'],
    [
      'the document',
      'document.title || document.documentElement.className',
      'document.title = "x"; document.documentElement.className = "x"',
    ],
    ['React itself', 'require("react").mark', 'require("react").mark = 1'],
    ['a variable of the module', 'count > 0', 'count += 1'],
    [
      'a listener',
      'globalThis.heard',
      'window.addEventListener("x", () => { globalThis.heard = 1; }); window.dispatchEvent(new Event("x"))',
    ],
  ])('%s', async (_, found, leave) => {
    const code = `let count = 0; const was = ${found}; ${leave};\nexport default function App() { return <p>{was ? 'found' : 'clean'}</p>; }`;
    const tests = Array.from({ length: 6 }, () => ({ input: '<App />', expectedOutput: 'clean' }));
    const verdict = await judge.judge({ language: 'react', code, tests });
    expect(verdict.tests.map(({ got, error }) => got ?? error)).toEqual(tests.map(() => 'clean'));
  });
});

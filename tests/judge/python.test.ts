import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePool } from '#src/judge/artifacts.ts';
import type { JudgeTest, Verdict } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';

const complaints: string[] = [];
const judge = new PatientJudge({ children: { python: 1 }, log: (line) => complaints.push(line) });
// The first run on a machine builds the interpreter's snapshot.
beforeAll(() => ensurePool('python'), 180_000);
afterAll(() => judge.stop());

function run(code: string, tests: JudgeTest[] = [], expectedOutput?: string): Promise<Verdict> {
  return judge.judge({
    language: 'python',
    code,
    tests,
    ...(expectedOutput === undefined ? {} : { expectedOutput }),
  });
}

/** What an expression is seen to give after a program. */
async function given(code: string, input: string): Promise<string | null> {
  const { tests, error } = await run(code, [{ input, expectedOutput: '' }]);
  expect(error).toBeNull();
  return tests[0]!.got;
}

/** What a program prints for an input. */
async function printed(code: string, input = ''): Promise<string | null> {
  const { tests, error } = await run(code, [{ input, expectedOutput: '', mode: 'stdin' }]);
  expect(error).toBeNull();
  return tests[0]!.got;
}

test("the build's snapshot and code cache are taken", async () => {
  expect((await run('print(1)', [], '1')).kind).toBe('pass');
  expect(complaints.filter((line) => /python/.test(line) && /slow|code cache/.test(line))).toEqual([]);
});

test('a strict test compares the type, and nothing printed stands in for a value', async () => {
  const code = `def right(): return 3
def text(): return '3'
def half(): return 6 / 2
def prints(): print(3)
async def later(): return ['a', (1,)]
`;
  const inputs = ['right()', 'text()', 'half()', 'prints()', 'later()', 'prints()'];
  const expected = ['3', '3', '3', '3', '["a", (1,)]', 'None'];
  const strict = await run(
    code,
    inputs.map((input, at) => ({ input, expectedOutput: expected[at]!, strict: true })),
  );
  expect(strict.tests.map(({ kind, got, typeDifference }) => [kind, got, typeDifference])).toEqual([
    ['pass', '3', undefined],
    ['wrong_answer', '"3"', 'Expected the number 3, got the text "3".'],
    ['wrong_answer', '3.0', 'Expected the whole number 3, got the decimal number 3.0.'],
    [
      'wrong_answer',
      'None',
      'Expected the number 3, but nothing was returned (None). What is printed is not returned.',
    ],
    ['pass', "['a', (1,)]", undefined],
    ['pass', 'None', undefined],
  ]);
  const loose = [0, 1, 2, 3].map((at) => ({ input: inputs[at]!, expectedOutput: '3' }));
  expect((await run(code, loose)).kind).toBe('pass');
});

describe('an input in call mode', () => {
  test.each([
    ['a function', 'def double(n):\n  return n * 2', 'double(21)', '42'],
    ['a text as it is', 'word = "it\'s"', 'word', "it's"],
    ['a text with line breaks', '', '"a\\nb"', 'a\nb'],
    ['a text in a list by its repr', '', '["a", 1, None]', "['a', 1, None]"],
    ['a truth value', '', '1 < 2', 'True'],
    ['a decimal number', '', '0.1 + 0.2', '0.30000000000000004'],
    ['a dictionary in its order', '', '{"b": 1, "a": (2,)}', "{'b': 1, 'a': (2,)}"],
    ['an object by its own repr', 'class A:\n  def __repr__(self): return "<A>"', 'A()', '<A>'],
    ['an object of a class of texts', 'class T(str):\n  def __str__(self): return "no"', 'T("yes")', 'yes'],
    ['a whole number without limit', '', '2 ** 100', '1267650600228229401496703205376'],
    ['a comprehension over a global', 'k = 3', '[k * i for i in range(3)]', '[0, 3, 6]'],
    ['what it printed where it gives None', 'def greet(n): print("Hi", n)', 'greet("Ada")', 'Hi Ada\n'],
    ['None where it gives nothing and prints nothing', 'def f(x): pass', 'f(5)', 'None'],
    ['None for an expression that is None', '', '{}.get("x")', 'None'],
    ['only what the input itself printed', 'print("before")\ndef f(): print("now")', 'f()', 'now\n'],
    ['everything printed where it is empty', 'print("all of it")', '', 'all of it\n'],
    ['statements with a last expression', 'class S:\n  x = 1', 's = S(); s.x += 4; s.x', '5'],
    ['an awaited coroutine', 'async def f():\n  return "later"', 'f()', 'later'],
    ['letters of all alphabets', 'def f(s): return s[::-1]', 'f("añ😀")', '😀ña'],
    ['the module it belongs to', '', '__name__', '__main__'],
    ['what stands under the main guard', 'x = 0\nif __name__ == "__main__":\n  x = 1', 'x', '1'],
    ['a dataclass', 'from dataclasses import dataclass\n@dataclass\nclass P:\n  x: int', 'P(3)', 'P(x=3)'],
    ['names after the program ended itself', 'import sys\ndef f(): return 1\nsys.exit()', 'f()', '1'],
  ])('gives %s', async (_, code, input, value) => {
    expect(await given(code, input)).toBe(value);
  });

  test('finds a fresh program and a fresh standard library each time', async () => {
    const code = `
import math, random, os
seen = []
def count():
    seen.append(1)
    tampered = math.pi != 3.141592653589793 or hasattr(random, "mine") or os.path.exists("note.txt")
    tampered = tampered or "MINE" in os.environ or len is not real_len
    math.pi = 3; random.mine = 1; os.environ["MINE"] = "1"; open("note.txt", "w").write("x")
    __builtins__.len = str
    return (len(str(seen)) if tampered else 1, tampered)
real_len = __builtins__.len
`;
    const tests = [1, 2, 3].map(() => ({ input: 'count()[1]', expectedOutput: 'False' }));
    const { kind, tests: results } = await run(code, tests);
    expect([kind, ...results.map((result) => result.got)]).toEqual(['pass', 'False', 'False', 'False']);
  });

  test('is not run when the program fails, and each test says why', async () => {
    const { kind, tests } = await run('x = 1 / 0', [
      { input: 'x', expectedOutput: '1' },
      { input: 'x + 1', expectedOutput: '2' },
    ]);
    expect(kind).toBe('runtime_error');
    expect(tests.map(({ error }) => [error?.name, error?.line])).toEqual([
      ['ZeroDivisionError', 1],
      ['ZeroDivisionError', 1],
    ]);
  });
});

describe('a program that reads input', () => {
  test.each([
    ['one line', 'print("Hi " + input())', 'Ada', 'Hi Ada\n'],
    ['several lines', 'print(int(input()) + int(input()))', '2\n3', '5\n'],
    ['all of it', 'import sys\nprint(sys.stdin.read().split())', 'a b\nc\n', "['a', 'b', 'c']\n"],
    ['line by line', 'import sys\nfor line in sys.stdin:\n  print(line.strip(), end=";")', 'a\nb', 'a;b;'],
    ['an empty line', 'print(repr(input()), input())', '\nx', "'' x\n"],
    ['line ends of another system', 'print([input(), input()])', 'a\r\nb\r\n', "['a', 'b']\n"],
    [
      'until its end',
      'n = 0\ntry:\n  while True:\n    input()\n    n += 1\nexcept EOFError:\n  print(n)',
      '1\n2',
      '2\n',
    ],
    ['other alphabets', 'print(input()[0])', 'ñandú', 'ñ\n'],
  ])('takes %s', async (_, code, input, output) => {
    expect(await printed(code, input)).toBe(output);
  });

  test.each([['Hello, Ada'], ['Your name? Hello, Ada']])(
    'may word its question freely: %s',
    async (expectedOutput) => {
      const code = 'name = input("Your name? ")\nprint(f"Hello, {name}")';
      const verdict = await run(code, [{ input: 'Ada', expectedOutput, mode: 'stdin' }]);
      expect(verdict.kind).toBe('pass');
      expect(verdict.output).toBe('Your name? Hello, Ada\n');
    },
  );

  test('reads nothing that the test before it left', async () => {
    const given = ['one\ntwo\nthree', 'four\nfive', 'six'];
    const tests = given.map((input) => ({
      input,
      expectedOutput: input.split('\n')[0]!,
      mode: 'stdin' as const,
    }));
    const verdict = await run('print(input())', tests);
    expect(verdict.tests.map(({ got }) => got)).toEqual(['one\n', 'four\n', 'six\n']);
  });

  test('gets a plain error where there is nothing to read', async () => {
    const { kind, error } = await run('age = input("Age? ")', [], 'x');
    expect(kind).toBe('runtime_error');
    expect(error).toMatchObject({ name: 'EOFError', line: 1 });
    expect(error?.explanation).toContain('no more input');
  });
});

describe('a program run for its output', () => {
  test.each([
    ['print with sep and end', 'print(1, 2, sep="-", end="!\\n")', '1-2!\n'],
    ['writes to standard output', 'import sys\nsys.stdout.write("a")\nsys.stdout.flush()', 'a'],
    ['bytes', 'import sys\nsys.stdout.buffer.write(b"raw")', 'raw'],
    ['half a pair of surrogates', 'print("a\\ud800b")', 'a?b\n'],
    ['output of an exit function', 'import atexit\natexit.register(print, "bye")\nprint("hi")', 'hi\nbye\n'],
    [
      'output as objects go',
      'class A:\n  def __del__(self): print("gone")\na = A()\nprint("end")',
      'end\ngone\n',
    ],
    ['nothing of what went to standard error', 'import sys\nprint("e", file=sys.stderr)\nprint("o")', 'o\n'],
    [
      'output into a file it reads again',
      'with open("a.txt", "w") as f:\n  print("x", file=f)\nprint(open("a.txt").read(), end="")',
      'x\n',
    ],
    ['output after sys.exit is left out', 'import sys\nprint(1)\nsys.exit(3)\nprint(2)', '1\n'],
    ['output after os._exit is left out', 'import os\nprint(1)\nos._exit(0)\nprint(2)', '1\n'],
    [
      'redirected output',
      'import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()) as out:\n  print("x")\nprint([out.getvalue()])',
      "['x\\n']\n",
    ],
  ])('gives %s', async (_, code, output) => {
    expect(await printed(code)).toBe(output);
  });

  test('shows both streams in the order of a terminal', async () => {
    const { output } = await run('import sys\nprint("o")\nprint("e", file=sys.stderr)\nprint("p")');
    expect(output).toBe('o\ne\np\n');
  });

  test('waits without taking time, and its clock agrees', async () => {
    const code = `
import time, asyncio
start, clock = time.monotonic(), time.time()
time.sleep(30)
async def nap(n):
    await asyncio.sleep(n)
    return n
async def main():
    return await asyncio.gather(nap(2), nap(1))
print(asyncio.run(main()), round(time.monotonic() - start), round(time.time() - clock))
`;
    expect(await printed(code)).toBe('[2, 1] 32 32\n');
  });

  test('has randomness that differs from run to run, and a fixed order of sets', async () => {
    const code = 'import random, uuid\nprint(random.random(), uuid.uuid4(), {"a", "b", "c", "d"})';
    const [first, second] = [(await printed(code))!.split(' '), (await printed(code))!.split(' ')];
    expect(first[0]).not.toBe(second[0]);
    expect(first[1]).not.toBe(second[1]);
    expect(first.slice(2)).toEqual(second.slice(2));
  });

  test.each([
    ['collections, itertools, functools', 'import collections, itertools, functools'],
    ['dates', 'import datetime\nassert datetime.date(2024, 2, 29).strftime("%A") == "Thursday"'],
    [
      'json and csv',
      'import json, csv, io\nassert json.loads("[1]") == [1] and list(csv.reader(["a,b"])) == [["a", "b"]]',
    ],
    [
      'exact numbers',
      'from decimal import Decimal\nfrom fractions import Fraction\nassert Decimal("0.1") * 3 == Decimal("0.3") and Fraction(1, 3) * 3 == 1',
    ],
    ['typing and abc', 'from typing import Protocol\nfrom abc import ABC, abstractmethod'],
    [
      'unittest',
      'import unittest\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(1, 1)\nassert unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(T)).wasSuccessful()',
    ],
    [
      'pattern matching and the walrus',
      'match [1, 2]:\n  case [a, *rest]:\n    assert (n := a + rest[0]) == 3',
    ],
    ['a module of its own in a file', 'open("mine.py", "w").write("x = 5")\nimport mine\nassert mine.x == 5'],
    [
      'a database in memory',
      'import sqlite3\nassert sqlite3.connect(":memory:").execute("select 6*7").fetchone() == (42,)',
    ],
    [
      'hashes and codes',
      'import hashlib, base64\nassert hashlib.sha256(b"a").hexdigest()[:4] == "ca97" and base64.b64encode(b"a") == b"YQ=="',
    ],
    ['template strings of this version', 'assert type(t"{1}").__name__ == "Template"'],
    [
      'frames without the judge in them',
      'import sys, inspect\nassert len(inspect.stack()) == 1\ntry:\n  sys._getframe(1)\nexcept ValueError:\n  pass\nelse:\n  assert False',
    ],
  ])('has %s', async (_, code) => {
    expect(await run(`${code}\nprint("done")`, [], 'done')).toMatchObject({ kind: 'pass', error: null });
  });
});

describe('an error', () => {
  // [what, program, name, line, column, part of the message, part of the explanation]
  test.each<[string, string, string, number, number | null, RegExp, RegExp]>([
    ['a missing colon', 'for i in range(3)\n  print(i)', 'SyntaxError', 1, 18, /expected ':'/, /colon/],
    [
      'a block that is not moved in',
      'if True:\nprint(1)',
      'IndentationError',
      2,
      1,
      /indented block/,
      /line 1/,
    ],
    [
      'a line moved in too far',
      'x = 1\n  y = 2',
      'IndentationError',
      2,
      null,
      /unexpected indent/,
      /further to the right/,
    ],
    [
      'a line moved back to nowhere',
      'if 1:\n    x = 1\n  y = 2',
      'IndentationError',
      3,
      null,
      /unindent/,
      /same number of spaces/,
    ],
    ['tabs and spaces', 'if 1:\n        x = 1\n\ty = 2', 'TabError', 3, null, /./, /tabs/],
    ['print without parentheses', 'print "hi"', 'SyntaxError', 1, 1, /Missing parentheses/, /parentheses/],
    [
      'a quote that is not closed',
      'x = "hi\nprint(x)',
      'SyntaxError',
      1,
      5,
      /unterminated string/,
      /closing quote/,
    ],
    [
      'a bracket that is not closed',
      'x = [1, 2\nprint(x)',
      'SyntaxError',
      1,
      null,
      /'\[' was never closed/,
      /partner/,
    ],
    ['a bracket too many', 'print(1))', 'SyntaxError', 1, 9, /unmatched '\)'/, /too many/],
    ['one equals sign in a condition', 'x = 1\nif x = 1:\n  pass', 'SyntaxError', 2, null, /==/, /two/],
    ['a missing comma', 'x = [1 2]', 'SyntaxError', 1, null, /comma/, /comma/],
    [
      'return outside a function',
      'return 5',
      'SyntaxError',
      1,
      null,
      /outside function/,
      /inside a function/,
    ],
    ['++', 'x = 1\nx++', 'SyntaxError', 2, null, /invalid syntax/, /\+= 1/],
    ['else if', 'if 0:\n  pass\nelse if 1:\n  pass', 'SyntaxError', 3, null, /./, /elif/],
    ['a curly quote', 'print(“hi”)', 'SyntaxError', 1, null, /invalid character/, /keyboard/],
    [
      'an unknown name',
      'total = 1\nprint(totel)',
      'NameError',
      2,
      7,
      /name 'totel' is not defined\. Did you mean: 'total'\?/,
      /typing mistake/,
    ],
    ['true in lower case', 'x = true', 'NameError', 1, 5, /true/, /True, False and None/],
    ['a module that is not imported', 'print(math.pi)', 'NameError', 1, 7, /forget to import/, /import math/],
    ['a name that nothing resembles', 'zzqq()', 'NameError', 1, 1, /zzqq/, /quotes/],
    [
      'a local used too early',
      'n = 0\ndef f():\n  n += 1\nf()',
      'UnboundLocalError',
      3,
      null,
      /n/,
      /parameter/,
    ],
    ['a number added to a text', 'print("a" + 1)', 'TypeError', 1, 7, /concatenate str/, /str\(value\)/],
    [
      'a text added to a number',
      'print(1 + "a")',
      'TypeError',
      1,
      7,
      /unsupported operand/,
      /a whole number and text/,
    ],
    [
      'input compared with a number',
      'if "5" > 3: pass',
      'TypeError',
      1,
      null,
      /not supported between/,
      /int\(/,
    ],
    ['a missing argument', 'def f(a, b): pass\nf(1)', 'TypeError', 2, null, /missing 1 required/, /too few/],
    [
      'self left out',
      'class A:\n  def m(): pass\nA().m()',
      'TypeError',
      3,
      null,
      /0 positional arguments but 1/,
      /self/,
    ],
    ['a number called', 'x = 5\nx()', 'TypeError', 2, null, /not callable/, /call it as a function/],
    ['None used as a list', 'x = [3].sort()\nprint(x[0])', 'TypeError', 2, null, /not subscriptable/, /None/],
    ['a loop over a number', 'for i in 5: pass', 'TypeError', 1, null, /not iterable/, /range/],
    [
      'a text changed in place',
      's = "abc"\ns[0] = "x"',
      'TypeError',
      2,
      null,
      /item assignment/,
      /cannot be changed/,
    ],
    ['a list as a key', 'd = {[1]: 2}', 'TypeError', 1, null, /unhashable/, /tuple/],
    [
      'a text as an index',
      'x = [1]\nx["a"]',
      'TypeError',
      2,
      null,
      /indices must be integers/,
      /whole number/,
    ],
    ['an index too far', 'x = [1, 2]\nprint(x[2])', 'IndexError', 2, 7, /out of range/, /counted from 0/],
    ['a missing key', 'd = {"a": 1}\nd["b"]', 'KeyError', 2, null, /'b'/, /no key 'b'/],
    ['an unknown method', '"a".push(1)', 'AttributeError', 1, null, /no attribute 'push'/, /no "push"/],
    ['a method of nothing', 'x = None\nx.append(1)', 'AttributeError', 2, null, /NoneType/, /return/],
    ['a letter turned into a number', 'int("abc")', 'ValueError', 1, null, /invalid literal/, /digits only/],
    ['too few values', 'a, b = [1]', 'ValueError', 1, null, /not enough values/, /2 names/],
    ['too many values', 'a, b = 1, 2, 3', 'ValueError', 1, null, /too many values/, /more values/],
    [
      'a division by zero',
      'def f(x):\n  return 1 / x\nf(0)',
      'ZeroDivisionError',
      2,
      10,
      /division by zero/,
      /divided by zero/,
    ],
    [
      'endless recursion',
      'def f(n):\n  return f(n + 1)\nf(0)',
      'RecursionError',
      2,
      null,
      /recursion/,
      /calls itself/,
    ],
    ['a missing file', 'open("data.txt")', 'FileNotFoundError', 1, null, /data\.txt/, /data\.txt/],
    ['a package that is not there', 'import numpy', 'ModuleNotFoundError', 1, null, /numpy/, /not available/],
    ['an assert', 'assert 1 == 2', 'AssertionError', 1, null, /^$/, /not true/],
    [
      'a list changed in its loop',
      'd = {1: 1}\nfor k in d:\n  d[k + 1] = 1',
      'RuntimeError',
      2,
      null,
      /changed size/,
      /copy/,
    ],
  ])('%s is named with its line and explained', async (_, code, name, line, column, message, explanation) => {
    const { kind, error } = await run(code, [], 'x');
    expect(kind).toBe(/SyntaxError|IndentationError|TabError/.test(name) ? 'syntax_error' : 'runtime_error');
    expect(error).toMatchObject({ name, line, ...(column === null ? {} : { column }) });
    expect(error?.message).toMatch(message);
    expect(error?.explanation).toMatch(explanation);
  });

  test('is shown as Python shows it, with the own lines only', async () => {
    const code = 'import json\ndef read(text):\n  return json.loads(text)\nread("{")';
    const { output, error } = await run(code, [], '');
    expect(error).toMatchObject({ name: 'JSONDecodeError', line: 3, column: 10 });
    expect(output).toContain('File "main.py", line 4, in <module>');
    expect(output).toContain('return json.loads(text)');
    expect(output).not.toMatch(/harness|\.zip|decoder\.py/);
  });

  test('of a class of its own is told by its name', async () => {
    const { error } = await run('class TooOld(Exception): pass\nraise TooOld("130")', [], '');
    expect(error).toMatchObject({ name: 'TooOld', message: '130', line: 2, explanation: null });
  });

  test('in the test itself has no line of the program', async () => {
    const { error } = await run('def ad(a, b): return a + b', [{ input: 'add(1, 2)', expectedOutput: '3' }]);
    expect(error).toMatchObject({ name: 'NameError', line: null, column: null });
    expect(error?.message).toContain("Did you mean: 'ad'");
  });

  test('leaves what was printed before it', async () => {
    const { output } = await run('print("so far")\nint("x")', [], '');
    expect(output.startsWith('so far\nTraceback')).toBe(true);
  });
});

describe('many tests', () => {
  test('each have their own verdict, whatever the others do', async () => {
    const code = 'def f(n):\n  print("x" * (n % 5 * 10_000))\n  return [n, n, 1 / (n % 7), input()][n % 4]';
    const tests = Array.from({ length: 40 }, (_, n) => ({ input: `f(${n})`, expectedOutput: String(n) }));
    const verdict = await run(code, tests);
    const kinds = tests.map(() => 'runtime_error');
    expect(verdict.tests.map(({ kind }) => kind)).toEqual(kinds);
    const names = tests.map((_, n) => (n % 7 === 0 ? 'ZeroDivisionError' : 'EOFError'));
    expect(verdict.tests.map(({ error }) => error?.name)).toEqual(names);
    expect(verdict.tests.map(({ output }) => output[0])).toEqual(
      tests.map((_, n) => (n % 5 === 0 ? '\n' : 'x')),
    );
  });

  test('run one after the other through values, errors and long outputs', async () => {
    const code =
      'def f(n):\n  print("x" * (n % 5 * 10_000))\n  if n % 6 == 4: raise ValueError(n)\n  return n if n % 9 else "no"';
    const tests = Array.from({ length: 40 }, (_, n) => ({ input: `f(${n})`, expectedOutput: String(n) }));
    const verdict = await run(code, tests);
    expect(verdict.tests.map(({ kind }) => kind)).toEqual(
      tests.map((_, n) => (n % 6 === 4 ? 'runtime_error' : n % 9 ? 'pass' : 'wrong_answer')),
    );
    expect(verdict.tests.map(({ error }) => error?.message ?? null)).toEqual(
      tests.map((_, n) => (n % 6 === 4 ? String(n) : null)),
    );
  });
});

describe('a limit', () => {
  const limits = { testMs: 400, totalMs: 900 };
  const stopped = (code: string, tests: JudgeTest[] = []) =>
    judge.judge({ language: 'python', code, tests, expectedOutput: '' }, limits);

  test('of time names the line and keeps the output', async () => {
    const { kind, error, output } = await stopped('print("start")\nn = 0\nwhile n < 10:\n  pass');
    expect(kind).toBe('time_limit');
    expect(error).toMatchObject({ name: 'TimeLimit', explanation: expect.stringContaining('loop') });
    expect([3, 4]).toContain(error?.line);
    expect(output).toBe('start\n');
  });

  test('of memory names the line', async () => {
    const { kind, error } = await run('x = []\nwhile True:\n  x.append("a" * 1_000_000)', [], '');
    expect(kind).toBe('memory_limit');
    expect(error).toMatchObject({ name: 'MemoryError', line: 3 });
  });

  test('of output names the line and cuts the output', async () => {
    const { kind, error, output, outputTruncated } = await stopped('while True:\n  print("la" * 50)');
    expect(kind).toBe('output_limit');
    expect(error).toMatchObject({ name: 'OutputLimit', line: 2 });
    expect(outputTruncated).toBe(true);
    expect(Buffer.byteLength(output)).toBe(64 * 1024);
  });

  test('of output counts for values too', async () => {
    const { kind } = await stopped('', [{ input: '"a" * 100_000', expectedOutput: '' }]);
    expect(kind).toBe('output_limit');
  });

  test.each([
    ['an interrupt', 'while True: pass', 'time_limit'],
    [
      'its sandbox',
      'while True:\n      try:\n        while True: pass\n      except BaseException: pass',
      'time_limit',
    ],
    ['its memory', 'x = "a" * 10**9', 'memory_limit'],
  ])('that ends %s in one test leaves what the tests before it gave', async (_, end, kind) => {
    const code = `def f(n):\n  print("got", n)\n  if n == 2:\n    ${end}\n  return n * n`;
    const tests = [0, 1, 2, 3].map((n) => ({ input: `f(${n})`, expectedOutput: String(n * n) }));
    const verdict = await judge.judge({ language: 'python', code, tests }, limits);
    expect(verdict.tests.map((one) => one.kind)).toEqual(['pass', 'pass', kind, kind]);
    expect(verdict.tests.slice(0, 2).map(({ output }) => output)).toEqual(['got 0\n', 'got 1\n']);
    expect(verdict.tests[3]?.error?.name).toBe('NotRun');
  });

  test('that a program catches and gets over is none', async () => {
    const code = 'try:\n  x = bytes(10**9)\nexcept MemoryError:\n  print("too big")';
    expect((await run(code, [], 'too big')).kind).toBe('pass');
  });
});

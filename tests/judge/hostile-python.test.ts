import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensurePool } from '#src/judge/artifacts.ts';
import type { VerdictKind } from '#src/judge/protocol.ts';
import type { RunLimits } from '#src/judge/runner.ts';
import { byEnd, type Case, SMALL_LIMITS, survive, PatientJudge } from './controls.ts';

const judge = new PatientJudge();
// The first run on a machine builds the interpreter's snapshot.
beforeAll(() => ensurePool('python'), 180_000);
afterAll(() => judge.stop());

const TIME: VerdictKind[] = ['time_limit'];
const MEMORY: VerdictKind[] = ['memory_limit'];
/** Which limit is reached first depends on the machine. */
const STOPPED: VerdictKind[] = ['time_limit', 'memory_limit'];
const FAILS: VerdictKind[] = ['runtime_error'];
const STOPPED_OR_FAILS: VerdictKind[] = [...STOPPED, ...FAILS];
const OUTPUT: VerdictKind[] = ['output_limit'];

const ENDLESS: Case[] = [
  ['a loop', 'while True: pass', TIME],
  [
    'a loop that catches every interrupt',
    'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    TIME,
  ],
  [
    'a handler that ignores the interrupt',
    'import signal\nsignal.signal(signal.SIGINT, lambda *_: None)\nwhile True: pass',
    TIME,
  ],
  ['a loop behind finally', 'try:\n  while True: pass\nfinally:\n  while True: pass', TIME],
  ['a regular expression that backtracks', 'import re\nre.match(r"(a+)+$", "a" * 50 + "b")', TIME],
  ['a power of a power', 'x = 9 ** 9 ** 9', STOPPED_OR_FAILS],
  ['the text of a huge number', 'import sys\nsys.set_int_max_str_digits(0)\nstr(7 ** 20_000_000)', STOPPED],
  ['a factorial', 'import math\nmath.factorial(10_000_000)', STOPPED],
  ['a sum over an endless iterator', 'import itertools\nsum(itertools.count())', TIME],
  ['a set of an endless iterator', 'import itertools\nany(x < 0 for x in itertools.count())', TIME],
  ['a sort key', '[1, 2].sort(key=lambda _: [0 for _ in iter(int, 1)])', STOPPED],
  [
    'the repr of an answer',
    'class A:\n  def __repr__(self):\n    while True: pass\nanswer = A()',
    TIME,
    'answer',
  ],
  [
    'the text of an error',
    'class E(Exception):\n  def __str__(self):\n    while True: pass\nraise E()',
    TIME,
  ],
  [
    'the name of an error',
    'class M(type):\n  def __getattribute__(c, n):\n    while True: pass\nclass E(Exception, metaclass=M): pass\nraise E()',
    [...TIME, ...FAILS],
  ],
  ['a destructor', 'class A:\n  def __del__(self):\n    while True: pass\na = A()', TIME],
  ['an exit function', 'import atexit\n@atexit.register\ndef _():\n  while True: pass', TIME],
  [
    'a coroutine',
    'import asyncio\nasync def f():\n  while True: await asyncio.sleep(0)\nasyncio.run(f())',
    TIME,
  ],
  [
    'waiting for what never comes',
    'import asyncio\nasync def f(): await asyncio.Event().wait()\nasyncio.run(f())',
    FAILS,
  ],
  ['naps', 'import time\nwhile True: time.sleep(1)', TIME],
  ['a nap of a year', 'import time\ntime.sleep(3e7)\nprint("awake")', ['pass']],
  [
    'waiting for a lock',
    'import threading\nl = threading.Lock()\nl.acquire()\nl.acquire()',
    [...TIME, ...FAILS],
  ],
  ['waiting for a queue', 'import queue\nqueue.Queue().get()', [...TIME, ...FAILS]],
  ['waiting for input at the descriptor', 'import os\nwhile True: os.read(0, 1)', TIME],
  ['select', 'import select\nwhile True: select.select([], [], [], 1)', [...TIME, ...FAILS]],
  ['compiling deep nesting', 'compile("-" * 3_000_000 + "1", "x", "eval")', STOPPED_OR_FAILS],
];

const GREEDY: Case[] = [
  ['a list', 'x = []\nwhile True: x.append(x[:] or [0])', STOPPED],
  ['a list of texts', 'x = []\nwhile True: x.append("a" * 1_000_000 + str(len(x)))', STOPPED],
  ['a text that doubles', 's = "a"\nwhile True: s += s', STOPPED],
  ['bytes at once', 'x = bytearray(1_500_000_000)', MEMORY],
  ['a list at once', 'x = [0] * 10 ** 9', MEMORY],
  ['a dictionary', 'd = {}\nwhile True: d[len(d)] = len(d)', STOPPED],
  ['a number', 'x = 1 << 2_000_000_000', [...MEMORY, ...FAILS]],
  ['a format width', '"{:>2000000000}".format("x")', [...MEMORY, ...FAILS]],
  [
    'a replacement',
    '"a" * 100_000 .__len__() if 0 else ("a" * 100_000).replace("a", "b" * 100_000)',
    [...MEMORY, ...FAILS],
  ],
  [
    'memory that it catches and wants again',
    'x = []\nwhile True:\n  try:\n    while True: x.append(bytes(1_000_000))\n  except MemoryError: pass',
    STOPPED,
  ],
  [
    'memory until nothing is left to report with',
    'x = []\nn = 10**7\nwhile n:\n  try:\n    x.append(bytearray(n))\n  except MemoryError:\n    n //= 2\nraise MemoryError',
    [...STOPPED, ...FAILS],
  ],
  ['an answer that is too long', 'x = "a" * 50_000_000', OUTPUT, 'x'],
  ['a repr that is too long', 'x = [1] * 10_000_000', [...STOPPED, ...OUTPUT], 'x'],
  ['recursion', 'def f(): return f()\nf()', FAILS],
  [
    'recursion without a limit',
    'import sys\nsys.setrecursionlimit(2**31 - 1)\ndef f(): return f()\nf()',
    STOPPED_OR_FAILS,
  ],
  [
    'recursion in C',
    'import sys\nsys.setrecursionlimit(10**9)\nx = []\nfor _ in range(1_000_000): x = [x]\nrepr(x)',
    STOPPED_OR_FAILS,
  ],
  [
    'recursion in __getattr__',
    'import sys\nsys.setrecursionlimit(10**9)\nclass A:\n  def __getattr__(self, n): return getattr(self, n + "a")\nA().x',
    STOPPED_OR_FAILS,
  ],
  [
    'a deep chain to free',
    'x = None\nfor _ in range(2_000_000): x = (x,)\ndel x',
    [...STOPPED_OR_FAILS, 'pass'],
  ],
  [
    'recursion in pickle',
    'import pickle, sys\nsys.setrecursionlimit(10**6)\nx = []\nfor _ in range(100_000): x = [x]\npickle.dumps(x)',
    STOPPED_OR_FAILS,
  ],
  ['recursion in a pattern', 'import re\nre.compile("(" * 50_000 + ")" * 50_000)', STOPPED_OR_FAILS],
  ['recursion in json', 'import json\njson.loads("[" * 500_000)', STOPPED_OR_FAILS],
  [
    'a zip bomb',
    'import zlib\nzlib.decompress(zlib.compress(b"0" * 50_000_000) )\nx = [zlib.decompress(zlib.compress(bytes(50_000_000))) for _ in range(9)]',
    STOPPED,
  ],
  ['a big file', 'f = open("big", "wb")\nwhile True: f.write(bytes(1_000_000))', FAILS],
  ['a file with a hole', 'f = open("big", "wb")\nf.seek(2_000_000_000)\nf.write(b"x")\nf.close()', FAILS],
  ['a truncated file', 'f = open("big", "wb")\nf.truncate(2_000_000_000)', FAILS],
  ['many files', 'i = 0\nwhile True:\n  open(f"f{i}", "w").close()\n  i += 1', FAILS],
  ['deep folders', 'import os\nwhile True:\n  os.mkdir("d")\n  os.chdir("d")', [...FAILS, ...TIME]],
  ['many links', 'import os\ni = 0\nwhile True:\n  os.symlink("x" * 4000, f"l{i}")\n  i += 1', FAILS],
  ['many open files', 'x = []\nwhile True: x.append(open("a", "w"))', STOPPED_OR_FAILS],
  ['a pipe that nobody reads', 'import os\nr, w = os.pipe()\nwhile True: os.write(w, bytes(65536))', FAILS],
  [
    'memory mapped',
    'import mmap\nx = []\nwhile True: x.append(mmap.mmap(-1, 10_000_000))',
    [...FAILS, ...MEMORY],
  ],
  ['threads', 'import threading\nwhile True: threading.Thread(target=print).start()', FAILS],
  [
    'generators',
    'def g(n):\n  if n: yield from g(n - 1)\nimport sys\nsys.setrecursionlimit(10**9)\nlist(g(10**6))',
    STOPPED_OR_FAILS,
  ],
];

const LOUD: Case[] = [
  ['print for ever', 'while True: print("a" * 1000)', OUTPUT],
  [
    'print for ever, catching all',
    'while True:\n  try:\n    print("a" * 1000)\n  except BaseException: pass',
    OUTPUT,
  ],
  [
    'a hundred megabytes at once',
    'import sys\nsys.stdout.write("a" * 50_000_000)\nsys.stdout.write("a" * 50_000_000)',
    [...OUTPUT, ...MEMORY],
  ],
  ['standard error', 'import sys\nwhile True: print("e" * 1000, file=sys.stderr)', OUTPUT],
  ['the descriptor itself', 'import os\nwhile True: os.write(1, b"x" * 10_000)', OUTPUT],
  ['prompts', 'while True:\n  try: input("p" * 1000)\n  except EOFError: pass', OUTPUT],
  [
    'warnings',
    'import warnings\nwarnings.simplefilter("always")\ni = 0\nwhile True:\n  warnings.warn(str(i) * 100)\n  i += 1',
    OUTPUT,
  ],
  ['an error with a long text', 'raise ValueError("x" * 30_000_000)', [...FAILS, ...MEMORY]],
  ['an error with a long name', 'raise type("E" * 1_000_000, (Exception,), {})()', FAILS],
];

/** Each prints ESCAPED only where it got at something that is not the program's own. */
const ESCAPES: Case[] = [
  ['the JavaScript module', 'import js\nprint("ESCAPED")', FAILS],
  ['the bridge', 'import _pyodide_core\nprint("ESCAPED")', FAILS],
  [
    'the bridge by its loader',
    'import _imp, importlib.machinery as m\nx = _imp.create_builtin(m.ModuleSpec("_pyodide_core", None))\nprint("ESCAPED" if x else "")',
    ['pass'],
  ],
  [
    'an empty built-in name',
    'import _imp, importlib.machinery as m\nx = _imp.create_builtin(m.ModuleSpec("", None))\nprint("ESCAPED" if dir(x) and hasattr(x, "run_js") else "")',
    [...FAILS, 'pass'],
  ],
  ['run_js', 'from pyodide.code import run_js\nprint("ESCAPED", run_js("1+1"))', FAILS],
  ['ctypes', 'import ctypes\nprint("ESCAPED", ctypes.string_at(0, 10))', FAILS],
  [
    '_ctypes by its loader',
    'import importlib.util as u, importlib.machinery as m\ns = m.BuiltinImporter.find_spec("_ctypes")\nprint("ESCAPED" if s else "")',
    ['pass'],
  ],
  ['interpreter internals', 'import _testinternalcapi\nprint("ESCAPED")', FAILS],
  ['the shell', 'import os\nprint("ESCAPED" if os.system("id") == 0 else "")', ['pass']],
  ['a process', 'import subprocess\nprint("ESCAPED", subprocess.run(["id"], capture_output=True))', FAILS],
  ['fork', 'import os\nos.fork()\nprint("ESCAPED")', FAILS],
  ['exec', 'import os\nos.execv("/bin/sh", ["sh"])\nprint("ESCAPED")', FAILS],
  [
    "the host's files",
    'import os\nfor p in ("/etc/passwd", "/proc/self/environ", "/work", "/root", "/proc/1/cmdline"):\n  if os.path.exists(p): print("ESCAPED", p)',
    ['pass'],
  ],
  [
    "the host's environment",
    'import os\nprint("ESCAPED" if set(os.environ) - {"HOME", "USER", "LOGNAME", "PATH", "PWD", "LANG", "_", "PYTHONHASHSEED", "NO_COLOR"} else "")',
    ['pass'],
  ],
  [
    'a connection',
    'import socket\ns = socket.socket()\ns.connect(("127.0.0.1", 4321))\nprint("ESCAPED")',
    FAILS,
  ],
  ['a listener', 'import socket\nsocket.create_server(("127.0.0.1", 0))\nprint("ESCAPED")', FAILS],
  ['a name look-up', 'import socket\nprint("ESCAPED", socket.gethostbyname("example.com"))', FAILS],
  [
    'the web',
    'import urllib.request\nprint("ESCAPED", urllib.request.urlopen("http://example.com").status)',
    FAILS,
  ],
  [
    'machine code of its own',
    'import importlib.machinery as m, importlib.util as u\nopen("x.so", "wb").write(bytes([0, 97, 115, 109, 1, 0, 0, 0]))\nl = m.ExtensionFileLoader("x", "./x.so")\nu.module_from_spec(u.spec_from_loader("x", l))\nprint("ESCAPED")',
    FAILS,
  ],
  [
    'a module for the emulator',
    'import _imp, importlib.machinery as m\nopen("x.so", "wb").write(b"\\0asm\\1\\0\\0\\0\\0\\x0f\\x08dylink.0\\1\\4\\0\\0\\0\\0")\n_imp.create_dynamic(m.ModuleSpec("x", None, origin="./x.so"))\nprint("ESCAPED")',
    FAILS,
  ],
  ['another interpreter', 'import _interpreters\n_interpreters.create()\nprint("ESCAPED")', FAILS],
  [
    'code made by hand',
    'f = lambda: 0\nf.__code__ = f.__code__.replace(co_code=bytes([83, 255] * 200), co_stacksize=1)\nf()',
    [...STOPPED_OR_FAILS, 'pass'],
  ],
  [
    'code that jumps anywhere',
    'f = lambda: 0\nfor op in range(1, 256):\n  try:\n    g = f.__code__.replace(co_code=bytes([op, 200, op, 255] * 20), co_consts=(1,), co_stacksize=5)\n    exec(g)\n  except BaseException: pass',
    [...STOPPED_OR_FAILS, 'pass'],
  ],
  ['a segmentation fault', 'import faulthandler\nfaulthandler._sigsegv()', [...FAILS, 'pass']],
  ['abort', 'import os\nos.abort()', FAILS],
  [
    'the end of its own process',
    'import _imp, importlib.machinery as m\n_imp.create_builtin(m.ModuleSpec("posix", None))._exit(0)',
    [...FAILS, 'pass'],
  ],
  ['a signal to itself', 'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)', [...FAILS, 'pass']],
  [
    'closed streams',
    'import os, sys\nfor i in range(20):\n  try: os.close(i)\n  except OSError: pass\nsys.stdout.close()',
    [...FAILS, 'pass'],
  ],
  [
    'the frames below',
    'import sys\nf = sys._getframe()\nwhile f.f_back: f = f.f_back\nprint("ESCAPED" if "harness" in f.f_code.co_filename else "")',
    ['pass'],
  ],
  [
    'the judge among all objects',
    'import gc\nprint("ESCAPED" if [o for o in gc.get_objects() if getattr(getattr(o, "__code__", None), "co_filename", "") == "<harness>"] else "")',
    ['pass'],
  ],
  [
    'the judge among the modules',
    'import sys\nprint("ESCAPED" if [m for m in sys.modules if "harness" in m or "pyodide" in m] else "")',
    ['pass'],
  ],
];

/** Enough to reach the limit that is meant, on a busy machine too. */
const AMPLE = { testMs: 1_500, totalMs: 3_000 };

const run = ([, code, kinds, input]: Case, limits: Partial<RunLimits>) =>
  survive(
    judge,
    {
      language: 'python',
      code,
      tests: input === undefined ? [] : [{ input, expectedOutput: 'never' }],
    },
    kinds,
    limits,
  );

describe.each([
  ['never ends', ENDLESS, SMALL_LIMITS],
  ['takes all memory', GREEDY, AMPLE],
  ['prints too much', LOUD, AMPLE],
])('a program that %s', (_, cases, limits) => {
  const { stopped, harmless } = byEnd(cases);
  test.each(stopped)('by %s is stopped', async (...entry) => void (await run(entry, limits)));
  test.each(harmless)(
    'by %s harms nobody, though it may come to its end',
    async (...entry) => void (await run(entry, limits)),
  );
});

describe('a program that looks for a way out', () => {
  test.each(ESCAPES.map((entry) => [entry[0], entry] as const))('by %s finds none', async (_, entry) => {
    const { output } = await run(entry, AMPLE);
    expect(output.replace(/^.*print\(.*$/gm, '')).not.toContain('ESCAPED');
  });
});

/** None of these adds; each would pass a judge that trusts what a program says of itself. */
const CHEATS: [what: string, code: string][] = [
  ['printing the answer', 'print(42)'],
  [
    'a value that equals everything',
    'class A:\n  def __eq__(self, o): return True\n  def __repr__(self): return "true"\ndef add(a, b): return A()',
  ],
  [
    'a text that equals everything',
    'class S(str):\n  def __eq__(self, o): return True\n  __hash__ = str.__hash__\ndef add(a, b): return S("x")',
  ],
  [
    'another repr',
    'import builtins\nbuiltins.repr = lambda x: "42 43"\nbuiltins.str = lambda *x: "42"\ndef add(a, b): return 0',
  ],
  ['another print', 'import builtins\nbuiltins.print = lambda *x: None\ndef add(a, b): return None'],
  [
    'another sys.stdout',
    'import sys\nclass O:\n  def write(self, s): pass\n  def flush(self): pass\nsys.stdout = sys.__stdout__ = O()\ndef add(a, b): return None',
  ],
  ['leaving with success', 'import sys\ndef add(a, b): sys.exit(0)'],
  ['leaving the process', 'import os\ndef add(a, b): os._exit(0)'],
  [
    'looking into the caller',
    'import sys\ndef add(a, b):\n  f = sys._getframe(1)\n  return f.f_globals.get("expectedOutput", f.f_locals.get("expected", 0))',
  ],
  [
    'looking at all objects',
    'import gc\ndef add(a, b):\n  return next((o["expectedOutput"] for o in gc.get_objects() if isinstance(o, dict) and "expectedOutput" in o), 0)',
  ],
  [
    'tracing',
    'import sys\nseen = []\nsys.settrace(lambda f, e, a: seen.append(f.f_code.co_filename))\nsys.setprofile(lambda f, e, a: seen.append(a))\ndef add(a, b): return [s for s in seen if s == 42] or 0',
  ],
  [
    'an audit hook',
    'import sys\nseen = []\nsys.addaudithook(lambda e, a: seen.append(a))\ndef add(a, b): return str(seen)',
  ],
  [
    'another compile',
    'import builtins\nbuiltins.compile = lambda *a, **k: None\nbuiltins.eval = lambda *a, **k: 42\nbuiltins.exec = lambda *a, **k: 42\ndef add(a, b): return 0',
  ],
  [
    'the next inputs in a file',
    'import os\ndef add(a, b): return sorted(os.listdir("/dev")) and open("/dev/program-input").read() or 0',
  ],
  [
    'the report written early',
    'import os\nos.write(1, b\'{"phase":"end","value":"42"}\')\ndef add(a, b):\n  os.write(2, b"42")\n  os.write(4, b"42")\n  return 0',
  ],
  [
    'a class that is no text',
    'class T(str):\n  def __str__(self): return "42"\n  def __repr__(self): return "42"\ndef add(a, b): return T("0")',
  ],
  [
    'a module of its own in place of main',
    'import sys, types\nm = types.ModuleType("__main__")\nm.add = lambda a, b: 42\nsys.modules["__main__"] = m\ndef add(a, b): return 0',
  ],
  [
    'a chosen answer by the number of the test',
    'import builtins\nbuiltins.n = getattr(builtins, "n", -1) + 1\ndef add(a, b): return [42, 43, 44][builtins.n]',
  ],
];

describe('a program that does not add', () => {
  const tests = [
    { input: 'add(20, 22)', expectedOutput: '42' },
    { input: 'add(21, 22)', expectedOutput: '43' },
    { input: 'add(22, 22)', expectedOutput: '44' },
  ];

  test.each(CHEATS)('does not pass by %s', async (_, code) => {
    const verdict = await judge.judge({ language: 'python', code, tests });
    expect(verdict.kind).not.toBe('pass');
    expect(verdict.tests.filter((result) => result.passed).length).toBeLessThan(2);
    const { kind } = await judge.judge({ language: 'python', code: 'add = int.__add__', tests });
    expect(kind).toBe('pass');
  });
});

describe('a hidden input', () => {
  const tests = [
    { input: 'add(41, 1)', expectedOutput: '42', hidden: true },
    { input: 'add(1, 1)', expectedOutput: '2' },
  ];
  const CARRIED = `import json
def add(a, b):
  print("seen", getattr(json.JSONEncoder, "seen", None))
  json.JSONEncoder.seen = (a, b)
  return a + b`;
  const CAUGHT = `cells = dict(zip(input.__code__.co_freevars, input.__closure__))
class State(dict):
  def __setitem__(self, key, value):
    if key == "input" and value: raise SyntaxError("seen " + value)
    super().__setitem__(key, value)
cells["state"].cell_contents = State(cells["state"].cell_contents)
def add(a, b): return a + b`;
  const NAMED = `class Hint(Exception): pass
def add(a, b):
  if a == 41: raise Hint(f"seen {a}")
  return a + b`;

  test.each([
    ['carried to another test', CARRIED],
    ['caught on its way in', CAUGHT],
    ["called one of the judge's own findings", NAMED],
  ])('is shown nowhere: %s', async (_, code) => {
    const verdict = await judge.judge({ language: 'python', code, tests });
    const { output, error } = verdict;
    expect(verdict.tests[1]).toMatchObject({ kind: 'pass', got: '2' });
    expect(JSON.stringify({ output, error, open: verdict.tests[1] })).not.toContain('41');
  });
});

test('every program was judged, and no process died of an unknown cause', async () => {
  const { counters } = await judge.health();
  expect(counters).toMatchObject({ unavailable: 0, deaths: 0 });
});

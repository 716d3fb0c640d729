import { afterAll, expect, test } from 'vitest';
import type { Language } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';

const judge = new PatientJudge();
afterAll(() => judge.stop());

/** Programs that get a compiler, an engine or a database to speak of files. */
const PROGRAMS = {
  typescript: [
    "import x from './y'",
    "import fs from 'node:fs'",
    "import fs = require('fs')",
    "export * from './y'",
    'let a: import("fs").Stats',
    'declare module "./x" {}',
    '/// <reference path="./y.ts" />\nlet a = 1',
    '/// <reference path="../../y" />\nlet a = 1',
    '/// <reference types="node" />\nlet a = 1',
    '/// <reference lib="dom" />\nlet a: HTMLElement = 1',
    '/// <reference lib="webworker.importscripts" />\nlet a = 1',
    '/// <reference lib="nothing" />\nlet a = 1',
    'interface Array<T, U> {}\nlet a: Array<number, string> = 1',
    'declare global { interface Array<T> { length: string } }',
    'declare global { var undefined: 1; class Promise {} function parseInt(a: 1): 2; }',
    'let a: typeof globalThis = 1',
    'let a = import.meta.url',
    'console.log(new Error("x").stack)',
  ],
  javascript: [
    "import x from './y'",
    "require('fs')",
    "import('./y').catch((error) => console.log(error.stack))",
    'console.log(new Error("x").stack); console.trace("x")',
    'Error.stackTraceLimit = Infinity; eval("null.x")',
    'Error.prepareStackTrace = (_, sites) => sites.map((site) => [site.getFileName(), site.getEvalOrigin(), site.toString()]); console.log(new Error("x").stack)',
    'Promise.reject(new Error("x"))',
    'function f() { f(); } f();',
    '//# sourceURL=y\nnull.x',
  ],
  react: [
    "import x from './y'; export default function App() { return <p>{x}</p>; }",
    "import './style.css'; export default () => <p />;",
    'export default function App() { return <p>',
    'export default function App() { return <p>{new Error("x").stack}</p>; }',
    'export default function App() { throw new Error(new Error("x").stack); }',
    'export default function App() { console.error(new Error("x")); return { a: 1 }; }',
    "import { useState } from 'react'; export default function App() { const [a, set] = useState(0); set(a + 1); return a; }",
  ],
  python: [
    'import y',
    'from . import y',
    'print(__file__)',
    "open('y')",
    'import traceback\ntry:\n    1 / 0\nexcept Exception:\n    traceback.print_exc()',
    'import json\njson.loads("{")',
    'import sys\nprint(sys.path, sys.argv, sys.executable, [getattr(m, "__file__", "") for m in sys.modules.values()])',
    'import os\nprint(os.getcwd(), dict(os.environ))',
    "import warnings\nwarnings.warn('x')",
    "import subprocess\nsubprocess.run('y')",
    'import logging\nlogging.error("x", stack_info=True)',
  ],
  html: ['<p', '<script src="./y">', '<link rel="stylesheet" href="./y">'],
  css: ['@import "./y";', 'h1 { background: url(./y) }', 'h1 {', '@charset'],
  sql: [
    "SELECT pg_read_file('y')",
    "COPY books FROM 'y'",
    "LOAD 'y'",
    'SHOW data_directory',
    'SELECT name, setting FROM pg_settings',
    'CREATE EXTENSION y',
    "CREATE FUNCTION f() RETURNS int AS 'y', 'z' LANGUAGE c",
    'CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = ispell, DictFile = y)',
  ],
} satisfies Partial<Record<Language, string[]>>;
const INPUTS = {
  javascript: '1',
  typescript: '1',
  react: '<App /> | text',
  html: 'h1',
  css: 'h1 | background-image',
  python: '1',
  sql: 'result',
} satisfies Record<keyof typeof PROGRAMS, string>;
const FIXTURES: Partial<Record<Language, string>> = {
  css: '<h1>Hello</h1>',
  sql: 'CREATE TABLE books (name text);',
};

test.each(
  Object.entries(PROGRAMS).flatMap(([language, programs]) =>
    programs.map((code) => [language as keyof typeof PROGRAMS, code] as const),
  ),
)('no verdict names a file of the installation: %s, %s', async (language, code) => {
  const fixture = FIXTURES[language];
  const asked = { language, code, ...(fixture ? { fixture } : {}) };
  const tests = [{ input: INPUTS[language], expectedOutput: 'something else' }];
  for (const one of [{ tests }, { tests: [], expectedOutput: 'something else' }]) {
    const verdict = JSON.stringify(await judge.judge({ ...asked, ...one }));
    for (const part of [process.cwd(), 'node_modules', 'file://', 'isolated-vm', '.cache', '.mjs']) {
      expect(verdict).not.toContain(part);
    }
  }
});

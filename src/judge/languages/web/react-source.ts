import { type ModuleDeclaration, Parser, type Statement } from 'acorn';
import jsx from 'acorn-jsx';
import { transform } from 'sucrase';
import { EXPORTS } from '../../explanations/react.ts';
import { TOO_DEEP } from '../../limit-texts.ts';
import type { LearnerError } from '../../protocol.ts';

export const PROGRAM_FILE = 'App.jsx';

const CREATE = '__create';
const FRAGMENT = '__fragment';

export type ReactSource =
  | { ok: true; script: string; program: string; name: string | null }
  | { ok: false; error: Omit<LearnerError, 'explanation'> };

interface Compiled {
  code: string;
}

interface Mistake {
  line: number | null;
  column: number | null;
  message: string;
}

const StrictParser = Parser.extend(jsx());

/** A module that imports it does not begin to run. */
function missingImport(body: readonly (Statement | ModuleDeclaration)[]): Mistake | null {
  for (const node of body) {
    if (node.type !== 'ImportDeclaration' || node.source.value !== 'react') continue;
    for (const specifier of node.specifiers) {
      if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') continue;
      const { name, loc } = specifier.imported;
      if (EXPORTS.includes(name) || name === 'default') continue;
      const message = `The requested module 'react' does not provide an export named '${name}'`;
      return { line: loc!.start.line, column: loc!.start.column + 1, message };
    }
  }
  return null;
}

/** Sucrase takes wrong closing tags, two default exports and unknown imports. */
function overlooked(code: string): Mistake | null {
  try {
    const { body } = StrictParser.parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowReturnOutsideFunction: true,
      locations: true,
    });
    return missingImport(body);
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number; column: number } };
    if (!loc || !/closing tag|^Duplicate export/.test(message)) return null;
    const said = message.replace(/\s*\(\d+:\d+\)$/, '').replace('<undefined>', '<>');
    return { line: loc.line, column: loc.column + 1, message: said };
  }
}

let last: { code: string; compiled: Compiled | Mistake } | null = null;

function compileOnce(code: string): Compiled | Mistake {
  if (last?.code !== code) last = { code, compiled: overlooked(code) ?? compile(code) };
  return last.compiled;
}

function compile(code: string): Compiled | Mistake {
  try {
    return {
      // Keeps every line where it is, so that stacks name the learner's own lines.
      code: transform(code, {
        transforms: ['jsx', 'imports'],
        jsxRuntime: 'automatic',
        production: true,
        filePath: PROGRAM_FILE,
        disableESTransforms: true,
      }).code,
    };
  } catch (error) {
    if (error instanceof RangeError) return { line: null, column: null, message: TOO_DEEP.message };
    const { message } = error as Error;
    const place = /\((\d+):(\d+)\)\s*$/.exec(message);
    return {
      line: Number(place?.[1] ?? 1),
      column: Number(place?.[2] ?? 0) + 1,
      message: message.replace(/^Error transforming [^:]*: /, '').replace(/\s*\(\d+:\d+\)\s*$/, ''),
    };
  }
}

function compileElement(element: string): string {
  const { code } = transform(`(${element})`, {
    transforms: ['jsx'],
    jsxPragma: CREATE,
    jsxFragmentPragma: FRAGMENT,
    production: true,
    disableESTransforms: true,
  });
  return code.trim().replace(/;$/, '');
}

const DECLARED =
  /^(?:export\s+(?:default\s+)?)?(?:async\s+)?(?:function\s*\*?|class|const|let|var)\s+([A-Z][\w$]*)/gm;

function capitalisedNames(code: string): string[] {
  return [...new Set([...code.matchAll(DECLARED)].map((match) => match[1]!))];
}

const present = (name: string) => `typeof ${name} === 'undefined' ? undefined : ${name}`;

export function reactSource(code: string, element: string | null): ReactSource {
  const compiled = compileOnce(code);
  if ('message' in compiled) {
    const { line, column, message } = compiled;
    return { ok: false, error: { name: 'SyntaxError', message, line, column } };
  }
  const name = element === null ? null : (/^<\s*([A-Z][\w$]*)[\s/>]/.exec(element)?.[1] ?? null);
  const names = capitalisedNames(code);
  const parts = [
    `exported: exports.default`,
    `app: ${present('App')}`,
    `capitalised: [${names.map(present).join(', ')}]`,
    `named: ${name ? present(name) : 'undefined'}`,
    `element: ${element === null ? 'null' : `(${name ?? '_'}) => ${compileElement(element)}`}`,
  ];
  const script =
    `(function (require, exports, module, ${CREATE}, ${FRAGMENT}) {\n` +
    `${compiled.code}\n;return { ${parts.join(', ')} };\n})`;
  return { ok: true, script, program: compiled.code, name };
}

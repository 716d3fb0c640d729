import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { GLOBALS } from './globals.ts';

/** From 1. */
export interface TypeFinding {
  code: number;
  message: string;
  line: number;
  column: number;
}

export class CheckTooLong extends Error {
  override name = 'CheckTooLong';
}

/** The library is that of the engine. */
export const COMPILER_OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2025,
  lib: ['lib.es2025.d.ts'],
  module: ts.ModuleKind.ESNext,
  // A program's names are its own, whatever the library calls by them.
  moduleDetection: ts.ModuleDetectionKind.Force,
  noEmit: true,
  types: [],
  skipLibCheck: true,
};

const PROGRAM = '/program.ts';
const AMBIENT = '/globals.d.ts';
const LIBRARY = dirname(ts.getDefaultLibFilePath({}));
/** Reading the clock each time costs too much. */
const CLOCK_MS = 10;

const parsed = new Map<string, ts.SourceFile>();

const parse = (name: string, text: string) =>
  ts.createSourceFile(name, text, { languageVersion: ts.ScriptTarget.ES2025 }, false, ts.ScriptKind.TS);

function libraryFile(name: string): ts.SourceFile | undefined {
  const file = basename(name);
  if (name !== `/${file}` || !/^lib\.(?:es\d+|decorators)[\w.]*\.d\.ts$/.test(file)) return undefined;
  let source = parsed.get(file);
  if (!source) {
    source = parse(name, readFileSync(join(LIBRARY, file), 'utf8'));
    parsed.set(file, source);
  }
  return source;
}

function hostOf(program: ts.SourceFile): ts.CompilerHost {
  return {
    getSourceFile: (name) => (name === PROGRAM ? program : name === AMBIENT ? ambient() : libraryFile(name)),
    getDefaultLibFileName: () => '/lib.es2025.d.ts',
    getDefaultLibLocation: () => '/',
    fileExists: () => false,
    readFile: () => undefined,
    directoryExists: () => false,
    writeFile: () => {},
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  };
}

function ambient(): ts.SourceFile {
  let source = parsed.get(AMBIENT);
  if (!source) {
    source = parse(AMBIENT, GLOBALS);
    parsed.set(AMBIENT, source);
  }
  return source;
}

/** Milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function tokenFor(budgetMs: number): ts.CancellationToken {
  const endMs = threadMs() + budgetMs;
  let lookedAt = performance.now();
  const isCancellationRequested = () => {
    const now = performance.now();
    if (now - lookedAt < CLOCK_MS) return false;
    lookedAt = now;
    return threadMs() > endMs;
  };
  return {
    isCancellationRequested,
    throwIfCancellationRequested() {
      if (isCancellationRequested()) throw new ts.OperationCanceledException();
    },
  };
}

let last: ts.Program | undefined;

interface Checked {
  program: ts.Program;
  source: ts.SourceFile;
  token: ts.CancellationToken;
  found: readonly ts.Diagnostic[];
}

function compile(code: string, budgetMs: number): Checked {
  const token = tokenFor(budgetMs);
  const source = parse(PROGRAM, code);
  const program = ts.createProgram({
    rootNames: [PROGRAM, AMBIENT],
    options: COMPILER_OPTIONS,
    host: hostOf(source),
    ...(last ? { oldProgram: last } : {}),
  });
  last = program;
  // As the compiler does: what cannot be read is not checked any further.
  const unread = program.getSyntacticDiagnostics(source, token);
  const found = unread.length > 0 ? unread : program.getSemanticDiagnostics(source, token);
  return { program, source, token, found };
}

function within<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    last = undefined;
    throw error instanceof ts.OperationCanceledException ? new CheckTooLong() : error;
  }
}

function findingOf({ code, messageText, start }: ts.Diagnostic, source: ts.SourceFile): TypeFinding {
  const { line, character } = source.getLineAndCharacterOfPosition(start ?? 0);
  const message = ts.flattenDiagnosticMessageText(messageText, '\n');
  return { code, message, line: line + 1, column: character + 1 };
}

export function findingsIn(code: string, budgetMs: number): TypeFinding[] {
  return within(() => {
    const { source, found } = compile(code, budgetMs);
    return ts.sortAndDeduplicateDiagnostics(found).map((one) => findingOf(one, source));
  });
}

/** The semicolon parts it from the program's last line. */
const withLine = (code: string, line: string) => `${code}\n;${line}\n`;

export function breaksWith(code: string, line: string, budgetMs: number): boolean {
  return within(() => compile(withLine(code, line), budgetMs).found.length > 0);
}

export function typeOf(
  code: string,
  expression: string,
  budgetMs: number,
): { type: string } | { wrong: TypeFinding } {
  return within(() => {
    const { program, source, token, found } = compile(withLine(code, `(${expression}\n);`), budgetMs);
    const [first] = found;
    if (first) return { wrong: findingOf(first, source) };
    const statement = source.statements.at(-1);
    // `1); (2` closes the brackets itself: what counts is what stands last.
    const inner =
      statement && ts.isExpressionStatement(statement) && ts.isParenthesizedExpression(statement.expression)
        ? statement.expression.expression
        : null;
    if (!inner) return { wrong: { code: 1109, message: 'Expression expected.', line: 1, column: 1 } };
    const flags =
      ts.TypeFormatFlags.NoTruncation |
      ts.TypeFormatFlags.AllowUniqueESSymbolType |
      ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
    const type = program
      .getTypeChecker()
      .runWithCancellationToken(token, (checker) =>
        checker.typeToString(checker.getTypeAtLocation(inner), source, flags),
      );
    return { type };
  });
}

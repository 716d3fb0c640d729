import ts from 'typescript';
import { COMPILER_OPTIONS } from '#src/judge/languages/typescript/check.ts';
import { GLOBALS } from '#src/judge/languages/typescript/globals.ts';

/** What the compiler itself says of a program that lies on no disk: `TS2322 at 3`, in its order. */
export function compilerSays(code: string): string[] {
  const files: Record<string, string> = { '/program.ts': code, '/globals.d.ts': GLOBALS };
  const host = ts.createCompilerHost(COMPILER_OPTIONS);
  const fromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target) =>
    files[name] === undefined ? fromDisk(name, target) : ts.createSourceFile(name, files[name], target);
  const program = ts.createProgram(Object.keys(files), COMPILER_OPTIONS, host);
  const source = program.getSourceFile('/program.ts')!;
  const unread = program.getSyntacticDiagnostics(source);
  const found = unread.length > 0 ? unread : program.getSemanticDiagnostics(source);
  return ts.sortAndDeduplicateDiagnostics(found).map(({ code: number, start }) => {
    const { line } = source.getLineAndCharacterOfPosition(start ?? 0);
    return `TS${number} at ${line + 1}`;
  });
}

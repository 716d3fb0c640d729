import 'monaco-editor/features/hover/register';
import { typescriptDefaults } from 'monaco-editor/languages/features/typescript/register';
import { GLOBALS } from '#src/judge/languages/typescript/globals.ts';

typescriptDefaults.setCompilerOptions({
  // A lesson's program has no file name.
  allowNonTsExtensions: true,
  strict: true,
  target: 99,
  lib: ['lib.esnext.d.ts'],
  module: 99,
  moduleDetection: 3,
  noEmit: true,
  types: [],
});
// What is merely not used would be so pale that nobody could read it.
typescriptDefaults.setDiagnosticsOptions({ noSuggestionDiagnostics: true });
typescriptDefaults.setExtraLibs([{ content: GLOBALS, filePath: 'file:///globals.d.ts' }]);

import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/longLinesHelper/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/smartSelect/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/languages/definitions/css/register';
import 'monaco-editor/languages/definitions/html/register';
import 'monaco-editor/languages/definitions/javascript/register';
import 'monaco-editor/languages/definitions/pgsql/register';
import 'monaco-editor/languages/definitions/python/register';
import 'monaco-editor/languages/definitions/typescript/register';
import { useEffect, useRef } from 'react';
import { isDark, onThemeChange, shownColor } from '#src/components/color-scheme.ts';
import { useLatest } from '#src/components/use-latest.ts';
import { CODE_COLORS, type EditorHostProps } from '../editor-host.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';

declare global {
  interface Window {
    MonacoEnvironment?: monaco.Environment;
  }
}

const MODES: Partial<Record<CodingLanguage, string>> = {
  javascript: 'javascript',
  react: 'javascript',
  python: 'python',
  html: 'html',
  css: 'css',
  typescript: 'typescript',
  sql: 'pgsql',
};

const OWNER = 'lesson';

const RULES: Record<string, keyof typeof CODE_COLORS> = {
  comment: 'comment',
  keyword: 'keyword',
  tag: 'tag',
  'attribute.name': 'attribute',
  'attribute.value': 'string',
  string: 'string',
  number: 'number',
  regexp: 'regexp',
  type: 'type',
  delimiter: 'punctuation',
  // The editor has colors of its own for these, too pale to be read.
  'string.sql': 'string',
  'operator.sql': 'punctuation',
  'predefined.sql': 'type',
};

const PARTS = {
  'editor.background': '--color-surface',
  'editor.foreground': '--color-ink',
  'editorLineNumber.foreground': '--color-ink-faint',
  'editorLineNumber.activeForeground': '--color-ink',
  'editor.lineHighlightBackground': '--color-sunken',
  'editor.selectionBackground': '--color-accent-line',
  'editorCursor.foreground': '--color-accent',
  'editorError.foreground': '--color-danger',
  'editorIndentGuide.background1': '--color-line',
  // Monaco's own colors of brackets are too pale on the editor's ground.
  'editorBracketHighlight.foreground1': '--color-ink-soft',
  'editorBracketHighlight.foreground2': '--color-ink-soft',
  'editorBracketHighlight.foreground3': '--color-ink-soft',
} as const;

export const knowTypes = () => import('./monaco-types.ts');

let prepared = false;

function prepare(): void {
  if (prepared) return;
  prepared = true;
  window.MonacoEnvironment = {
    getWorker: async (_, label) => {
      // The checker is larger than all the rest: only its own language asks for it.
      if (label !== 'typescript') return new EditorWorker();
      const { default: Checker } = await import(
        'monaco-editor/languages/features/typescript/ts.worker?worker'
      );
      return new Checker();
    },
  };
}

/** The editor reads six digits only. */
function hex(token: `--color-${string}`): string {
  const parts = shownColor(token).match(/\d+/g) ?? [];
  return parts
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('');
}

function takeTheme(): void {
  const parts = Object.entries(PARTS).map(([part, token]) => [part, `#${hex(token)}`]);
  monaco.editor.defineTheme('lesson', {
    base: isDark() ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: hex('--color-ink') },
      ...Object.entries(RULES).map(([token, kind]) => ({
        token,
        foreground: hex(CODE_COLORS[kind]),
        ...(kind === 'comment' && { fontStyle: 'italic' }),
      })),
    ],
    colors: {
      ...Object.fromEntries(parts),
      'editor.lineHighlightBorder': '#00000000',
      focusBorder: '#00000000',
    },
  });
  monaco.editor.setTheme('lesson');
}

/** In a chunk of its own, loaded after the page works with a plain text field. */
export function MonacoHost({ language, label, takeOver, onReady, onChange, onRun }: EditorHostProps) {
  const host = useRef<HTMLDivElement>(null);
  // The editor is made once; what it calls is always the newest.
  const calls = useLatest({ takeOver, onReady, onChange, onRun });

  useEffect(() => {
    prepare();
    takeTheme();
    const { code, offset, focused } = calls.current.takeOver();
    const model = monaco.editor.createModel(code, MODES[language] ?? 'plaintext');
    model.updateOptions({ tabSize: language === 'python' ? 4 : 2, insertSpaces: true });
    const editor = monaco.editor.create(host.current!, {
      model,
      theme: 'lesson',
      ariaLabel: label,
      automaticLayout: true,
      fontFamily: 'ui-monospace, "SFMono-Regular", "Cascadia Mono", "Liberation Mono", Menlo, monospace',
      fontSize: 14,
      lineHeight: 22,
      padding: { top: 12, bottom: 12 },
      minimap: { enabled: false },
      scrollBeyondLastLine: false,
      lineNumbersMinChars: 3,
      folding: false,
      wordWrap: 'on',
      contextmenu: false,
      renderLineHighlight: 'line',
      overviewRulerLanes: 0,
      fixedOverflowWidgets: true,
      quickSuggestions: false,
      scrollbar: { alwaysConsumeMouseWheel: false, useShadows: false },
    });
    const endTheme = onThemeChange(takeTheme);
    const failingLine = editor.createDecorationsCollection();
    editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, () => calls.current.onRun());
    // Escape lends the Tab key to the page until something else is typed (WCAG 2.1.2).
    const tabs = editor.onKeyDown((event) => {
      if (event.keyCode === monaco.KeyCode.Escape) editor.updateOptions({ tabFocusMode: true });
      else if (event.keyCode !== monaco.KeyCode.Tab && event.keyCode !== monaco.KeyCode.Shift) {
        editor.updateOptions({ tabFocusMode: false });
      }
    });
    const blur = editor.onDidBlurEditorText(() => editor.updateOptions({ tabFocusMode: false }));
    const changes = model.onDidChangeContent(() => calls.current.onChange(model.getValue()));
    editor.setPosition(model.getPositionAt(offset));
    if (focused) editor.focus();
    calls.current.onReady({
      value: () => model.getValue(),
      replace: (next) => {
        editor.pushUndoStop();
        editor.executeEdits(OWNER, [{ range: model.getFullModelRange(), text: next }]);
        editor.pushUndoStop();
        editor.setPosition({ lineNumber: 1, column: 1 });
        editor.revealLine(1);
      },
      mark: (findings, failing) => {
        const markers = failing ? [failing, ...findings] : findings;
        monaco.editor.setModelMarkers(
          model,
          OWNER,
          markers.map((found) => ({
            severity: monaco.MarkerSeverity.Error,
            message: found.message,
            startLineNumber: found.line,
            startColumn: found.column,
            endLineNumber: found.endLine,
            endColumn: found.endColumn,
          })),
        );
        const line = failing && Math.min(failing.line, model.getLineCount());
        failingLine.set(
          line
            ? [
                {
                  range: new monaco.Range(line, 1, line, 1),
                  options: {
                    isWholeLine: true,
                    className: 'failing-line',
                    linesDecorationsClassName: 'failing-mark',
                  },
                },
              ]
            : [],
        );
        if (line) editor.revealLineInCenterIfOutsideViewport(line);
      },
      goTo: (line, column) => {
        editor.setPosition({ lineNumber: line, column });
        editor.revealLineInCenterIfOutsideViewport(line);
        editor.focus();
      },
      currentLine: () => {
        const line = editor.getPosition()?.lineNumber ?? 1;
        return { line, text: model.getLineContent(line) };
      },
    });
    return () => {
      endTheme();
      for (const listener of [tabs, blur, changes]) listener.dispose();
      editor.dispose();
      model.dispose();
    };
  }, [language, label]);

  return (
    <div
      ref={host}
      className="absolute inset-0 [&_.failing-line]:bg-danger-soft [&_.failing-mark]:ml-1 [&_.failing-mark]:w-1! [&_.failing-mark]:bg-danger"
    />
  );
}

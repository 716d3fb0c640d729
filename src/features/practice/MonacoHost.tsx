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
import 'monaco-editor/languages/definitions/python/register';
import { useEffect, useRef } from 'react';
import { isDark, onThemeChange } from '#src/components/color-scheme.ts';
import { useLatest } from '#src/components/use-latest.ts';
import type { Finding } from './lint.ts';
import type { CodingLanguage } from './practice.ts';

declare global {
  interface Window {
    MonacoEnvironment?: monaco.Environment;
  }
}

const MODES: Record<CodingLanguage, string> = {
  javascript: 'javascript',
  react: 'javascript',
  python: 'python',
  html: 'html',
  css: 'css',
};

const OWNER = 'lesson';

/** What the surrounding editor does with the loaded one. */
export interface LoadedEditor {
  value: () => string;
  /** Replaces everything; can be undone. */
  replace: (code: string) => void;
  mark: (findings: readonly Finding[], failing: Finding | null) => void;
  goTo: (line: number, column: number) => void;
  currentLine: () => { line: number; text: string };
  focus: () => void;
}

interface Props {
  language: CodingLanguage;
  label: string;
  /** The program and the caret's place in it when the editor takes over. */
  initial: { code: string; offset: number; focused: boolean };
  onReady: (editor: LoadedEditor) => void;
  onChange: (code: string) => void;
  onRun: () => void;
}

let prepared = false;

function prepare(): void {
  if (prepared) return;
  prepared = true;
  window.MonacoEnvironment = { getWorker: () => new EditorWorker() };
  // Every pair of token and ground meets 4.5:1. The editor cannot read the tokens of theme.css.
  monaco.editor.defineTheme('lesson-dark', {
    base: 'vs-dark',
    inherit: true,
    rules: [
      { token: '', foreground: 'eef1f7' },
      { token: 'comment', foreground: '9aa6bc', fontStyle: 'italic' },
      { token: 'keyword', foreground: 'a9bfff' },
      { token: 'tag', foreground: 'a9bfff' },
      { token: 'attribute.name', foreground: 'f4c884' },
      { token: 'attribute.value', foreground: 'a5dcb4' },
      { token: 'string', foreground: 'a5dcb4' },
      { token: 'number', foreground: 'f4c884' },
      { token: 'regexp', foreground: 'ff9c92' },
      { token: 'type', foreground: 'd9c8ff' },
      { token: 'delimiter', foreground: 'bbc5d8' },
    ],
    colors: {
      'editor.background': '#161e2d',
      'editor.foreground': '#eef1f7',
      'editorLineNumber.foreground': '#9aa6bc',
      'editorLineNumber.activeForeground': '#eef1f7',
      'editor.lineHighlightBackground': '#1c2637',
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': '#41569c',
      'editorCursor.foreground': '#93aeff',
      'editorError.foreground': '#ff9c92',
      'editorIndentGuide.background1': '#2c384c',
      focusBorder: '#00000000',
    },
  });
  monaco.editor.defineTheme('lesson', {
    base: 'vs',
    inherit: true,
    rules: [
      { token: '', foreground: '101a2e' },
      { token: 'comment', foreground: '5d677c', fontStyle: 'italic' },
      { token: 'keyword', foreground: '2145cf' },
      { token: 'tag', foreground: '2145cf' },
      { token: 'attribute.name', foreground: '8a4b05' },
      { token: 'attribute.value', foreground: '12693f' },
      { token: 'string', foreground: '12693f' },
      { token: 'number', foreground: '8a4b05' },
      { token: 'regexp', foreground: 'b3261e' },
      { token: 'type', foreground: '6b2fa0' },
      { token: 'delimiter', foreground: '445069' },
    ],
    colors: {
      'editor.background': '#ffffff',
      'editor.foreground': '#101a2e',
      'editorLineNumber.foreground': '#5d677c',
      'editorLineNumber.activeForeground': '#101a2e',
      'editor.lineHighlightBackground': '#faf8f4',
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': '#b9c7f6',
      'editorCursor.foreground': '#2145cf',
      'editorError.foreground': '#b3261e',
      'editorIndentGuide.background1': '#e4dfd4',
      focusBorder: '#00000000',
    },
  });
}

const shownTheme = () => (isDark() ? 'lesson-dark' : 'lesson');

/** The full editor, in a chunk of its own: it is loaded after the page works with a plain text field. */
export function MonacoHost({ language, label, initial, onReady, onChange, onRun }: Props) {
  const host = useRef<HTMLDivElement>(null);
  // The editor is made once; what it calls is always the newest.
  const calls = useLatest({ onReady, onChange, onRun });
  const first = useRef(initial);

  useEffect(() => {
    prepare();
    const { code, offset, focused } = first.current;
    const model = monaco.editor.createModel(code, MODES[language]);
    model.updateOptions({ tabSize: language === 'python' ? 4 : 2, insertSpaces: true });
    const editor = monaco.editor.create(host.current!, {
      model,
      theme: shownTheme(),
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
    const endTheme = onThemeChange(() => monaco.editor.setTheme(shownTheme()));
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
      focus: () => editor.focus(),
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

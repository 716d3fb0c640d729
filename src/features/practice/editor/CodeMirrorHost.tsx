import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  isolateHistory,
} from '@codemirror/commands';
import {
  bracketMatching,
  getIndentUnit,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  type LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import {
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { CODE_COLORS, type EditorHandle, type EditorHostProps, hasMouse } from '../editor-host.ts';
import type { Finding } from '../lint.ts';
import { type CodingLanguage, codingLanguage } from '#src/features/lessons/types/coding/languages.ts';

const LANGUAGES: Partial<Record<CodingLanguage, () => Promise<LanguageSupport>>> = {
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
  react: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  python: async () => (await import('@codemirror/lang-python')).python(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  css: async () => (await import('@codemirror/lang-css')).css(),
  typescript: async () => (await import('@codemirror/lang-javascript')).javascript({ typescript: true }),
  sql: async () => {
    const { PostgreSQL, sql } = await import('@codemirror/lang-sql');
    return sql({ dialect: PostgreSQL });
  },
};

const color = (kind: keyof typeof CODE_COLORS) => ({ color: `var(${CODE_COLORS[kind]})` });

const highlighting = HighlightStyle.define([
  { tag: tags.comment, ...color('comment'), fontStyle: 'italic' },
  { tag: [tags.keyword, tags.bool, tags.null, tags.self, tags.modifier], ...color('keyword') },
  { tag: [tags.tagName, tags.angleBracket], ...color('tag') },
  { tag: [tags.attributeName, tags.propertyName], ...color('attribute') },
  { tag: [tags.string, tags.attributeValue], ...color('string') },
  { tag: [tags.number, tags.unit, tags.color], ...color('number') },
  { tag: [tags.regexp, tags.escape], ...color('regexp') },
  { tag: [tags.typeName, tags.className], ...color('type') },
  { tag: [tags.punctuation, tags.operator], ...color('punctuation') },
]);

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--color-surface)', color: 'var(--color-ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--font-mono)', lineHeight: '22px' },
  // Phones zoom into text fields with smaller letters.
  '.cm-content': { padding: '0.5rem 0', fontSize: '1rem', caretColor: 'var(--color-accent)' },
  '.cm-line': { padding: '0 0.75rem 0 0.25rem' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-ink-faint)',
    border: 'none',
    fontSize: '0.8125rem',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--color-sunken)' },
  '.cm-activeLineGutter': { color: 'var(--color-ink)' },
  '.cm-content ::selection': { backgroundColor: 'var(--color-accent-line)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--color-accent-soft)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--color-danger-soft)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--color-danger) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-line.failing-line': {
    backgroundColor: 'var(--color-danger-soft)',
    boxShadow: 'inset 4px 0 var(--color-danger)',
  },
});

const setFailing = StateEffect.define<Finding | null>();

const failingLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, newDoc }) {
    const told = effects.find((effect) => effect.is(setFailing));
    if (!told) return marks.map(changes);
    if (!told.value) return Decoration.none;
    const { from } = newDoc.line(Math.min(told.value.line, newDoc.lines));
    return Decoration.set([Decoration.line({ class: 'failing-line' }).range(from)]);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A changed program may be shorter. */
function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}

function insert(view: EditorView, text: string): true {
  view.dispatch(view.state.replaceSelection(text), { userEvent: 'input', scrollIntoView: true });
  return true;
}

const indent: Command = (view) => {
  const { state } = view;
  if (!state.selection.main.empty) return indentMore(view);
  const { head } = state.selection.main;
  const unit = getIndentUnit(state);
  return insert(view, ' '.repeat(unit - ((head - state.doc.lineAt(head).from) % unit)));
};

const leaveByKeyboard = EditorView.domEventHandlers({
  keydown({ key }, view) {
    if (key === 'Escape') view.setTabFocusMode(true);
    else if (key !== 'Tab' && key !== 'Shift') view.setTabFocusMode(false);
  },
  blur: (_, view) => view.setTabFocusMode(false),
});

function handleOf(view: EditorView): EditorHandle {
  return {
    value: () => view.state.doc.toString(),
    replace: (code) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: code },
        selection: { anchor: 0 },
        annotations: isolateHistory.of('full'),
        scrollIntoView: true,
      }),
    mark: (findings, failing) => {
      const { doc } = view.state;
      const found = (failing ? [failing, ...findings] : findings).map((one) => ({
        from: offsetOf(doc, one.line, one.column),
        to: Math.max(offsetOf(doc, one.line, one.column), offsetOf(doc, one.endLine, one.endColumn)),
        severity: 'error' as const,
        message: one.message,
      }));
      view.dispatch(setDiagnostics(view.state, found), {
        effects: [
          setFailing.of(failing),
          ...(failing ? [EditorView.scrollIntoView(offsetOf(doc, failing.line, 1))] : []),
        ],
      });
    },
    goTo: (line, column) => {
      const anchor = offsetOf(view.state.doc, line, column);
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      });
      view.focus();
    },
    currentLine: () => {
      const { number, text } = view.state.doc.lineAt(view.state.selection.main.head);
      return { line: number, text };
    },
  };
}

export function CodeMirrorHost(props: EditorHostProps) {
  const { language, label, describedBy, invalid } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const described = useRef(new Compartment());
  const attributes = EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-describedby': describedBy,
    // It can be reached without, but not every checker of pages sees that.
    tabindex: '0',
    ...(invalid && { 'aria-invalid': 'true' }),
  });
  // The editor is made once; what it uses is always the newest.
  const latest = useLatest({ ...props, attributes });

  useEffect(() => {
    let gone = false;
    const mount = (support: Extension) => {
      if (gone || !host.current) return;
      const { code, offset, focused } = latest.current.takeOver();
      const made = new EditorView({
        parent: host.current,
        state: EditorState.create({
          doc: code,
          selection: { anchor: Math.min(offset, code.length) },
          extensions: [
            history(),
            lineNumbers(),
            highlightActiveLine(),
            highlightActiveLineGutter(),
            bracketMatching(),
            indentOnInput(),
            indentUnit.of(' '.repeat(language === 'python' ? 4 : 2)),
            keymap.of([
              {
                key: 'Mod-Enter',
                run: () => {
                  latest.current.onRun();
                  return true;
                },
              },
              { key: 'Tab', run: indent, shift: indentLess },
              ...defaultKeymap,
              ...historyKeymap,
            ]),
            leaveByKeyboard,
            support,
            syntaxHighlighting(highlighting),
            look,
            EditorView.lineWrapping,
            failingLine,
            described.current.of(latest.current.attributes),
            EditorView.updateListener.of(({ docChanged, state }) => {
              if (docChanged) latest.current.onChange(state.doc.toString());
            }),
          ],
        }),
      });
      view.current = made;
      if (focused) made.focus();
      latest.current.onReady(handleOf(made));
    };
    // Without it the text field stays, and does everything that is needed.
    (LANGUAGES[language]?.() ?? Promise.resolve([])).then(mount, () => {});
    return () => {
      gone = true;
      view.current?.destroy();
      view.current = null;
    };
  }, [language]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew of these at every drawing
  useEffect(() => {
    view.current?.dispatch({ effects: described.current.reconfigure(attributes) });
  }, [label, describedBy, invalid]);

  const press = (act: Command) => () => {
    if (!view.current) return;
    act(view.current);
    view.current.focus();
  };
  return (
    <div className="absolute inset-0 flex flex-col">
      <div ref={host} className="min-h-0 flex-1" />
      {!hasMouse() && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
        <div
          role="group"
          aria-label="Keys"
          // A tap leaves the focus, and with it the phone's keyboard, where it is.
          onMouseDown={(event) => event.preventDefault()}
          className="flex border-t border-line bg-sunken"
        >
          {[...codingLanguage(language).keys].map((key) => (
            <button
              key={key}
              type="button"
              aria-label={`Insert ${key}`}
              className={`${keyClass} font-mono`}
              onClick={press((at) => insert(at, key))}
            >
              {key}
            </button>
          ))}
          <button type="button" aria-label="Tab: indent" className={wordClass} onClick={press(indent)}>
            Tab
          </button>
          <button
            type="button"
            title="Close the keyboard"
            className={wordClass}
            onClick={() => view.current?.contentDOM.blur()}
          >
            Done
          </button>
        </div>
      )}
    </div>
  );
}

const keyClass =
  'min-h-11 min-w-0 flex-1 text-sm font-semibold whitespace-nowrap -outline-offset-2 hover:bg-ink/6 active:bg-ink/10 [&+&]:border-l [&+&]:border-line';
const wordClass = `${keyClass} grow-[1.6]`;

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  deleteMarkupBackward,
  insertNewlineContinueMarkupCommand,
  markdown,
  markdownLanguage,
} from '@codemirror/lang-markdown';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { COMMANDS, type CommandName } from './commands.ts';
import { fitted } from './paste.ts';
import { TOOLS } from './toolbar.ts';

export interface TextBox {
  run: (name: CommandName) => void;
  insert: (text: string, instead?: string) => void;
  insertFitted: (text: string) => void;
  write: (text: string) => void;
  focus: () => void;
  describe: (attributes: Record<string, string>) => void;
  destroy: () => void;
}

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
  // Phones zoom into smaller text fields.
  '.cm-content': { padding: '0.5rem 0.5rem', fontSize: '1rem', caretColor: 'var(--color-ink)' },
  '@media (min-width: 64rem)': { '.cm-content': { fontSize: '0.875rem' } },
});

const marks = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...mark }) =>
    color ? { ...mark, color: 'var(--color-accent)' } : mark,
  ),
);

/** By the scroll position, or by the caret where all is visible. */
function shareOf({ scrollDOM, state }: EditorView): number {
  const hidden = scrollDOM.scrollHeight - scrollDOM.clientHeight;
  if (hidden > 0) return scrollDOM.scrollTop / hidden;
  const last = state.doc.lines - 1;
  return last === 0 ? 0 : (state.doc.lineAt(state.selection.main.head).number - 1) / last;
}

/** Inside code, Markdown means nothing. */
function isInCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); ; node = node.parent) {
    if (/Code/.test(node.name)) return true;
    if (!node.parent) return false;
  }
}

/**
 * Mounts the editor.
 * @param from the replaced text field: its text, selection and focus
 */
export function mountTextBox(
  parent: HTMLElement,
  from: HTMLTextAreaElement,
  attributes: Record<string, string>,
  on: {
    change: (text: string) => void;
    paste: (data: DataTransfer, selected: number, isCode: boolean) => boolean;
    drop: (data: DataTransfer) => boolean;
    move: (share: number) => void;
  },
): TextBox {
  const described = new Compartment();
  const length = from.value.length;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: from.value,
      selection: {
        anchor: Math.min(from.selectionStart, length),
        head: Math.min(from.selectionEnd, length),
      },
      extensions: [
        history(),
        keymap.of([
          ...TOOLS.map(({ name, key }) => ({ key, run: COMMANDS[name], preventDefault: true })),
          // Enter in an empty item ends the list at once.
          { key: 'Enter', run: insertNewlineContinueMarkupCommand({ nonTightLists: false }) },
          { key: 'Backspace', run: deleteMarkupBackward },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        markdown({ base: markdownLanguage, addKeymap: false }),
        syntaxHighlighting(marks),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          spellcheck: 'true',
          autocapitalize: 'sentences',
          autocorrect: 'on',
        }),
        described.of(EditorView.contentAttributes.of(attributes)),
        EditorView.updateListener.of(({ docChanged, selectionSet, state, view }) => {
          if (docChanged) on.change(state.doc.toString());
          if (docChanged || selectionSet) on.move(shareOf(view));
        }),
        EditorView.domEventHandlers({
          paste(event, { state }) {
            const { from, to } = state.selection.main;
            return (
              event.clipboardData !== null && on.paste(event.clipboardData, to - from, isInCode(state, from))
            );
          },
          drop: (event) => event.dataTransfer !== null && on.drop(event.dataTransfer),
        }),
      ],
    }),
  });
  view.scrollDOM.addEventListener('scroll', () => on.move(shareOf(view)), { passive: true });
  if (document.activeElement === from) view.focus();
  const insert = (text: string, instead = '') => {
    const at = instead ? view.state.doc.toString().indexOf(instead) : -1;
    if (at >= 0) view.dispatch({ selection: { anchor: at, head: at + instead.length } });
    view.dispatch(view.state.replaceSelection(text), { userEvent: 'input', scrollIntoView: true });
    view.focus();
  };
  return {
    run(name) {
      COMMANDS[name](view);
      view.focus();
    },
    insert,
    insertFitted(text) {
      const { from, to } = view.state.selection.main;
      insert(fitted(text, view.state.sliceDoc(0, from), view.state.sliceDoc(to)));
    },
    write(text) {
      const { doc } = view.state;
      if (text !== doc.toString()) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    },
    focus: () => view.focus(),
    describe: (next) =>
      view.dispatch({ effects: described.reconfigure(EditorView.contentAttributes.of(next)) }),
    destroy: () => view.destroy(),
  };
}

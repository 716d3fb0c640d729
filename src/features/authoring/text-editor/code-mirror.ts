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

/** The editor of a text, once it is loaded. */
export interface TextBox {
  run: (name: CommandName) => void;
  /** Puts a text where the caret is, instead of what is selected. */
  insert: (text: string) => void;
  /** The same, on lines of its own where it is more than words in a line. */
  insertFitted: (text: string) => void;
  /** Takes a whole text that came past the editor: what the browser puts into the field that the form sends. */
  write: (text: string) => void;
  focus: () => void;
  /** Names, describes and marks it for assistive technology. */
  describe: (attributes: Record<string, string>) => void;
  destroy: () => void;
}

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'transparent' },
  // The frame around shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
  // Phones zoom into text fields with smaller letters.
  '.cm-content': { padding: '0.5rem 0.5rem', fontSize: '1rem', caretColor: 'var(--color-ink)' },
  '@media (min-width: 64rem)': { '.cm-content': { fontSize: '0.875rem' } },
});

/** The usual bold, slanted and underlined marks, in a color that can be read in both themes. */
const marks = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...mark }) =>
    color ? { ...mark, color: 'var(--color-accent)' } : mark,
  ),
);

/** How far down the writer is: by what is seen, or by the caret where all is seen. */
function shareOf({ scrollDOM, state }: EditorView): number {
  const hidden = scrollDOM.scrollHeight - scrollDOM.clientHeight;
  if (hidden > 0) return scrollDOM.scrollTop / hidden;
  const last = state.doc.lines - 1;
  return last === 0 ? 0 : (state.doc.lineAt(state.selection.main.head).number - 1) / last;
}

/** Whether a place is inside code, where Markdown means nothing. */
function isInCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); ; node = node.parent) {
    if (/Code/.test(node.name)) return true;
    if (!node.parent) return false;
  }
}

/**
 * Puts the editor into a page.
 *
 * @param from the text field that it takes the place of: its text, its selection, and the focus where it has it
 * @param on what is told of
 */
export function mountTextBox(
  parent: HTMLElement,
  from: HTMLTextAreaElement,
  attributes: Record<string, string>,
  on: {
    /** Gets the whole text. */
    change: (text: string) => void;
    /** Gets what is pasted, with how much is selected and whether that is inside code; says whether it took it. */
    paste: (data: DataTransfer, selected: number, isCode: boolean) => boolean;
    /** Gets what is dropped, and says whether it took it. */
    drop: (data: DataTransfer) => boolean;
    /** Gets how far down the writer is, from 0 to 1. */
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
  const insert = (text: string) => {
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

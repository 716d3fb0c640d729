import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  deleteMarkupBackward,
  insertNewlineContinueMarkupCommand,
  markdown,
  markdownLanguage,
} from '@codemirror/lang-markdown';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { COMMANDS, type CommandName } from './commands.ts';
import { TOOLS } from './toolbar.ts';

/** The editor of a text, once it is loaded. */
export interface TextBox {
  run: (name: CommandName) => void;
  /** Puts a text where the caret is, instead of what is selected. */
  insert: (text: string) => void;
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

/**
 * Puts the editor into a page.
 *
 * @param from the text field that it takes the place of: its text, its selection, and the focus where it has it
 * @param onChange gets the whole text
 * @param takeFiles gets what is pasted or dropped, and says whether it took it
 */
export function mountTextBox(
  parent: HTMLElement,
  from: HTMLTextAreaElement,
  attributes: Record<string, string>,
  onChange: (text: string) => void,
  takeFiles: (data: DataTransfer) => boolean,
): TextBox {
  const described = new Compartment();
  const handle = (data: DataTransfer | null) => data !== null && takeFiles(data);
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
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString());
        }),
        EditorView.domEventHandlers({
          paste: (event) => handle(event.clipboardData),
          drop: (event) => handle(event.dataTransfer),
        }),
      ],
    }),
  });
  if (document.activeElement === from) view.focus();
  return {
    run(name) {
      COMMANDS[name](view);
      view.focus();
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text), { userEvent: 'input', scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    describe: (next) =>
      view.dispatch({ effects: described.reconfigure(EditorView.contentAttributes.of(next)) }),
    destroy: () => view.destroy(),
  };
}

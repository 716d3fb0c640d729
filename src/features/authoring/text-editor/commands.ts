import {
  type ChangeSpec,
  EditorSelection,
  type EditorState,
  type StateCommand,
  type TransactionSpec,
} from '@codemirror/state';
import { apart } from './paste.ts';

export type CommandName =
  | 'heading'
  | 'bold'
  | 'italic'
  | 'code'
  | 'link'
  | 'list'
  | 'numbered'
  | 'tasks'
  | 'table'
  | 'codeBlock'
  | 'callOut'
  | 'footnote'
  | 'formula';

type Target = Parameters<StateCommand>[0];

function edit({ state, dispatch }: Target, spec: TransactionSpec): true {
  dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }));
  return true;
}

/** A caret at the beginning moves behind the mark. */
function editLines(target: Target, changes: ChangeSpec[]): true {
  const set = target.state.changes(changes);
  return edit(target, { changes: set, selection: target.state.selection.map(set, 1) });
}

const wrap =
  (mark: string): StateCommand =>
  (target) => {
    const { state } = target;
    const size = mark.length;
    const change = state.changeByRange((range) => {
      const before = state.sliceDoc(range.from - size, range.from);
      const after = state.sliceDoc(range.to, range.to + size);
      // One star of a bold mark is not italic.
      const isMarked =
        before === mark &&
        after === mark &&
        (size > 1 || state.sliceDoc(range.from - 2, range.from - 1) !== mark);
      if (isMarked) {
        return {
          changes: [
            { from: range.from - size, to: range.from },
            { from: range.to, to: range.to + size },
          ],
          range: EditorSelection.range(range.anchor - size, range.head - size),
        };
      }
      // At the end of a mark, the same key leaves it.
      const marksBefore =
        state.sliceDoc(state.doc.lineAt(range.from).from, range.from).split(mark).length - 1;
      if (range.empty && after === mark && marksBefore % 2 === 1) {
        return { range: EditorSelection.cursor(range.to + size) };
      }
      return {
        changes: [
          { from: range.from, insert: mark },
          { from: range.to, insert: mark },
        ],
        range: EditorSelection.range(range.anchor + size, range.head + size),
      };
    });
    return edit(target, change);
  };

function selectedLines(state: EditorState) {
  const { from, to } = state.selection.main;
  const lines = [];
  for (let at = state.doc.lineAt(from).number; at <= state.doc.lineAt(to).number; at++) {
    lines.push(state.doc.line(at));
  }
  return lines;
}

const LIST_MARK = /^(\s*)(?:[-*+] \[[ xX]\] |[-*+] |\d+[.)] )?/;

const list =
  (markOf: (index: number) => string, mark: RegExp): StateCommand =>
  (target) => {
    const lines = selectedLines(target.state);
    const wanted = lines.length > 1 ? lines.filter(({ text }) => text.trim() !== '') : lines;
    const isList = wanted.every(({ text }) => mark.test(text));
    const changes = wanted.map(({ from, text }, index) => {
      const [whole, indent] = LIST_MARK.exec(text)!;
      return { from, to: from + whole!.length, insert: indent + (isList ? '' : markOf(index)) };
    });
    return editLines(target, changes);
  };

/** Level 2, then 3, then none: level 1 is the page's own. */
const heading: StateCommand = (target) => {
  const changes = selectedLines(target.state).map(({ from, text }) => {
    const mark = /^(#{1,6}) +/.exec(text);
    const insert = !mark ? '## ' : mark[1]!.length === 2 ? '### ' : '';
    return { from, to: from + (mark?.[0].length ?? 0), insert };
  });
  return editLines(target, changes);
};

/** Selects the address to write next, or the words where the selection is an address. */
const link: StateCommand = (target) => {
  const { state } = target;
  const { from, to } = state.selection.main;
  const selected = state.sliceDoc(from, to);
  const isAddress = /^https?:\/\/\S+$/.test(selected);
  const [words, address] = isAddress ? ['text', selected] : [selected || 'text', 'https://'];
  const at = isAddress || !selected ? from + 1 : from + words.length + 3;
  const size = isAddress || !selected ? words.length : address.length;
  return edit(target, {
    changes: { from, to, insert: `[${words}](${address})` },
    selection: EditorSelection.range(at, at + size),
  });
};

/**
 * A block on lines of its own.
 * @param make gets the selection; gives the block and its selected part
 */
const block =
  (make: (selected: string) => { text: string; select: string }): StateCommand =>
  (target) => {
    const { state } = target;
    const { from, to } = state.selection.main;
    const { text, select } = make(state.sliceDoc(from, to));
    const { lead, trail } = apart(state.sliceDoc(0, from), state.sliceDoc(to, to + 2));
    const at = from + lead.length + text.indexOf(select);
    return edit(target, {
      changes: { from, to, insert: lead + text + trail },
      selection: EditorSelection.range(at, at + select.length),
    });
  };

const footnote: StateCommand = (target) => {
  const { state } = target;
  const { to } = state.selection.main;
  const text = state.doc.toString();
  const taken = [...text.matchAll(/\[\^(\d+)\]/g)].map((match) => Number(match[1]));
  const mark = `[^${Math.max(0, ...taken) + 1}]`;
  const lead = /(^|\n)\[\^[^\]]+\]:[^\n]*\n*$/.test(text) ? '\n' : '\n\n';
  const end = Math.max(text.trimEnd().length, to);
  const note = `${lead}${mark}: Note`;
  const last = end + mark.length + note.length;
  return edit(target, {
    changes: [
      { from: to, insert: mark },
      { from: end, to: text.length, insert: note },
    ],
    selection: EditorSelection.range(last - 4, last),
  });
};

const formula: StateCommand = (target) => {
  const { from, to } = target.state.selection.main;
  if (from !== to || target.state.doc.lineAt(from).text.trim() !== '') return wrap('$')(target);
  return block(() => ({ text: '$$\na^2 + b^2 = c^2\n$$', select: 'a^2 + b^2 = c^2' }))(target);
};

export const COMMANDS: Record<CommandName, StateCommand> = {
  heading,
  bold: wrap('**'),
  italic: wrap('*'),
  code: wrap('`'),
  link,
  list: list(() => '- ', /^\s*[-*+] (?!\[[ xX]\] )/),
  numbered: list((index) => `${index + 1}. `, /^\s*\d+[.)] /),
  tasks: list(() => '- [ ] ', /^\s*[-*+] \[[ xX]\] /),
  table: block(() => ({ text: '| Name | Meaning |\n| --- | --- |\n| a | b |', select: 'Name' })),
  codeBlock: block((selected) => ({ text: `\`\`\`js\n${selected}\n\`\`\``, select: 'js' })),
  callOut: block((selected) => ({
    text: `> [!NOTE]\n${(selected || 'Text').replace(/^/gm, '> ')}`,
    select: selected ? 'NOTE' : 'Text',
  })),
  footnote,
  formula,
};

import { EditorState, type Transaction } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { COMMANDS, type CommandName } from './commands.ts';

/** A text after a command; `|` are the ends of the selection, one of them for a caret. */
function after(name: CommandName, marked: string): string {
  const anchor = marked.indexOf('|');
  const head = marked.indexOf('|', anchor + 1) - 1;
  let state = EditorState.create({
    doc: marked.replaceAll('|', ''),
    selection: { anchor, head: head < 0 ? anchor : head },
  });
  COMMANDS[name]({
    state,
    dispatch: (transaction: Transaction) => {
      state = transaction.state;
    },
  });
  const { from, to } = state.selection.main;
  const text = state.doc.toString();
  return from === to
    ? `${text.slice(0, from)}|${text.slice(from)}`
    : `${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`;
}

describe('the toolbar', () => {
  it.each<[CommandName, string, string]>([
    ['bold', 'a |b| c', 'a **|b|** c'],
    ['bold', 'a **|b|** c', 'a |b| c'],
    ['bold', 'a |', 'a **|**'],
    ['bold', 'a **b|** c', 'a **b**| c'],
    ['bold', 'a |**b** c', 'a **|****b** c'],
    ['italic', '**|b|**', '***|b|***'],
    ['italic', '*|b|*', '|b|'],
    ['code', '|x|', '`|x|`'],
    ['heading', 'Ti|tle', '## Ti|tle'],
    ['heading', '## |Title', '### |Title'],
    ['heading', '### |Title', '|Title'],
    ['heading', '|', '## |'],
    ['list', '|', '- |'],
    ['list', '|a\n\nb|', '- |a\n\n- b|'],
    ['list', '- |a', '|a'],
    ['numbered', '- |a\n- b|', '1. |a\n2. b|'],
    ['tasks', '  1. |a', '  - [ ] |a'],
    ['list', '- [ ] |a', '- |a'],
    ['link', 'see |this|', 'see [this](|https://|)'],
    ['link', '|https://example.com|', '[|text|](https://example.com)'],
    ['link', '|', '[|text|](https://)'],
    ['codeBlock', 'a|', 'a\n\n```|js|\n\n```\n\n'],
    ['codeBlock', '|x = 1|', '```|js|\nx = 1\n```\n\n'],
    ['callOut', 'a\n\n|b\nc|', 'a\n\n> [!|NOTE|]\n> b\n> c\n\n'],
    ['table', '|', '| |Name| | Meaning |\n| --- | --- |\n| a | b |\n\n'],
    ['formula', 'so |x|', 'so $|x|$'],
    ['formula', '|', '$$\n|a^2 + b^2 = c^2|\n$$\n\n'],
    ['footnote', 'One|.\n', 'One[^1].\n\n[^1]: |Note|'],
    ['footnote', 'One[^1] two|.\n\n[^1]: Note', 'One[^1] two[^2].\n\n[^1]: Note\n[^2]: |Note|'],
  ])('%s makes of %j', (name, before, wanted) => {
    expect(after(name, before)).toBe(wanted);
  });
});

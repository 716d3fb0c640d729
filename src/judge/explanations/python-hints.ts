import type { LearnerError } from '../protocol.ts';

/** Why a Python program that ran gives something else than it should, as far as its lines show it. */

const LONGEST_SOURCE = 20_000;
/** A loop may hold all lines after it. */
const MOST_LINES = 500;

/** What a test saw: the expression that it evaluated and what that gave. */
export interface SeenPython {
  input: string | null;
  value: string | null;
}

interface Line {
  number: number;
  indent: number;
  text: string;
}

const hint = (line: number | null, message: string, explanation: string): LearnerError => ({
  name: 'Hint',
  message,
  line,
  column: null,
  explanation,
});

/** The lines that do something, without their comments. */
function linesOf(code: string): Line[] {
  return code
    .replaceAll('\t', '    ')
    .split('\n')
    .map((raw, index) => {
      const text = raw.trim();
      return { number: index + 1, indent: raw.length - raw.trimStart().length, text };
    })
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .slice(0, MOST_LINES);
}

/** The lines that belong to the one at `at`. */
function blockOf(lines: readonly Line[], at: number): Line[] {
  const { indent } = lines[at]!;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.indent <= indent);
  return end < 0 ? rest : rest.slice(0, end);
}

const isReturn = ({ text }: Line): boolean => /^(?:return\b(?!\s*$)|yield\b)|\byield\b/.test(text);

/** Methods that change their object and give nothing. */
const CHANGING = /\.(sort|append|extend|reverse|insert|remove|clear|update|add)\(/;
/** Methods that give a new text. */
const GIVING = /^(\w+)\.(upper|lower|strip|lstrip|rstrip|replace|capitalize|title|split|join)\(.*\)$/;

/** What stands in a function that a test called, and gave nothing. */
function inFunction(name: string, lines: readonly Line[], value: string): LearnerError | null {
  const at = lines.findIndex(({ text }) => new RegExp(`^(?:async )?def ${name}\\b`).test(text));
  if (at < 0) return null;
  // All of it on one line.
  if (/:\s*[^\s#]/.test(lines[at]!.text.replace(/^.*\)/, ''))) return null;
  const body = blockOf(lines, at);
  const changed = body.find((line) => isReturn(line) && CHANGING.test(line.text));
  if (changed) {
    const method = CHANGING.exec(changed.text)![1]!;
    const instead = method === 'sort' ? ' sorted(items) gives a new list.' : '';
    return hint(
      changed.number,
      `The result of ${method} is given back.`,
      `${method} changes its object and gives None. Call it on a line of its own, and then return the object.${instead}`,
    );
  }
  const { number } = lines[at]!;
  if (!body.some(isReturn)) {
    const prints = body.some(({ text }) => /\bprint\(/.test(text));
    return hint(
      number,
      `${name} gives nothing back.`,
      prints
        ? 'print shows a value and does not give it back. Write return before the value instead.'
        : 'Write return before the value that it should give.',
    );
  }
  if (value !== 'None') return null;
  return hint(
    number,
    `${name} gives something back, but not on every way through it.`,
    'Where no if holds, it reaches its end without a return. Add one there.',
  );
}

/** What the lines show, whatever a test gave. */
function inLines(lines: readonly Line[]): LearnerError | null {
  for (const [at, line] of lines.entries()) {
    const given = GIVING.exec(line.text);
    if (given) {
      return hint(
        line.number,
        `What ${given[2]} gives is not kept.`,
        `${given[2]} gives a new text and leaves the old one as it is: ${given[1]} = ${line.text}.`,
      );
    }
    if (!/^(?:for|while)\b/.test(line.text)) continue;
    const body = blockOf(lines, at);
    const last = body.at(-1);
    if (last && /^return\b/.test(last.text) && last.indent === body[0]!.indent && body.length > 1) {
      return hint(
        last.number,
        'A return stands at the end of a loop.',
        'It ends the function in the first round. Move it left until it stands below the loop, not in it.',
      );
    }
  }
  return null;
}

/** What a wrong answer of a Python program may come from; null where nothing is seen. */
export function hintAtPython(code: string, { input, value }: SeenPython): LearnerError | null {
  if (code.length > LONGEST_SOURCE) return null;
  const unasked = /<(?:bound method|built-in method|function|class) '?([\w.]+)/.exec(value ?? '');
  if (unasked) {
    const name = unasked[1]!.split('.').at(-1)!;
    const message = `${name} is given back without its parentheses.`;
    return hint(null, message, `That is the function itself and not what it gives. Call it: ${name}().`);
  }
  const lines = linesOf(code);
  if (input !== null && value !== null && /\bNone\b/.test(value)) {
    for (const [, name] of input.matchAll(/\b(\w+)\s*\(/g)) {
      const found = inFunction(name!, lines, value);
      if (found) return found;
    }
  }
  return inLines(lines);
}

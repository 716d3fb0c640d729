import type { LearnerError } from '../protocol.ts';
import {
  blockOf,
  hint,
  hintAtLines,
  hintAtPlainText,
  hintBeforeNone,
  type Line,
  linesOf,
} from './python-lines.ts';

const LONGEST_SOURCE = 20_000;

interface SeenPython {
  input: string | null;
  value: string | null;
}

const isReturn = ({ text }: Line): boolean => /^(?:return\b(?!\s*$)|yield\b)|\byield\b/.test(text);

const CHANGING = /\.(sort|append|extend|reverse|insert|remove|clear|update|add)\(/;

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
  const last = body.at(-1)!;
  // Then None is what it returned.
  if (value !== 'None' || (isReturn(last) && last.indent === body[0]!.indent)) return null;
  return hint(
    number,
    `${name} gives something back, but not on every way through it.`,
    'Where no if holds, it reaches its end without a return. Add one there.',
  );
}

/** Null where it is none of the common ones. */
export function hintAtPython(code: string, { input, value }: SeenPython): LearnerError | null {
  if (code.length > LONGEST_SOURCE) return null;
  const unasked = /<(?:bound method|built-in method|function|class) '?([\w.]+)/.exec(value ?? '');
  if (unasked) {
    const name = unasked[1]!.split('.').at(-1)!;
    const message = `${name} is given back without its parentheses.`;
    return hint(null, message, `That is the function itself and not what it gives. Call it: ${name}().`);
  }
  const lines = linesOf(code);
  const plain = value === null ? null : hintAtPlainText(lines, value);
  if (plain) return plain;
  if (input !== null && value !== null && /\bNone\b/.test(value)) {
    const before = hintBeforeNone(lines, code);
    if (before) return before;
    for (const [, name] of input.matchAll(/\b(\w+)\s*\(/g)) {
      const found = inFunction(name!, lines, value);
      if (found) return found;
    }
  }
  return hintAtLines(lines, code);
}

import type { LearnerError } from '../protocol.ts';

export interface Line {
  number: number;
  indent: number;
  text: string;
  bare: string;
}

const MOST_LINES = 500;
const LONGEST_LINE = 200;

const bareOf = (text: string): string =>
  text
    .slice(0, LONGEST_LINE)
    .replace(/(["'])(?:\\.|(?!\1)[^\\])*\1/g, '""')
    .replace(/\s*#.*$/, '');

const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

export function linesOf(code: string): Line[] {
  const lines: Line[] = [];
  let isInText = false;
  let depth = 0;
  for (const [index, raw] of code.replaceAll('\t', '    ').split('\n').entries()) {
    if (lines.length === MOST_LINES) break;
    const text = raw.trim();
    const wasInside = isInText || depth > 0;
    if (count(text, /"""|'''/g) % 2 === 1) isInText = !isInText;
    else if (isInText) continue;
    const bare = bareOf(text);
    depth = Math.max(0, depth + count(bare, /[([{]/g) - count(bare, /[)\]}]/g));
    if (wasInside || text === '' || text.startsWith('#')) continue;
    lines.push({ number: index + 1, indent: raw.length - raw.trimStart().length, text, bare });
  }
  return lines;
}

export function blockOf(lines: readonly Line[], at: number): Line[] {
  const { indent } = lines[at]!;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.indent <= indent);
  return end < 0 ? rest : rest.slice(0, end);
}

export const hint = (line: number | null, message: string, explanation: string): LearnerError => ({
  name: 'Hint',
  message,
  line,
  column: null,
  explanation,
});

const CHANGING = 'sort|append|extend|reverse|insert|remove|clear|update|add';
const CHANGES_LIST = 'append|extend|insert|remove|pop|sort|reverse|clear';
const GIVING = 'upper|lower|strip|lstrip|rstrip|replace|capitalize|title|split|join';

const LINES: { line: RegExp; message: string; text: string }[] = [
  {
    line: new RegExp(`^(\\w+)\\.(${GIVING})\\(.*\\)$`),
    message: 'What $2 gives is not kept.',
    text: '$2 gives a new text and leaves the old one as it is: $1 = $0.',
  },
  {
    line: /^(sorted|reversed|round|abs|int|float|str)\(.*\)$/,
    message: 'What $1 gives is not kept.',
    text: '$1 gives a new value and leaves the old one as it is. Give it a name, or return it.',
  },
  {
    line: /^return\s+print\(/,
    message: 'The result of print is given back.',
    text: 'print shows a value and gives None. Return the value itself.',
  },
  {
    line: /^[A-Za-z_]\w*\.([A-Za-z_]\w*)$/,
    message: '$1 is named on this line and not called.',
    text: 'A function runs when parentheses follow its name: $0().',
  },
  {
    line: /^[\w.]+\s*==\s*[^=]/,
    message: 'This line compares two values and does nothing with the answer.',
    text: 'To give a name a value write one =.',
  },
  {
    line: /^[\w.]+\s*=\+\s*[\w(]/,
    message: 'There is a =+ on this line.',
    text: 'That gives the name a new value. To add to the old one write +=.',
  },
  {
    line: /^(?:\+\+|--)\s*(\w+)$/,
    message: 'Two signs before a name change nothing.',
    text: 'Python has no ++ and no --. Write $1 += 1 or $1 -= 1.',
  },
  {
    line: /^(\w+)\s*=\s*[^=([{,]+,$/,
    message: 'There is a comma at the end of this line.',
    text: 'It makes a tuple with one item of the value. Take the comma away.',
  },
  {
    line: /^(?:async )?def \w+\(.*=\s*(?:\[|\{|list\(|dict\(|set\()/,
    message: 'The default of a parameter is a list, a dictionary or a set.',
    text: 'That default is made once and not for each call, so that it keeps what earlier calls put into it. Write items=None, and below it: if items is None: items = [].',
  },
  {
    line: /\bis\s+(?:not\s+)?(?:-?\d|"")/,
    message: '"is" stands before a number or a text.',
    text: 'It asks whether both are one and the same object. To compare values write ==.',
  },
  {
    line: /[=!]=\s*(?:""|\w+)\s+or\s+(?:""|\d+)\s*(?:or\b|:|\)|$)/,
    message: 'After "or" stands a value alone.',
    text: 'A comparison is needed on each side of or: c == "a" or c == "e". Shorter: c in ("a", "e").',
  },
  {
    line: /^(?:if|elif|while|return)\b.*[<>=]\s*\w+\s*([&|])\s*\w+\s*[<>=]/,
    message: 'A single $1 joins two conditions.',
    text: 'It works on the bits of numbers, and before the comparisons do. Python writes "and" and "or" as words.',
  },
  {
    line: /\]\s*\*\s*\w+\s*\]\s*\*/,
    message: 'All rows are the same list.',
    text: 'The outer * repeats one list, so that a change of one row is seen in all. Write [[0] * columns for _ in range(rows)].',
  },
  {
    line: /\[[^\]]*""\s+""/,
    message: 'A comma is missing between two texts.',
    text: 'Texts that stand side by side become a single one.',
  },
  {
    line: /\blambda\b[^()]*\bfor\s+(\w+)\s+in\b/,
    message: 'These functions see the last value of "$1" only.',
    text: 'A function looks for the name when it is called, and then the loop has ended. Keep the value as a default: lambda x, $1=$1: ….',
  },
  {
    line: /[\w)]\s*\^\s*[\w(]/,
    message: 'The sign ^ is no power in Python.',
    text: 'It works on the bits of numbers. For powers write **, as in n ** 2.',
  },
  {
    line: /[=!]=\s*-?\d*\.\d/,
    message: 'A decimal number is compared with ==.',
    text: 'Decimal numbers are rounded, so that 0.1 + 0.2 is not quite 0.3. Write math.isclose(a, b).',
  },
];

const fill = (text: string, match: RegExpExecArray): string =>
  text.replace(/\$(\d)/g, (_, group: string) => (match[Number(group)] ?? '').slice(0, 60));

const isReturn = ({ bare }: Line): boolean => /^return\b/.test(bare);
const isWhole = ({ text, bare }: Line): boolean =>
  !/"""|'''|\\$/.test(text) && count(bare, /[([{]/g) === count(bare, /[)\]}]/g);

function inBlock(lines: readonly Line[], at: number): LearnerError | null {
  const line = lines[at]!;
  const next = lines[at + 1];
  if (isReturn(line) && next?.indent === line.indent && isWhole(line)) {
    return line.bare === 'return'
      ? hint(
          line.number,
          'A return stands alone on its line.',
          'What it gives back stands on the same line. A return alone gives None.',
        )
      : hint(
          next.number,
          'This line never runs.',
          'What stands after a return is never reached. Move the return to the end.',
        );
  }
  if (/^except(?:\s+(?:Base)?Exception(?:\s+as\s+\w+)?)?\s*:/.test(line.bare)) {
    if (/:\s*pass$/.test(line.bare) || (next && next.indent > line.indent && next.bare === 'pass')) {
      return hint(
        line.number,
        'An except hides what goes wrong.',
        'It takes every error and does nothing, misspelt names included. Name the error that is meant, such as except ValueError:, or leave try out.',
      );
    }
  }
  const gone = /^for\s+\w+\s+in\s+(\w+)\s*:/.exec(line.bare);
  if (gone) {
    const changes = new RegExp(`^${gone[1]}\\.(?:${CHANGES_LIST})\\(|^del\\s+${gone[1]}\\[`);
    const changed = blockOf(lines, at).find(({ bare }) => changes.test(bare));
    if (changed) {
      return hint(
        changed.number,
        `"${gone[1]}" is changed while the loop goes through it.`,
        `The loop then leaves items out. Go through a copy: for item in list(${gone[1]}).`,
      );
    }
  }
  if (/^(?:for|while)\b/.test(line.text)) {
    const body = blockOf(lines, at);
    const last = body.at(-1);
    if (last && isReturn(last) && last.indent === body[0]!.indent && body.length > 1) {
      return hint(
        last.number,
        'A return stands at the end of a loop.',
        'It ends the function in the first round. Move it left until it stands below the loop, not in it.',
      );
    }
  }
  return null;
}

function atNames(lines: readonly Line[], code: string): LearnerError | null {
  for (const [at, line] of lines.entries()) {
    const kept = new RegExp(`^\\w+\\s*=\\s*\\w+\\.(${CHANGING})\\(`).exec(line.bare);
    // A class of one's own may have a method of that name which gives something.
    if (kept && !code.includes(`def ${kept[1]}(`)) {
      return hint(
        line.number,
        `What ${kept[1]} gives is kept.`,
        `${kept[1]} changes its object and gives None. Call it on a line of its own, without a name and = before it.`,
      );
    }
    const alias = /^([A-Za-z_]\w*)\s*=\s*([A-Za-z_]\w*)$/.exec(line.bare);
    if (!alias || /^(?:None|True|False)$/.test(alias[2]!)) continue;
    const changes = new RegExp(`^${alias[1]}\\.(?:${CHANGES_LIST})\\(`);
    if (lines.slice(at + 1).some(({ bare }) => changes.test(bare))) {
      return hint(
        line.number,
        `"${alias[1]}" and "${alias[2]}" are the same list.`,
        `A second name makes no second list: what changes one changes both. Write ${alias[1]} = ${alias[2]}.copy().`,
      );
    }
  }
  return null;
}

export function hintBeforeNone(lines: readonly Line[], code: string): LearnerError | null {
  for (const [at, line] of lines.entries()) {
    if (!/^(?:return$|except\b)/.test(line.bare)) continue;
    const found = inBlock(lines, at);
    if (found) return found;
  }
  return atNames(lines, code);
}

export function hintAtLines(lines: readonly Line[], code: string): LearnerError | null {
  for (const [at, line] of lines.entries()) {
    for (const rule of LINES) {
      const match = rule.line.exec(line.bare);
      if (!match) continue;
      // The line is repeated with its texts.
      if (match[0] === line.bare) match[0] = line.text;
      return hint(line.number, fill(rule.message, match), fill(rule.text, match));
    }
    const found = inBlock(lines, at);
    if (found) return found;
  }
  return atNames(lines, code);
}

export function hintAtPlainText(lines: readonly Line[], value: string): LearnerError | null {
  for (const { text, number } of lines) {
    const found = /(?:^|[^\w"'])["'][^"'{}]*\{([A-Za-z_]\w*)\}/.exec(text.slice(0, LONGEST_LINE));
    if (found && value.includes(`{${found[1]}}`) && !text.includes('.format(')) {
      return hint(
        number,
        `"{${found[1]}}" is shown as it stands.`,
        'To put a value into a text write an f before its first quote: f"…{name}…".',
      );
    }
  }
  return null;
}

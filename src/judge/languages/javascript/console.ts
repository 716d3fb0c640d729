import { define, kept, waitedMs } from './intrinsics.ts';
import { show, showAll } from './show.ts';

let printed = '';
let truncated = false;
let capacity = 64 * 1024;
let indentation = '';

/** Thrown into a program that prints on beyond its limit, so that a printing loop ends at once. */
class OutputLimit extends Error {
  override name = 'OutputLimit';
}

export function startOutput(characters: number): void {
  capacity = characters;
  printed = '';
  truncated = false;
  indentation = '';
}

export function output(from = 0): string {
  return from === 0 ? printed : kept.sliceText(printed, from);
}

export function isTruncated(): boolean {
  return truncated;
}

export function write(text: string): void {
  if (truncated) throw new OutputLimit('The program prints too much.');
  let lines = text;
  if (indentation) {
    let indented = indentation;
    let from = 0;
    for (let end = kept.indexOfText(lines, '\n'); end >= 0; end = kept.indexOfText(lines, '\n', from)) {
      indented += kept.sliceText(lines, from, end + 1) + indentation;
      from = end + 1;
    }
    lines = indented + kept.sliceText(lines, from);
  }
  printed += lines;
  printed += '\n';
  if (printed.length > capacity) {
    printed = kept.sliceText(printed, 0, capacity);
    truncated = true;
    throw new OutputLimit('The program prints too much.');
  }
}

const print = (...values: unknown[]) => write(showAll(values));

function cell(value: unknown): string {
  return show(value, -1);
}

function drawTable(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => {
    let widest = title.length;
    for (const row of rows) widest = Math.max(widest, (row[column] ?? '').length);
    return widest + 2;
  });
  const rule = (left: string, middle: string, right: string) =>
    `${left}${widths.map((width) => kept.repeatText('─', width)).join(middle)}${right}`;
  const draw = (cells: string[]) =>
    `│${widths
      .map((width, column) => {
        const text = cells[column] ?? '';
        return ` ${text}${kept.repeatText(' ', width - text.length - 1)}`;
      })
      .join('│')}│`;
  return [rule('┌', '┬', '┐'), draw(head), rule('├', '┼', '┤'), ...rows.map(draw), rule('└', '┴', '┘')].join(
    '\n',
  );
}

function table(data: unknown, only?: unknown): void {
  if (typeof data !== 'object' || data === null) {
    print(data);
    return;
  }
  const entries: [string, unknown][] = [];
  let indexTitle = '(index)';
  if (data instanceof kept.Map || data instanceof kept.Set) {
    indexTitle = '(iteration index)';
    let index = 0;
    for (const item of data as Iterable<unknown>) {
      entries.push([`${index}`, item]);
      index += 1;
    }
  } else {
    for (const key of kept.keys(data)) entries.push([key, (data as Record<string, unknown>)[key]]);
  }
  const columns: string[] = [];
  let hasValues = false;
  for (const [, row] of entries) {
    if (typeof row !== 'object' || row === null) hasValues = true;
    else if (!kept.isArray(only)) {
      for (const key of kept.keys(row)) if (!columns.includes(key)) columns.push(key);
    }
  }
  if (kept.isArray(only)) for (const name of only) columns.push(`${name}`);
  const rows = entries.map(([index, row]) => {
    const isObject = typeof row === 'object' && row !== null;
    const cells = columns.map((name) =>
      isObject && kept.hasOwn(row, name) ? cell((row as Record<string, unknown>)[name]) : '',
    );
    return [index, ...cells, ...(hasValues ? [isObject ? '' : cell(row)] : [])];
  });
  write(drawTable([indexTitle, ...columns, ...(hasValues ? ['Values'] : [])], rows));
}

export function installConsole(): void {
  const counts = new kept.Map<string, number>();
  const timers = new kept.Map<string, number>();
  const group = (...label: unknown[]) => {
    if (label.length > 0) print(...label);
    indentation += '  ';
  };
  const elapsed = (label: unknown): string =>
    `${`${label}`}: ${waitedMs() - (timers.get(`${label}`) ?? 0)}ms`;
  const own = {
    log: print,
    info: print,
    debug: print,
    warn: print,
    error: print,
    dir: (value: unknown, options?: { depth?: unknown }) =>
      write(show(value, typeof options?.depth === 'number' ? options.depth : 2)),
    clear: () => {},
    table,
    group,
    groupCollapsed: group,
    groupEnd: () => {
      indentation = kept.sliceText(indentation, 2);
    },
    assert: (condition?: unknown, ...message: unknown[]) => {
      if (condition) return;
      if (typeof message[0] === 'string') message[0] = `Assertion failed: ${message[0]}`;
      else if (message.length === 0) message[0] = 'Assertion failed';
      else return print('Assertion failed:', ...message);
      print(...message);
    },
    count: (label: unknown = 'default') => {
      const next = (counts.get(`${label}`) ?? 0) + 1;
      counts.set(`${label}`, next);
      write(`${label}: ${next}`);
    },
    countReset: (label: unknown = 'default') => {
      counts.delete(`${label}`);
    },
    time: (label: unknown = 'default') => {
      timers.set(`${label}`, waitedMs());
    },
    timeLog: (label: unknown = 'default', ...values: unknown[]) => print(elapsed(label), ...values),
    timeEnd: (label: unknown = 'default') => {
      write(elapsed(label));
      timers.delete(`${label}`);
    },
    trace: (...values: unknown[]) => print('Trace:', ...values),
  };
  const console = {};
  for (const name of kept.keys(own)) {
    // Enumerable, as in Node.
    Object.defineProperty(console, name, {
      value: own[name as keyof typeof own],
      writable: true,
      configurable: true,
      enumerable: true,
    });
  }
  define(globalThis, 'console', console);
}

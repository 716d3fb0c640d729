import { readFile } from 'node:fs/promises';

// What several runs of the bench measure in the same way.

/** Milliseconds of a clock tick in /proc. */
export const TICK_MS = 10;

/** The value below which a share of them lies. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

/** Processor time in milliseconds that a process has used; on a busy machine it says more than the clock. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory of a process, such as "271 MB". */
export async function residentMemory(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return `${(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024).toFixed(0)} MB`;
}

/** A row of a table in Markdown, also printed as it is measured. */
export function rowOf(...cells: string[]): string {
  console.log(cells.filter(Boolean).join(', '));
  return `| ${cells.join(' | ')} |`;
}

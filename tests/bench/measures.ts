import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';

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

/** Requests at once of each load. */
const CONNECTIONS = 16;

/**
 * What each answer took of what was used for all of them.
 *
 * @throws where nothing was answered as it should be: any ratio of that would be made up
 */
export function eachOf(
  used: number,
  { '2xx': answered, url }: Pick<autocannon.Result, '2xx' | 'url'>,
): number {
  if (answered === 0) throw new Error(`${url} gave no answer, so there is nothing to compare.`);
  return used / answered;
}

/** What a site answers under load for some seconds, after one to warm up; `cpu` is its processor time for each answer. */
export async function load(
  pid: number,
  options: autocannon.Options & { duration: number },
  /** Gives another time that is used, for `all`. */
  time = () => processorTime(pid),
): Promise<{ rps: number; p50: number; p97: number; errors: number; cpu: number; all: number }> {
  await autocannon({ connections: CONNECTIONS, ...options, duration: 1 });
  const before = [await processorTime(pid), await time()] as const;
  const result = await autocannon({ connections: CONNECTIONS, ...options });
  return {
    cpu: eachOf((await processorTime(pid)) - before[0], result),
    all: eachOf((await time()) - before[1], result),
    rps: result.requests.average,
    p50: result.latency.p50,
    p97: result.latency.p97_5,
    errors: result.errors + result.non2xx,
  };
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

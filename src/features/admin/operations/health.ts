/** `warning`: works, needs a look; `failing`: does not work. */
export type PartState = 'ok' | 'warning' | 'failing';

export type HealthPart = {
  name: string;
  state: PartState;
  summary: string;
  /** Where not ok. */
  todo?: string;
  /** Where known. */
  since?: Date | null;
  facts: { label: string; value: string }[];
  href?: string;
};

export const PART_STATES = {
  ok: { label: 'OK', tone: 'success' },
  warning: { label: 'Look at it', tone: 'warning' },
  failing: { label: 'Failing', tone: 'danger' },
} as const;

export function worst(states: readonly PartState[]): PartState {
  if (states.includes('failing')) return 'failing';
  return states.includes('warning') ? 'warning' : 'ok';
}

export const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576).toLocaleString('en-US')} MB`;

/** In GB, or MB below one: "0.0 GB" would say nothing. */
const room = (bytes: number) =>
  bytes < 1_073_741_824 ? megabytes(bytes) : `${(bytes / 1_073_741_824).toFixed(1)} GB`;

/** Warns from nine tenths on. */
export function diskState(free: number, all: number): Omit<HealthPart, 'name'> {
  // A megabyte is less than an upload, or a page of the database.
  const isFull = free < 1_048_576;
  const isLow = free <= all / 10;
  return {
    state: isFull || free < all / 40 ? 'failing' : isLow ? 'warning' : 'ok',
    summary: isFull ? 'The disk is full.' : isLow ? 'The disk is nearly full.' : 'There is room.',
    facts: [{ label: 'Free', value: `${room(free)} of ${room(all)}` }],
  };
}

/** UTC, to the minute. */
export const moment = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Below it the facts of parts that are not ok. */
export function healthTable(parts: readonly HealthPart[]): string {
  const width = Math.max(...parts.map(({ name }) => name.length)) + 2;
  const row = (cells: readonly [string, string, string, string]) =>
    `${cells[0].padEnd(width)}${cells[1].padEnd(12)}${cells[2].padEnd(22)}${cells[3]}`.trimEnd();
  return [
    row(['Part', 'State', 'Since', 'What, and what to do']),
    ...parts.flatMap(({ name, state, since, summary, todo, facts }) => [
      row([name, PART_STATES[state].label, since ? moment(since) : '', `${summary} ${todo ?? ''}`]),
      ...(state === 'ok' ? [] : facts.map(({ label, value }) => `  ${label}: ${value}`)),
    ]),
  ].join('\n');
}

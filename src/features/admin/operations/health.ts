/** `warning`: works, and somebody should look; `failing`: does not do its work. */
export type PartState = 'ok' | 'warning' | 'failing';

/** A part of the site and how it is. */
export type HealthPart = {
  name: string;
  state: PartState;
  /** One sentence. */
  summary: string;
  /** What somebody should do about it, where it is not ok. */
  todo?: string;
  /** Since when it is not ok, where that is known. */
  since?: Date | null;
  facts: { label: string; value: string }[];
  /** Where to look further. */
  href?: string;
};

/** How each state is shown. */
export const PART_STATES = {
  ok: { label: 'OK', tone: 'success' },
  warning: { label: 'Look at it', tone: 'warning' },
  failing: { label: 'Failing', tone: 'danger' },
} as const;

/** The state of a whole by those of its parts. */
export function worst(states: readonly PartState[]): PartState {
  if (states.includes('failing')) return 'failing';
  return states.includes('warning') ? 'warning' : 'ok';
}

export const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576).toLocaleString('en-US')} MB`;

/** Gigabytes, or megabytes below one: of a disk that is nearly full, "0.0 GB" would say nothing. */
const room = (bytes: number) =>
  bytes < 1_073_741_824 ? megabytes(bytes) : `${(bytes / 1_073_741_824).toFixed(1)} GB`;

/** How a disk is by its free bytes and all of its bytes: nearly full from nine tenths on. */
export function diskState(free: number, all: number): Omit<HealthPart, 'name'> {
  // Less than a megabyte takes no upload and no page of the database's any more.
  const isFull = free < 1_048_576;
  const isLow = free <= all / 10;
  return {
    state: isFull || free < all / 40 ? 'failing' : isLow ? 'warning' : 'ok',
    summary: isFull ? 'The disk is full.' : isLow ? 'The disk is nearly full.' : 'There is room.',
    facts: [{ label: 'Free', value: `${room(free)} of ${room(all)}` }],
  };
}

/** A moment as the parts tell it, in UTC to the minute. */
export const moment = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A table for a terminal: part, state, since when, what is so and what to do; below it the facts of parts that are not ok. */
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

/** `warning`: works, and somebody should look; `failing`: does not do its work. */
export type PartState = 'ok' | 'warning' | 'failing';

/** A part of the site and how it is. */
export type HealthPart = {
  name: string;
  state: PartState;
  /** One sentence. */
  summary: string;
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

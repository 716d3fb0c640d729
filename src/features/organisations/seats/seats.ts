import { counted } from '#src/shared/counted.ts';
import type { Tone } from '#src/components/surface.ts';

export type SeatState = 'offered' | 'waiting' | 'begun' | 'completed' | 'ended';
/** `late` applies across the states. */
export type SeatFilter = SeatState | 'late';

export const SEAT_STATES: Record<SeatState, { label: string; tone: Tone }> = {
  offered: { label: 'Invited', tone: 'neutral' },
  waiting: { label: 'Not begun', tone: 'info' },
  begun: { label: 'Learning', tone: 'accent' },
  completed: { label: 'Completed', tone: 'success' },
  ended: { label: 'Paid back', tone: 'warning' },
};

export const SEAT_FILTERS: Record<SeatFilter, string> = {
  offered: SEAT_STATES.offered.label,
  waiting: SEAT_STATES.waiting.label,
  begun: SEAT_STATES.begun.label,
  late: 'Late',
  completed: SEAT_STATES.completed.label,
  ended: SEAT_STATES.ended.label,
};

export function parseSeatState(value: string | null): SeatFilter | null {
  return value !== null && Object.hasOwn(SEAT_FILTERS, value) ? (value as SeatFilter) : null;
}

export function seatState(seat: {
  takenAt: Date | null;
  endedAt: Date | null;
  begun: boolean;
  completedAt: Date | null;
}): SeatState {
  if (seat.endedAt) return 'ended';
  if (!seat.takenAt) return 'offered';
  if (seat.completedAt) return 'completed';
  return seat.begun ? 'begun' : 'waiting';
}

/**
 * Decision 103.
 * @param lastSeen last visit, or when it was taken
 * @param idleDays days away after which a begun one may be; null: never
 */
export function mayTakeBack(
  state: SeatState,
  lastSeen: Date | null,
  idleDays: number | null,
  now = new Date(),
): boolean {
  if (state === 'offered' || state === 'waiting') return true;
  if (state !== 'begun' || idleDays === null || lastSeen === null) return false;
  return now.getTime() - lastSeen.getTime() > idleDays * 86_400_000;
}

export function takeBackInWords(idleDays: number | null): string {
  const rule = 'An organisation can take a seat back until its learner has begun';
  if (idleDays === null) return `${rule}.`;
  return `${rule}, and after that when they have not completed it and were not here for ${counted(idleDays, 'day')}. What they have done and their certificates stay.`;
}

export const SEAT_REFUSALS = {
  gone: 'is nobody’s any more',
  taken: 'has taken the seat already',
  mailed_often: 'was mailed often today',
  begun: 'has begun',
  completed: 'has completed it',
  has_seat: 'has a seat or an open invitation there',
  has_access: 'has all of that already',
} as const;
export type SeatRefusal = keyof typeof SEAT_REFUSALS;

export interface ListedSeat {
  id: number;
  courseId: number | null;
  bundleId: number | null;
  title: string;
  email: string;
  /** Null for an offer. */
  name: string | null;
  state: SeatState;
  canTakeBack: boolean;
  givenAt: string | null;
  /** Percent; of a bundle the mean. */
  progress: number;
  lastAt: string | null;
  /** Past the organization's day. */
  isLate: boolean;
  completedAt: string | null;
  certificates: string[];
}

export interface OwnSeat {
  id: number;
  /** Null for a bundle. */
  courseId: number | null;
  title: string;
  organisation: string;
  givenAt: string;
  rule: string;
  begun: boolean;
}

export interface SeatsOfThing {
  courseId: number | null;
  bundleId: number | null;
  title: string;
  /** Without refunded ones. */
  all: number;
  free: number;
  offered: number;
  waiting: number;
  /** Without completed ones. */
  begun: number;
  completed: number;
  /** Mean percent of taken ones; null without any. */
  progress: number | null;
  /** '2026-12-31'. */
  dueOn: string | null;
  link: { url: string; domains: string[] } | null;
}

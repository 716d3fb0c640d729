import type { Tone } from '#src/components/surface.ts';

/** How a seat stands that was given to somebody. */
export type SeatState = 'offered' | 'waiting' | 'begun' | 'completed' | 'ended';
export type SeatFilter = SeatState;

/** How each state is shown. */
export const SEAT_STATES: Record<SeatState, { label: string; tone: Tone }> = {
  offered: { label: 'Invited', tone: 'neutral' },
  waiting: { label: 'Not begun', tone: 'info' },
  begun: { label: 'Learning', tone: 'accent' },
  completed: { label: 'Completed', tone: 'success' },
  ended: { label: 'Paid back', tone: 'warning' },
};

export function parseSeatState(value: string | null): SeatFilter | null {
  return value !== null && Object.hasOwn(SEAT_STATES, value) ? (value as SeatFilter) : null;
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

/** Somebody to whom a seat was given. */
export interface ListedSeat {
  id: number;
  courseId: number | null;
  bundleId: number | null;
  /** Of the course or the bundle. */
  title: string;
  email: string;
  /** Null until the seat is taken. */
  name: string | null;
  state: SeatState;
  givenAt: string | null;
  /** Percent; of a bundle the mean of its courses. */
  progress: number;
  /** When its learner was there last. */
  lastAt: string | null;
  /** The organisation's own day is over, and it is not completed. */
  isLate: boolean;
  completedAt: string | null;
  /** The numbers of the certificates, which anybody can verify. */
  certificates: string[];
}

/** A seat as its learner sees it. */
export interface OwnSeat {
  id: number;
  /** Null for a bundle. */
  courseId: number | null;
  title: string;
  organisation: string;
  givenAt: string;
  begun: boolean;
}

/** The seats of one course or bundle. */
export interface SeatsOfThing {
  courseId: number | null;
  bundleId: number | null;
  title: string;
  /** Without those that were paid back. */
  all: number;
  free: number;
  offered: number;
  /** Taken, and nothing done yet. */
  waiting: number;
  /** Without those who have completed it. */
  begun: number;
  completed: number;
  /** How far those who took one are on average, in percent; null where nobody has. */
  progress: number | null;
  /** The day by whose end all should have completed it: '2026-12-31'. */
  dueOn: string | null;
  link: { url: string; domains: string[] } | null;
}

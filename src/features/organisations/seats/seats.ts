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
  courseId: number;
  course: string;
  email: string;
  /** Null until the seat is taken. */
  name: string | null;
  state: SeatState;
  givenAt: string | null;
  /** Percent. */
  progress: number;
  completedAt: string | null;
  /** The number of the certificate, which anybody can verify. */
  certificate: string | null;
}

/** A seat as its learner sees it. */
export interface OwnSeat {
  id: number;
  courseId: number;
  course: string;
  organisation: string;
  givenAt: string;
  begun: boolean;
}

/** The seats of one course. */
export interface SeatsOfCourse {
  courseId: number;
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
  link: { url: string; domains: string[] } | null;
}

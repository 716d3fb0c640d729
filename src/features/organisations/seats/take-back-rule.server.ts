import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { mayTakeBack, seatState } from './seats.ts';

const facts = z.object({
  seats: z.object({ takeBackBegun: z.object({ afterIdleDays: z.number() }).nullable() }),
});

let known: { days: number | null } | undefined;

/** From `site.yaml`; null for never. */
export function idleDays(): number | null {
  if (!known) {
    const file = readFileSync(new URL('../../../content/site.yaml', import.meta.url), 'utf8');
    known = { days: facts.parse(parse(file)).seats.takeBackBegun?.afterIdleDays ?? null };
  }
  return known.days;
}

export function standing(seat: Parameters<typeof seatState>[0] & { lastAt: Date | null }) {
  const state = seatState(seat);
  // A learner may have begun long before the seat.
  const lastSeen = [seat.takenAt, seat.lastAt].reduce((a, b) => (b && (!a || b > a) ? b : a), null);
  return { state, canTakeBack: mayTakeBack(state, lastSeen, idleDays()) };
}

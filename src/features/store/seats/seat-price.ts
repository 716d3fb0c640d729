/** Seats that are bought at once at most. */
export const SEATS_MAX = 10_000;

/** From how many seats on each costs how much less. */
export interface SeatPriceStep {
  fromSeats: number;
  percentOff: number;
}

export interface SeatPrice {
  /** What a seat costs, in cents: rounded once, so that the seats of a line cost the same. */
  unitCents: number;
  totalCents: number;
  /** 0 where no step is reached. */
  percentOff: number;
}

/**
 * What seats of a course or a bundle cost an organisation (decision 103): the highest step that the number of seats in
 * the whole order reaches counts for all of them.
 *
 * @param priceCents the price for one person
 * @param ordered the seats of the whole order
 */
export function seatPrice(
  priceCents: number,
  seats: number,
  steps: readonly SeatPriceStep[],
  ordered = seats,
): SeatPrice {
  const percentOff = steps
    .filter(({ fromSeats }) => ordered >= fromSeats)
    .reduce((most, step) => Math.max(most, step.percentOff), 0);
  const unitCents = Math.round((priceCents * (100 - percentOff)) / 100);
  return { unitCents, totalCents: unitCents * seats, percentOff };
}

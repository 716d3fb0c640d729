export const SEATS_MAX = 10_000;

export interface SeatPriceStep {
  fromSeats: number;
  percentOff: number;
}

interface SeatPrice {
  /** In cents, rounded once, so that all seats of a line cost the same. */
  unitCents: number;
  totalCents: number;
  percentOff: number;
}

/**
 * The highest step that the whole order reaches counts for all lines (decision 103).
 * @param priceCents for one person
 * @param ordered seats of the whole order
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

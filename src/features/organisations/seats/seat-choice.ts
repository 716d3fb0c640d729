import { seatPrice, type SeatPriceStep } from '#src/features/store/seats/seat-price.ts';
import { parseThing, type SeatThing, thingName } from '#src/features/store/seats/seat-thing.ts';
import { SEAT_LINES_MAX, seatCount } from '../schema.ts';

/** `priceCents` is for one person. */
export type SeatOffer = SeatThing & {
  title: string;
  priceCents: number;
  courses?: string[];
};

/** As typed. */
export type SeatRow = {
  /** "course-12"; '' before a choice. */
  of: string;
  typed: string;
  seats: number | null;
  problem: string | undefined;
};

/** Cents. */
export type SeatChoice = {
  lines: (SeatThing & {
    title: string;
    courses: string[];
    seats: number;
    unitCents: number;
    listCents: number;
    totalCents: number;
  })[];
  totalCents: number;
  /** 0 below the first price step. */
  percentOff: number;
};

/** `?of=course-12&seats=5`, repeatable; rows without a choice are left out. */
export function readSeatRows(search: URLSearchParams): SeatRow[] {
  const seats = search.getAll('seats');
  return search
    .getAll('of')
    .slice(0, SEAT_LINES_MAX)
    .map((of, index) => {
      const typed = seats[index]?.trim() ?? '';
      const read = seatCount.safeParse(/^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN);
      const problem = typed === '' || read.success ? undefined : read.error.issues[0]!.message;
      return { of, typed, seats: read.success ? read.data : null, problem };
    })
    .filter(({ of }) => of !== '');
}

/**
 * Null for a row that is incomplete, doubled or not for sale.
 * @param quoted upper bounds by name, from quotes
 */
export function chooseSeats(
  rows: readonly SeatRow[],
  offers: readonly SeatOffer[],
  steps: readonly SeatPriceStep[],
  quoted: ReadonlyMap<string, number> = new Map(),
): SeatChoice | null {
  const ordered = rows.reduce((sum, { seats }) => sum + (seats ?? 0), 0);
  let percentOff = 0;
  const lines = rows.flatMap(({ of, seats }) => {
    const offer = parseThing(of) && offers.find((one) => thingName(one) === of);
    if (!offer || seats === null) return [];
    const { title, priceCents, courses = [], courseId, bundleId } = offer;
    const price = seatPrice(priceCents, seats, steps, ordered);
    percentOff = price.percentOff;
    const listCents = price.unitCents;
    const unitCents = Math.min(listCents, quoted.get(of) ?? listCents);
    return [
      { courseId, bundleId, title, courses, seats, unitCents, listCents, totalCents: unitCents * seats },
    ];
  });
  const isWhole = lines.length === rows.length && new Set(lines.map(thingName)).size === lines.length;
  if (rows.length === 0 || !isWhole || !seatCount.safeParse(ordered).success) return null;
  return { lines, percentOff, totalCents: lines.reduce((sum, line) => sum + line.totalCents, 0) };
}

/** For the calls. */
export const orderedSeats = (lines: SeatChoice['lines']) =>
  lines.map(({ courseId, bundleId, seats }) =>
    bundleId === undefined ? { courseId: courseId!, seats } : { bundleId, seats },
  );

/** "of=course-12&seats=5". */
export const choiceQuery = (lines: readonly (SeatThing & { seats: number })[]): string =>
  lines.map((line) => `of=${thingName(line)}&seats=${line.seats}`).join('&');

import { seatPrice, type SeatPriceStep } from '#src/features/store/seats/seat-price.ts';
import { parseThing, type SeatThing, thingName } from '#src/features/store/seats/seat-thing.ts';
import { SEAT_LINES_MAX, seatCount } from '../schema.ts';

/** A course or bundle of which seats can be bought; `priceCents` is for one person. */
export type SeatOffer = SeatThing & {
  title: string;
  priceCents: number;
  courses?: string[];
};

/** A row of the form in which seats are chosen, as it was typed. */
export type SeatRow = {
  /** "course-12"; empty where nothing is chosen yet. */
  of: string;
  typed: string;
  seats: number | null;
  problem: string | undefined;
};

/** What is bought, at the prices of now; amounts in cents. */
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
  /** What the seats of the whole order cost less; 0 where no price step is reached. */
  percentOff: number;
};

/** The rows that an address has, `?of=course-12&seats=5` as often as wanted, without those that name nothing. */
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
 * What rows come to; null where one has no seats yet, is twice there, or is not for sale.
 *
 * @param quoted what a seat costs at most by a quote, by the names of what it is of
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

/** What is bought as the calls take it. */
export const orderedSeats = (lines: SeatChoice['lines']) =>
  lines.map(({ courseId, bundleId, seats }) =>
    bundleId === undefined ? { courseId: courseId!, seats } : { bundleId, seats },
  );

/** The address's part that says what is bought: "of=course-12&seats=5". */
export const choiceQuery = (lines: readonly (SeatThing & { seats: number })[]): string =>
  lines.map((line) => `of=${thingName(line)}&seats=${line.seats}`).join('&');

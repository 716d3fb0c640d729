import { and, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { type QuotedLine, quotes } from '#db/schema/store.ts';
import { quoteTerms } from '#src/features/store/invoices/seller.server.ts';
import { drawNumber } from '#src/features/store/orders/orders.server.ts';
import { type SeatThingRow, thingName } from '#src/features/store/seats/seat-thing.ts';
import { lockOrganisation } from '../members.server.ts';

const DAY_MS = 86_400_000;

const nameOf = (lines: readonly { of: string; seats: number }[]): string =>
  lines
    .map(({ of, seats }) => `${of}:${seats}`)
    .toSorted()
    .join(',');

const validFor = (organisationId: number, choice: string): SQL =>
  and(
    eq(quotes.organisationId, organisationId),
    eq(quotes.choice, choice),
    gt(quotes.validUntil, sql`now()`),
  )!;

/** @returns cents by name, the lowest of valid quotes for exactly these seats */
export async function quotedCents(
  executor: Executor,
  organisationId: number,
  lines: readonly (SeatThingRow & { seats: number })[],
): Promise<Map<string, number>> {
  const choice = nameOf(lines.map((line) => ({ of: thingName(line), seats: line.seats })));
  const valid = await executor
    .select({ lines: quotes.lines })
    .from(quotes)
    .where(validFor(organisationId, choice));
  const least = new Map<string, number>();
  for (const { of, unitCents } of valid.flatMap((quote) => quote.lines)) {
    least.set(of, Math.min(unitCents, least.get(of) ?? unitCents));
  }
  return least;
}

const sumOf = (lines: readonly QuotedLine[]) =>
  lines.reduce((sum, { unitCents, seats }) => sum + unitCents * seats, 0);

/**
 * A valid quote that costs no more and names the same company, or a new one.
 * @throws {AppError} not_found
 */
export async function quoteSeats(
  userId: number,
  organisationId: number,
  offer: { lines: QuotedLine[]; taxCents: number; billedTo: string[] },
): Promise<typeof quotes.$inferSelect> {
  const choice = nameOf(offer.lines);
  const titles = (lines: readonly QuotedLine[]) =>
    lines
      .map(({ title }) => title)
      .toSorted()
      .join('\n');
  return db().transaction(async (tx) => {
    // Concurrent requests make one.
    await lockOrganisation(tx, userId, organisationId);
    const valid = await tx
      .select()
      .from(quotes)
      .where(and(validFor(organisationId, choice), eq(quotes.billedTo, offer.billedTo)))
      .orderBy(desc(quotes.id));
    const known = valid.find(
      ({ lines }) => sumOf(lines) <= sumOf(offer.lines) && titles(lines) === titles(offer.lines),
    );
    if (known) return known;
    const madeAt = new Date();
    const [made] = await tx
      .insert(quotes)
      .values({
        ...offer,
        organisationId,
        choice,
        number: await drawNumber(tx, 'Q', madeAt),
        madeBy: userId,
        madeAt,
        // To the end of the printed day.
        validUntil: new Date(
          (Math.floor(madeAt.getTime() / DAY_MS) + quoteTerms().validDays + 1) * DAY_MS - 1,
        ),
      })
      .returning();
    return made!;
  });
}

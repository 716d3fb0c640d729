import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { db, type Tx } from '#db/client.ts';
import { seats } from '#db/schema/store.ts';
import type { SeatThing } from '#src/features/store/seats/seat-thing.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { sendJob } from '#src/server/jobs.ts';
import { tryConsume } from '#src/server/limits/rate-limit.ts';
import { counted } from '#src/shared/counted.ts';
import { AppError } from '#src/shared/errors.ts';
import { findOwnOrganisation, lockOrganisation } from '../members.server.ts';
import type { BulkSeats, ChangedSeats } from '../schema.ts';
import { type GivenSeat, lockSeats, mailAgain, releaseSeats, takeBack } from './given-seats.server.ts';
import { fillSeat } from './join.server.ts';
import type { SeatRefusal } from './seats.ts';
import { addressesWithSeat, freeSeats, mailSeatOffersJob, offer, type Person } from './seats.server.ts';

type Held = GivenSeat & { email: string };
type Refuse = (seat: Held, reason: SeatRefusal) => void;

/**
 * Reminds, takes back or moves many seats; refused ones stay as they are. Where free seats run short, nobody moves.
 * @throws {AppError} not_found, conflict
 */
export async function changeSeats(
  user: Person,
  organisationId: number,
  { action, seats: chosen, to }: BulkSeats,
): Promise<ChangedSeats> {
  const ids = [...new Set(chosen)];
  const often = action === 'remind' ? await mailedOften(user, organisationId, ids) : new Set<number>();
  return retryOnConflict(() =>
    db().transaction(async (tx) => {
      const own = await lockOrganisation(tx, user.id, organisationId);
      const known = new Map((await lockSeats(tx, organisationId, ids)).map((seat) => [seat.id, seat]));
      const refused: ChangedSeats['refused'] = [];
      const fit: Held[] = [];
      for (const id of ids) {
        const seat = known.get(id);
        const reason = refusal(action, seat, often.has(id));
        if (reason === null) fit.push(seat as Held);
        else refused.push({ id, email: seat?.email ?? null, reason });
      }
      if (action === 'remind')
        await mailAgain(
          tx,
          user.id,
          organisationId,
          fit.map(({ id }) => id),
        );
      else if (action === 'take-back') await takeBack(tx, own.name, fit);
      else
        await moveSeats(tx, user.id, organisationId, fit, to!, ({ id, email }, reason) =>
          refused.push({ id, email, reason }),
        );
      return { done: ids.length - refused.length, refused };
    }),
  );
}

/** Null where it can. */
function refusal(
  action: BulkSeats['action'],
  seat: GivenSeat | undefined,
  isOften: boolean,
): SeatRefusal | null {
  if (!seat?.email || seat.state === 'ended') return 'gone';
  if (action === 'remind') return seat.state !== 'offered' ? 'taken' : isOften ? 'mailed_often' : null;
  if (action === 'take-back' && seat.canTakeBack) return null;
  return seat.state === 'begun' || seat.state === 'completed' ? seat.state : null;
}

async function mailedOften(user: Person, organisationId: number, ids: readonly number[]) {
  const often = new Set<number>();
  if (!(await findOwnOrganisation(user.id, organisationId))) return often;
  const open = await db()
    .select({ id: seats.id })
    .from(seats)
    .where(
      and(
        eq(seats.organisationId, organisationId),
        inArray(seats.id, [...ids]),
        isNotNull(seats.email),
        isNull(seats.userId),
        isNull(seats.endedAt),
      ),
    );
  for (const { id } of open)
    if (!(await tryConsume('seat-reminder', `user:${user.id}:seat:${id}`))) often.add(id);
  return often;
}

class HasAccess extends Error {}

/** Taken seats move with access, open ones with an offer. */
async function moveSeats(
  tx: Tx,
  by: number,
  organisationId: number,
  movable: readonly Held[],
  to: SeatThing,
  refuse: Refuse,
): Promise<void> {
  const free = await freeSeats(tx, organisationId, to);
  const known = await addressesWithSeat(
    tx,
    organisationId,
    to,
    movable.map(({ email }) => email),
  );
  const tooFew = () => {
    const message = `${counted(free.length, 'seat is', 'seats are')} free there, and you chose ${counted(movable.length, 'person', 'people')}. Nobody was moved.`;
    return new AppError('conflict', message);
  };
  for (const seat of movable) if (known.has(seat.email)) refuse(seat, 'has_seat');
  const fit = movable.filter(({ email }) => !known.has(email));
  let used = 0;
  for (const seat of fit.filter(({ userId }) => userId !== null)) {
    const target = free[used];
    if (target === undefined) throw tooFew();
    try {
      // Old access first: the new seat may open the same courses.
      await tx.transaction(async (step) => {
        await releaseSeats(step, [seat.id]);
        const { entered } = await fillSeat(step, { id: seat.userId!, email: seat.email }, target);
        if (entered.length === 0) throw new HasAccess();
      });
      used += 1;
    } catch (error) {
      if (!(error instanceof HasAccess)) throw error;
      refuse(seat, 'has_access');
    }
  }
  const offered = fit.filter(({ userId }) => userId === null);
  if (offered.length > free.length - used) throw tooFew();
  await releaseSeats(
    tx,
    offered.map(({ id }) => id),
  );
  await offer(
    tx,
    free.slice(used, used + offered.length),
    offered.map(({ email }) => email),
  );
  if (offered.length > 0) await sendJob(tx, mailSeatOffersJob, { organisationId, by });
}

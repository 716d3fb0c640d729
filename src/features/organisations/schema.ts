import { z } from 'zod';
import { createPaymentIntentCall, shownAmount } from '#src/features/store/checkout/schema.ts';
import { onlyOne, thing } from '#src/features/store/cart/schema.ts';
import { billingInput } from '#src/features/store/invoices/billing.ts';
import { SEATS_MAX } from '#src/features/store/seats/seat-price.ts';
import { thingName } from '#src/features/store/seats/seat-thing.ts';
import { contract } from '#src/shared/contract.ts';
import { day, id, idInPath, mailbox, rawText } from '#src/shared/fields.ts';
import { SEAT_REFUSALS, type SeatRefusal } from './seats/seats.ts';
import { nameLine } from '#src/shared/names.ts';

/** Characters. */
export const NAME_MIN = 2;
export const NAME_MAX = 120;
/** Characters: room for 10,000 addresses. */
export const PEOPLE_TEXT_MAX = 900_000;
export const DOMAINS_MAX = 20;

export const ROLES = ['owner', 'manager'] as const;
export type OrganisationRole = (typeof ROLES)[number];

const organisationParams = z.object({ id: idInPath('Organization') });
const seatParams = z.object({ id: idInPath('Organization'), seat: idInPath('Seat') });
const told = z.object({ message: z.string() });
// Appears in mails to others.
const name = nameLine('Name of the organization', { min: NAME_MIN, max: NAME_MAX });
const role = z.enum(ROLES, { error: 'Role must be owner or manager' });

const WRONG_SEATS = `Seats must be a whole number from 1 to ${SEATS_MAX.toLocaleString('en-US')}`;
export const seatCount = z
  .number({ error: WRONG_SEATS })
  .int(WRONG_SEATS)
  .min(1, WRONG_SEATS)
  .max(SEATS_MAX, WRONG_SEATS);

export const SEAT_LINES_MAX = 20;

const seatLines = z
  .array(z.object({ ...thing, seats: seatCount }).superRefine(onlyOne), {
    error: 'Lines must be a list of courses or bundles with their seats',
  })
  .min(1, 'Choose a course or a bundle')
  .max(SEAT_LINES_MAX, `One order can have ${SEAT_LINES_MAX} courses and bundles at most`)
  .refine(
    (lines) => new Set(lines.map(thingName)).size === lines.length,
    'A course or bundle stands in the order twice',
  )
  .refine((lines) => lines.reduce((sum, { seats }) => sum + seats, 0) <= SEATS_MAX, WRONG_SEATS);

export const openOrganisationCall = contract({
  method: 'POST',
  path: '/api/organisations',
  input: z.object({ name }),
  output: z.object({ id: z.number(), name: z.string() }),
});

export const renameOrganisationCall = contract({
  method: 'PUT',
  path: '/api/organisations/{id}',
  params: organisationParams,
  input: z.object({ name }),
  output: z.object({ id: z.number(), name: z.string() }),
});

/** An owner invites a manager. */
export const inviteMemberCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/members',
  params: organisationParams,
  input: z.object({ email: mailbox(), role }),
  output: told,
});

/** An owner removes somebody, or a member leaves. */
export const removeMemberCall = contract({
  method: 'DELETE',
  path: '/api/organisations/{id}/members/{user}',
  params: z.object({ id: idInPath('Organization'), user: idInPath('Member') }),
  output: told,
});

export const takeInvitationBackCall = contract({
  method: 'DELETE',
  path: '/api/organisations/{id}/invitations/{invitation}',
  params: z.object({ id: idInPath('Organization'), invitation: idInPath('Invitation') }),
  output: told,
});

/** Starts or resumes it. */
export const createSeatPaymentCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/payment',
  params: organisationParams,
  input: z.object({ lines: seatLines, amount: shownAmount, billing: billingInput }),
  output: createPaymentIntentCall.output,
});

export const setBillingCall = contract({
  method: 'PUT',
  path: '/api/organisations/{id}/billing',
  params: organisationParams,
  input: billingInput,
  output: told,
});

/** By bank transfer. */
export const orderByInvoiceCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/invoice',
  params: organisationParams,
  input: z.object({ lines: seatLines, amount: shownAmount, billing: billingInput }),
  output: z.object({ orderId: z.number() }),
});

/** Before its release. */
export const cancelOrderCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/orders/{order}/cancel',
  params: z.object({ id: idInPath('Organization'), order: idInPath('Order') }),
  output: told,
});

/** Also why a person gets no seat. */
export const lineProblem = z.enum(['malformed', 'repeated', 'has_seat', 'no_seat_left']);
export type LineProblem = z.output<typeof lineProblem>;

/** `dryRun` only reports. Otherwise valid lines are done, or none where seats run short. */
export const giveSeatsCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/seats',
  params: organisationParams,
  input: z
    .object({
      ...thing,
      people: rawText('People', { max: PEOPLE_TEXT_MAX }).refine(
        (value) => value.trim() !== '',
        'People is required: their email addresses',
      ),
      dryRun: z.boolean({ error: 'dryRun must be true or false' }),
    })
    .superRefine(onlyOne),
  output: z.object({
    given: z.number(),
    /** Before the call. */
    free: z.number(),
    problems: z.array(z.object({ line: z.number(), text: z.string(), problem: lineProblem })),
    /** In all; `problems` has the first ones. */
    problemCount: z.number(),
  }),
});
export type GivenSeats = z.output<typeof giveSeatsCall.output>;

export const takeSeatBackCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/seats/{seat}/take-back',
  params: seatParams,
  output: told,
});

/** By a learner who has not begun. */
export const giveSeatBackCall = contract({
  method: 'POST',
  path: '/api/seats/{seat}/give-back',
  params: z.object({ seat: idInPath('Seat') }),
  output: told,
});

export const remindSeatCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/seats/{seat}/remind',
  params: seatParams,
  output: told,
});

const CHANGED_AT_ONCE = 500;
const seatRefusal = z.enum(Object.keys(SEAT_REFUSALS) as [SeatRefusal, ...SeatRefusal[]]);

/** Reminds, takes back, or moves people who have not begun (`to`). */
export const changeSeatsCall = contract({
  method: 'POST',
  path: '/api/organisations/{id}/seats/bulk',
  params: organisationParams,
  input: z
    .object({
      action: z.enum(['remind', 'take-back', 'move'], { error: 'Action must be remind, take-back or move' }),
      seats: z
        .array(id('Seat'), { error: 'Seats must be a list of their ids' })
        .min(1, 'Choose a seat')
        .max(CHANGED_AT_ONCE, `Choose ${CHANGED_AT_ONCE} seats at most`),
      to: z.object(thing).superRefine(onlyOne).optional(),
    })
    .refine(({ action, to }) => (action === 'move') === (to !== undefined), {
      path: ['to'],
      error: 'To what is for moving, and required there',
    }),
  output: z.object({
    done: z.number(),
    /** Unchanged ones; the address is null for unknown and free seats. */
    refused: z.array(z.object({ id: z.number(), email: z.string().nullable(), reason: seatRefusal })),
  }),
});
export type BulkSeats = z.output<NonNullable<typeof changeSeatsCall.input>>;
export type ChangedSeats = z.output<typeof changeSeatsCall.output>;

const WRONG_DOMAIN = 'Domains must be names such as example.com, separated by commas';
const domain = z
  .string({ error: WRONG_DOMAIN })
  .transform((value) => value.trim().toLowerCase().replace(/^@/, ''))
  .refine(
    (value) => /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(value),
    WRONG_DOMAIN,
  );

/** No domains end the link. */
export const setSeatLinkCall = contract({
  method: 'PUT',
  path: '/api/organisations/{id}/link',
  params: organisationParams,
  input: z
    .object({
      ...thing,
      domains: z
        .array(domain, { error: WRONG_DOMAIN })
        .max(DOMAINS_MAX, `Domains must be ${DOMAINS_MAX} at most`)
        .transform((all) => [...new Set(all)].toSorted()),
    })
    .superRefine(onlyOne),
  output: z.object({ link: z.string().nullable() }),
});

const joinSecret = z
  .string({ error: 'token must be text' })
  .regex(/^[\w-]{20,100}$/, 'This link is invalid or has ended.');

export const setSeatsDueCall = contract({
  method: 'PUT',
  path: '/api/organisations/{id}/due',
  params: organisationParams,
  input: z.object({ ...thing, dueOn: day('Day').nullable() }).superRefine(onlyOne),
  output: told,
});

export const joinCall = contract({
  method: 'POST',
  path: '/api/join',
  input: z.object({ token: joinSecret }),
  output: z.object({ message: z.string(), next: z.string() }),
});

const WRONG_STEP = 'Each step needs a number of seats from 2 to 10,000 and a percentage from 1 to 90';
const step = z.object(
  {
    fromSeats: z.number({ error: WRONG_STEP }).int(WRONG_STEP).min(2, WRONG_STEP).max(SEATS_MAX, WRONG_STEP),
    percentOff: z.number({ error: WRONG_STEP }).int(WRONG_STEP).min(1, WRONG_STEP).max(90, WRONG_STEP),
  },
  { error: WRONG_STEP },
);

/** Discounts by number of seats. */
export const setSeatPricesCall = contract({
  method: 'PUT',
  path: '/api/admin/seat-prices',
  input: z.object({
    steps: z
      .array(step, { error: WRONG_STEP })
      .max(10, 'There can be 10 steps at most')
      .refine(
        (steps) => new Set(steps.map(({ fromSeats }) => fromSeats)).size === steps.length,
        'Two steps begin at the same number of seats',
      ),
  }),
  output: z.array(z.object({ fromSeats: z.number(), percentOff: z.number() })),
});

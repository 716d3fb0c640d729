import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment, users } from './account.ts';
import { courses } from './catalogue.ts';
import { type Billing, organisations } from './organisations.ts';
import { oneOf } from './one-of.ts';

/** `Seller` of the store: who sells, as an invoice names them. */
type Seller = Record<'name' | 'legalName' | 'email' | 'phone' | 'taxId', string> & {
  address: string[];
  bank:
    | Record<'holder' | 'name' | 'accountNumber' | 'achRoutingNumber' | 'wireRoutingNumber' | 'swift', string>
    | Record<'holder' | 'iban' | 'bic', string>;
};

/** A line of a quote: seats of a course or, where it names its `courses`, of a bundle; `of` is "course-12" or "bundle-3". */
export type QuotedLine = { of: string; title: string; courses: string[]; seats: number; unitCents: number };

/** Several courses at one price (decision 98). Offered only while every course of it is for sale. */
export const bundles = pgTable(
  'bundles',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    title: text().notNull(),
    description: text().notNull(),
    priceCents: integer().notNull(),
    state: text({ enum: ['active', 'hidden'] })
      .notNull()
      .default('hidden'),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    check('bundles_price', sql`${t.priceCents} between 50 and 99999999`),
    oneOf('bundles_state', t.state),
  ],
);

/** The courses of a bundle. A deleted one leaves its place empty, so that the rest is not sold at the price of all. */
export const bundleCourses = pgTable(
  'bundle_courses',
  {
    bundleId: integer()
      .notNull()
      .references(() => bundles.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    courseId: integer().references(() => courses.id, { onDelete: 'set null' }),
  },
  (t) => [
    primaryKey({ columns: [t.bundleId, t.position] }),
    uniqueIndex('bundle_courses_bundle_course_key').on(t.bundleId, t.courseId),
    index('bundle_courses_course_idx').on(t.courseId),
  ],
);

/** Spec 3 `cart item`: one line per user and course (decision 24). */
export const cartItems = pgTable(
  'cart_items',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** The bundle that it is in the cart with; all lines of one stand as one row. */
    bundleId: integer().references(() => bundles.id, { onDelete: 'cascade' }),
    addedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('cart_items_user_course_key').on(t.userId, t.courseId),
    index('cart_items_course_idx').on(t.courseId),
    index('cart_items_bundle_idx').on(t.bundleId),
  ],
);

/** Decision 22. `percent` coupons use `percentOff`, `fixed` ones `amountOffCents`. */
export const coupons = pgTable(
  'coupons',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Upper case, as buyers see it. */
    code: text().notNull().unique(),
    kind: text({ enum: ['fixed', 'percent'] }).notNull(),
    percentOff: smallint(),
    amountOffCents: integer(),
    /** Null for every course. */
    courseId: integer().references(() => courses.id, { onDelete: 'cascade' }),
    expiresAt: moment(),
    /** Orders that may hold it, counted over the orders themselves; null for any number. */
    usageLimit: integer(),
    isActive: boolean().notNull().default(true),
    /** What all codes that were made together begin with; null for one that was made by itself. */
    batch: text(),
    createdBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    check(
      'coupons_value',
      sql`(${t.kind} = 'percent' and ${t.percentOff} between 1 and 100 and ${t.amountOffCents} is null)
        or (${t.kind} = 'fixed' and ${t.amountOffCents} between 1 and 99999999 and ${t.percentOff} is null)`,
    ),
    check('coupons_usage_limit', sql`${t.usageLimit} >= 1`),
    index('coupons_course_idx').on(t.courseId),
    index('coupons_batch_idx').on(t.batch),
    check('coupons_code_form', sql`${t.code} = upper(${t.code}) and length(${t.code}) between 3 and 40`),
    oneOf('coupons_kind_value', t.kind),
  ],
);

/** Decision 19. The order of the states is checked by the database too (migration of the transition guard). */
export const ORDER_STATUSES = [
  'pending',
  'processing',
  'completed',
  'failed',
  'expired',
  'partially_refunded',
  'refunded',
  'disputed',
] as const;

/**
 * Spec 3 `order`. `total` is `totalCents`; a guest's order has no user until it is claimed (decisions 25, 26).
 * Amounts are in the smallest unit of `currency`.
 */
export const orders = pgTable(
  'orders',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Its lines are seats of this organisation: they give its buyer no access. */
    organisationId: integer().references(() => organisations.id, { onDelete: 'restrict' }),
    buyerEmail: text().notNull(),
    buyerFirstName: text().notNull().default(''),
    buyerLastName: text().notNull().default(''),
    totalCents: integer().notNull(),
    discountCents: integer().notNull().default(0),
    taxCents: integer().notNull().default(0),
    refundedCents: integer().notNull().default(0),
    currency: text().notNull().default('usd'),
    status: text({ enum: ORDER_STATUSES }).notNull().default('pending'),
    /** Names the set of lines (buyer, courses, prices, coupon): one open order per cart content (decision 16). */
    fingerprint: text().notNull(),
    stripePaymentIntentId: text(),
    /** How it is paid: by card at the provider, or by bank transfer against an invoice (decision 110). */
    payment: text({ enum: ['card', 'bank'] })
      .notNull()
      .default('card'),
    /** Whom an organisation's invoice names, as it was when the order was made. */
    billing: jsonb().$type<Billing>(),
    /** The invoice that took the place of one without a company, once (decision 110). */
    correction: jsonb().$type<{ number: string; at: string; billing: Billing }>(),
    /** Until when an invoice is to be paid. */
    dueAt: moment(),
    /** What of it transfers had paid when its invoice was issued: the paper says so for ever (decision 110). */
    prepaidCents: integer().notNull().default(0),
    /** Who sold, as the invoice named them when it was issued; null where that was not written down. */
    seller: jsonb().$type<Seller>(),
    /** Reminders that were mailed because it was not. */
    remindersSent: smallint().notNull().default(0),
    /** Counts as a use of the coupon for as long as the order is neither failed nor expired. */
    couponId: integer().references(() => coupons.id, { onDelete: 'set null' }),
    /** Copied like titles and prices, so that an invoice stays as it was issued. */
    couponCode: text(),
    invoiceNumber: text().unique(),
    /** SHA-256 of the secret in the buyer's claim cookie (decision 25). */
    claimSecretHash: text(),
    /** Its payment is canceled at the provider for good; null while it may still be paid. */
    paymentCanceledAt: moment(),
    /** Failures that the provider stored for the making of its payment; each needs a new idempotency key. */
    intentFailures: smallint().notNull().default(0),
    /** The buyer's account was deleted, and who they were taken out. */
    anonymisedAt: moment(),
    createdAt: moment().notNull().defaultNow(),
    completedAt: moment(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('orders_payment_intent_key').on(t.stripePaymentIntentId),
    uniqueIndex('orders_open_fingerprint_key')
      .on(t.fingerprint)
      .where(sql`${t.status} in ('pending', 'processing')`),
    index('orders_user_idx').on(t.userId, t.createdAt.desc()),
    index('orders_buyer_email_idx').on(t.buyerEmail),
    index('orders_status_idx').on(t.status, t.createdAt),
    index('orders_status_id_idx').on(t.status, t.id),
    // Holds what the total revenue adds up, so that no order is read for it.
    index('orders_revenue_idx').on(t.status, t.totalCents, t.refundedCents),
    index('orders_created_at_idx').on(t.createdAt.desc()),
    index('orders_completed_at_idx').on(t.completedAt.desc()),
    index('orders_coupon_idx').on(t.couponId),
    // Few of all: what waits for a transfer, or has to be sent back, is found without the others.
    index('orders_bank_idx').on(t.status).where(sql`${t.payment} = 'bank'`),
    index('orders_organisation_idx').on(t.organisationId).where(sql`${t.organisationId} is not null`),
    check('orders_total_range', sql`${t.totalCents} >= 0`),
    check('orders_discount_range', sql`${t.discountCents} >= 0`),
    check('orders_tax_range', sql`${t.taxCents} >= 0`),
    check('orders_refunded_range', sql`${t.refundedCents} between 0 and ${t.totalCents}`),
    check('orders_prepaid_range', sql`${t.prepaidCents} between 0 and ${t.totalCents}`),
    check('orders_email_normalised', sql`${t.buyerEmail} = lower(${t.buyerEmail})`),
    check(
      'orders_completed_have_invoice',
      sql`${t.status} not in ('completed', 'partially_refunded', 'refunded', 'disputed') or ${t.invoiceNumber} is not null`,
    ),
    oneOf('orders_status_value', t.status),
  ],
);

/** Spec 3 `order item`: title and price are copies, so that later edits of the course change no order. */
export const orderItems = pgTable(
  'order_items',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'restrict' }),
    /** What this line costs after its share of a coupon. */
    priceCents: integer().notNull(),
    /** The course's price before the coupon: in a bundle, its share of the bundle's price. */
    listPriceCents: integer().notNull(),
    /** What seats would have cost without a step of the price or a quote; null where that is what they cost. */
    fullPriceCents: integer(),
    title: text().notNull(),
    /** How many seats an organisation buys with it; null for a line that is one person's. */
    seats: integer(),
    /** The bundle that it was bought with, and its title then. */
    bundleId: integer().references(() => bundles.id),
    bundleTitle: text(),
    /** Its buyer owned the course already, so it is paid back. */
    boughtTwice: boolean().notNull().default(false),
    refundedAt: moment(),
  },
  (t) => [
    // Seats of a bundle and of one of its courses may stand in one order.
    uniqueIndex('order_items_order_course_key').on(t.orderId, t.courseId, sql`coalesce(${t.bundleId}, 0)`),
    uniqueIndex('order_items_own_course_key').on(t.orderId, t.courseId).where(sql`${t.seats} is null`),
    index('order_items_course_idx').on(t.courseId),
    index('order_items_bundle_idx').on(t.bundleId),
    check('order_items_bundle', sql`(${t.bundleId} is null) = (${t.bundleTitle} is null)`),
    check('order_items_price', sql`${t.priceCents} >= 0 and ${t.priceCents} <= ${t.listPriceCents}`),
    check('order_items_seats', sql`${t.seats} >= 1`),
  ],
);

/** What an operator should look at; `flags.server.ts` has a sentence for each. */
export const ORDER_FLAG_KINDS = [
  'payment_mismatch',
  'paid_twice',
  'without_buyer',
  'coupon_used_by_address',
  'coupon_used_by_account',
  'bought_twice',
  'refunded_unfulfilled',
  'refund_failed',
  'refund_unclear',
  'refund_returned',
  'refund_refused',
  'overdue',
  'other',
] as const;

/** A mark for an operator's attention; open until `settledAt`. The same cause is open once. */
export const orderFlags = pgTable(
  'order_flags',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    kind: text({ enum: ORDER_FLAG_KINDS }).notNull(),
    /** The refund, the payment or the difference that it is about; empty where the kind says all. */
    subject: text().notNull().default(''),
    createdAt: moment().notNull().defaultNow(),
    settledAt: moment(),
    /** Null where the site settled it itself. */
    settledBy: integer().references(() => users.id, { onDelete: 'set null' }),
    note: text().notNull().default(''),
  },
  (t) => [
    uniqueIndex('order_flags_open_key').on(t.orderId, t.kind, t.subject).where(sql`${t.settledAt} is null`),
    index('order_flags_order_idx').on(t.orderId),
  ],
);

/** Everything that happened to an order, for people to read; nothing is decided by it. Append only. */
export const orderEvents = pgTable(
  'order_events',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    type: text().notNull(),
    fromStatus: text({ enum: ORDER_STATUSES }),
    toStatus: text({ enum: ORDER_STATUSES }),
    /** confirm, webhook, reconciler, admin, buyer, system */
    source: text().notNull(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    at: moment().notNull().defaultNow(),
  },
  (t) => [
    index('order_events_order_idx').on(t.orderId, t.id),
    oneOf('order_events_from_status_value', t.fromStatus),
    oneOf('order_events_to_status_value', t.toStatus),
  ],
);

/** The last number of a year's papers, drawn under its row lock (decision 20: gapless). */
export const invoiceCounters = pgTable(
  'invoice_counters',
  {
    /** INV for invoices, CN for credit notes, Q for quotes: each series is gapless by itself. */
    series: text({ enum: ['INV', 'CN', 'Q'] })
      .notNull()
      .default('INV'),
    year: smallint().notNull(),
    lastNumber: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.series, t.year] })],
);

/**
 * What seats were offered for to an organisation, until when. Its lines and whom it names are copies, so that a number is
 * always the same paper.
 */
export const quotes = pgTable(
  'quotes',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    number: text().notNull().unique(),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'restrict' }),
    /** Which seats: "bundle-3:5,course-12:4", by the names of what they are of. */
    choice: text().notNull(),
    lines: jsonb().$type<QuotedLine[]>().notNull(),
    billedTo: text().array().notNull(),
    taxCents: integer().notNull(),
    madeBy: integer().references(() => users.id, { onDelete: 'set null' }),
    madeAt: moment().notNull().defaultNow(),
    validUntil: moment().notNull(),
  },
  (t) => [
    index('quotes_choice_idx').on(t.organisationId, t.choice, t.validUntil),
    index('quotes_made_by_idx').on(t.madeBy),
    check('quotes_tax', sql`${t.taxCents} >= 0`),
  ],
);

/** Events of the card provider that were taken in; the id makes a repeat a no-op (faults P1, P12). */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    objectId: text(),
    createdAt: moment().notNull(),
    receivedAt: moment().notNull().defaultNow(),
    handledAt: moment(),
    outcome: text(),
  },
  (t) => [index('provider_events_object_idx').on(t.objectId)],
);

/** A refund at the provider; `orderItemId` is null where the amount matches no line (fault P34). */
export const refunds = pgTable(
  'refunds',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    orderItemId: integer().references(() => orderItems.id, { onDelete: 'set null' }),
    providerRefundId: text().unique(),
    amountCents: integer().notNull(),
    status: text({ enum: ['pending', 'succeeded', 'failed', 'canceled'] })
      .notNull()
      .default('pending'),
    /** Failures that the provider stored for it; each needs a new idempotency key. */
    failures: smallint().notNull().default(0),
    /** Whether access to the line's course ends with it. */
    endsAccess: boolean().notNull().default(true),
    /** How many seats of the line end with it; null for a refund that is not about seats. */
    seats: integer(),
    /** Drawn when it has succeeded; stays even where the money comes back later. */
    creditNoteNumber: text().unique(),
    /** What its asker calls it: the same request again is the same refund. */
    requestKey: uuid(),
    reason: text().notNull().default(''),
    requestedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    index('refunds_order_idx').on(t.orderId),
    // That the refunds of a line are together no more than it cost is a trigger's to see.
    index('refunds_line_idx').on(t.orderItemId),
    uniqueIndex('refunds_request_key').on(t.orderId, t.requestKey),
    check('refunds_amount', sql`${t.amountCents} > 0`),
    check('refunds_seats', sql`${t.seats} >= 1`),
    oneOf('refunds_status_value', t.status),
  ],
);

/**
 * A seat of an organisation in a course, or in all courses of a bundle: free, offered to an address, or taken by an
 * account. `token` is the SHA-256 of the secret in the mailed offer.
 */
export const seats = pgTable(
  'seats',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Of a bundle the first of its lines. */
    orderItemId: integer()
      .notNull()
      .references(() => orderItems.id, { onDelete: 'cascade' }),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'restrict' }),
    courseId: integer().references(() => courses.id, { onDelete: 'restrict' }),
    bundleId: integer().references(() => bundles.id, { onDelete: 'restrict' }),
    /** To whom it is offered, and whose address it was when it was taken. */
    email: text(),
    token: text().unique(),
    /** The offer is to be mailed; a job does. */
    mailDue: boolean().notNull().default(false),
    givenAt: moment(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    takenAt: moment(),
    /** A refund took it away. */
    endedAt: moment(),
  },
  (t) => [
    index('seats_order_item_idx').on(t.orderItemId),
    index('seats_user_idx').on(t.userId),
    index('seats_organisation_idx').on(t.organisationId, t.courseId, t.id),
    index('seats_bundle_idx').on(t.bundleId).where(sql`${t.bundleId} is not null`),
    index('seats_free_idx')
      .on(t.organisationId, t.courseId, t.id)
      .where(sql`${t.email} is null and ${t.endedAt} is null`),
    index('seats_mail_due_idx').on(t.organisationId).where(sql`${t.mailDue}`),
    uniqueIndex('seats_address_key')
      .on(t.organisationId, sql`coalesce(${t.courseId}, -${t.bundleId})`, t.email)
      .where(sql`${t.email} is not null and ${t.endedAt} is null`),
    check('seats_of_one_thing', sql`num_nonnulls(${t.courseId}, ${t.bundleId}) = 1`),
    check('seats_email_normalised', sql`${t.email} = lower(${t.email})`),
    check('seats_taken', sql`${t.userId} is null or (${t.email} is not null and ${t.takenAt} is not null)`),
  ],
);

/** What an organisation has set for its seats in a course or a bundle. */
export const seatPlans = pgTable(
  'seat_plans',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'cascade' }),
    courseId: integer().references(() => courses.id, { onDelete: 'cascade' }),
    bundleId: integer().references(() => bundles.id, { onDelete: 'cascade' }),
    /**
     * Stands in a link with which people whose address is at one of the domains take a free seat themselves. Kept readable
     * for the managers: without a proven address at a domain it opens nothing.
     */
    code: text().unique(),
    domains: text().array(),
    /** The day by whose end everybody should have completed it, as managers set it: '2026-12-31'. */
    dueOn: date(),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [
    unique('seat_plans_key').on(t.organisationId, t.courseId, t.bundleId).nullsNotDistinct(),
    index('seat_plans_course_idx').on(t.courseId),
    index('seat_plans_bundle_idx').on(t.bundleId),
    check('seat_plans_of_one_thing', sql`num_nonnulls(${t.courseId}, ${t.bundleId}) = 1`),
    check('seat_plans_link', sql`(${t.code} is null) = (${t.domains} is null)`),
  ],
);

/** From how many seats on each costs how much less; administrators set them. */
export const seatPriceSteps = pgTable(
  'seat_price_steps',
  {
    fromSeats: integer().primaryKey(),
    percentOff: smallint().notNull(),
  },
  (t) => [
    check('seat_price_steps_from', sql`${t.fromSeats} >= 2`),
    check('seat_price_steps_percent', sql`${t.percentOff} between 1 and 90`),
  ],
);

/** A card holder's dispute of an order (fault P35). */
export const disputes = pgTable(
  'disputes',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    providerDisputeId: text().notNull().unique(),
    amountCents: integer().notNull(),
    status: text({ enum: ['open', 'won', 'lost'] })
      .notNull()
      .default('open'),
    reason: text().notNull().default(''),
    /** Drawn when it is lost. */
    creditNoteNumber: text().unique(),
    openedAt: moment().notNull().defaultNow(),
    closedAt: moment(),
  },
  (t) => [index('disputes_order_idx').on(t.orderId), oneOf('disputes_status_value', t.status)],
);

/** Money that came in, or was sent back, by bank for an order that is paid against an invoice. */
export const bankTransfers = pgTable(
  'bank_transfers',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'restrict' }),
    /** Below zero for money that was sent back. */
    amountCents: integer().notNull(),
    /** The day on the bank's statement. */
    bookedOn: date({ mode: 'string' }).notNull(),
    /** What the statement says, so that the entry can be found there. */
    reference: text().notNull(),
    /** What its recorder calls it: the same entry again is the same transfer. */
    requestKey: uuid().notNull(),
    recordedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    recordedAt: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('bank_transfers_request_key').on(t.orderId, t.requestKey),
    index('bank_transfers_recorded_by_idx').on(t.recordedBy),
    check('bank_transfers_amount', sql`${t.amountCents} <> 0`),
  ],
);

/** Opens one order's page without a sign-in, from the links in its mails; `keyHash` is a SHA-256. */
export const orderKeys = pgTable(
  'order_keys',
  {
    keyHash: text().primaryKey(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('order_keys_order_idx').on(t.orderId)],
);

/** A mailed link by which a guest takes an order into an account (decisions 25, 26); `token` is a SHA-256. */
export const claimTokens = pgTable(
  'claim_tokens',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: boolean().notNull().default(false),
    createdAt: moment().notNull().defaultNow(),
  },
  (t) => [index('claim_tokens_order_idx').on(t.orderId)],
);

/**
 * One side of a money movement; the entries of one `movement` add up to zero. The movement's name is what keeps it from
 * being booked twice: its kind, what it is about (`subject`: an order, a transfer, a refund, a dispute) and a step. The
 * database takes kind and subject out of the name, so that rows of an older version have them too, and a name of no kind
 * is refused.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    movement: text().notNull(),
    kind: text({ enum: ['payment', 'invoice', 'transfer', 'refund', 'dispute'] })
      .notNull()
      .generatedAlwaysAs(sql`split_part(movement, ':', 1)`),
    subject: text().notNull().generatedAlwaysAs(sql`split_part(movement, ':', 2)`),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'restrict' }),
    account: text({
      enum: [
        'provider_clearing',
        'course_revenue',
        'refunds_paid',
        'disputes_held',
        'tax_payable',
        'receivables',
        'bank',
      ],
    }).notNull(),
    /** Debits positive, credits negative, in the smallest unit of the currency. */
    amountCents: bigint({ mode: 'number' }).notNull(),
    currency: text().notNull().default('usd'),
    at: moment().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('ledger_entries_movement_account_key').on(t.movement, t.account),
    index('ledger_entries_order_idx').on(t.orderId),
    check('ledger_entries_amount', sql`${t.amountCents} <> 0`),
    oneOf('ledger_entries_kind', t.kind),
    oneOf('ledger_entries_account_value', t.account),
  ],
);

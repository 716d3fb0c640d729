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
import { byUser, counter, flag, identity, moment, momentNow, ofUser } from './account.ts';
import { courses, ofCourse } from './catalogue.ts';
import { type Billing, organisations } from './organisations.ts';
import { oneOf } from './one-of.ts';

type Seller = Record<'name' | 'legalName' | 'email' | 'phone' | 'taxId', string> & {
  address: string[];
  bank:
    | Record<'holder' | 'name' | 'accountNumber' | 'achRoutingNumber' | 'wireRoutingNumber' | 'swift', string>
    | Record<'holder' | 'iban' | 'bic', string>;
};

export type QuotedLine = { of: string; title: string; courses: string[]; seats: number; unitCents: number };

export const bundles = pgTable(
  'bundles',
  {
    id: identity(),
    title: text().notNull(),
    description: text().notNull(),
    priceCents: integer().notNull(),
    state: text({ enum: ['active', 'hidden'] })
      .notNull()
      .default('hidden'),
    createdAt: momentNow(),
    updatedAt: momentNow(),
  },
  (t) => [
    check('bundles_price', sql`${t.priceCents} between 50 and 99999999`),
    oneOf('bundles_state', t.state),
  ],
);

/** The empty place stops the sale of the rest at the whole price. */
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

/** Spec 3; one line per user and course (decision 24). */
export const cartItems = pgTable(
  'cart_items',
  {
    id: identity(),
    userId: ofUser(),
    courseId: ofCourse(),
    bundleId: integer().references(() => bundles.id, { onDelete: 'cascade' }),
    addedAt: momentNow(),
  },
  (t) => [
    uniqueIndex('cart_items_user_course_key').on(t.userId, t.courseId),
    index('cart_items_course_idx').on(t.courseId),
    index('cart_items_bundle_idx').on(t.bundleId),
  ],
);

/** `percent` uses `percentOff`, `fixed` uses `amountOffCents`. */
export const coupons = pgTable(
  'coupons',
  {
    id: identity(),
    code: text().notNull().unique(),
    kind: text({ enum: ['fixed', 'percent'] }).notNull(),
    percentOff: smallint(),
    amountOffCents: integer(),
    courseId: integer().references(() => courses.id, { onDelete: 'cascade' }),
    expiresAt: moment(),
    usageLimit: integer(),
    isActive: boolean().notNull().default(true),
    batch: text(),
    createdBy: byUser(),
    createdAt: momentNow(),
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

/** Decision 19; a trigger checks the transitions too. */
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

/** Guests have no user until they claim (decisions 25, 26). */
export const orders = pgTable(
  'orders',
  {
    id: identity(),
    userId: byUser(),
    organisationId: integer().references(() => organisations.id, { onDelete: 'restrict' }),
    buyerEmail: text().notNull(),
    buyerFirstName: text().notNull().default(''),
    buyerLastName: text().notNull().default(''),
    totalCents: integer().notNull(),
    discountCents: counter(),
    taxCents: counter(),
    refundedCents: counter(),
    currency: text().notNull().default('usd'),
    status: text({ enum: ORDER_STATUSES }).notNull().default('pending'),
    /** One open order per cart content (decision 16). */
    fingerprint: text().notNull(),
    stripePaymentIntentId: text(),
    /** Decision 110. */
    payment: text({ enum: ['card', 'bank'] })
      .notNull()
      .default('card'),
    billing: jsonb().$type<Billing>(),
    /** Decision 110. */
    correction: jsonb().$type<{ number: string; at: string; billing: Billing }>(),
    dueAt: moment(),
    /** As of the invoice's issue (decision 110). */
    prepaidCents: counter(),
    seller: jsonb().$type<Seller>(),
    remindersSent: smallint().notNull().default(0),
    couponId: integer().references(() => coupons.id, { onDelete: 'set null' }),
    /** A copy: invoices never change. */
    couponCode: text(),
    invoiceNumber: text().unique(),
    /** SHA-256 of the claim cookie's secret (decision 25). */
    claimSecretHash: text(),
    /** Null while it may still be paid. */
    paymentCanceledAt: moment(),
    /** The provider stores failures: a retry needs a new idempotency key. */
    intentFailures: smallint().notNull().default(0),
    anonymisedAt: moment(),
    createdAt: momentNow(),
    completedAt: moment(),
    updatedAt: momentNow(),
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
    index('orders_revenue_idx').on(t.status, t.totalCents, t.refundedCents),
    index('orders_created_at_idx').on(t.createdAt.desc()),
    index('orders_completed_at_idx').on(t.completedAt.desc()),
    index('orders_coupon_idx').on(t.couponId),
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

const ofOrder = () =>
  integer()
    .notNull()
    .references(() => orders.id, { onDelete: 'cascade' });

/** Spec 3; copies, so that edits change no order. */
export const orderItems = pgTable(
  'order_items',
  {
    id: identity(),
    orderId: ofOrder(),
    courseId: integer()
      .notNull()
      .references(() => courses.id, { onDelete: 'restrict' }),
    priceCents: integer().notNull(),
    listPriceCents: integer().notNull(),
    fullPriceCents: integer(),
    title: text().notNull(),
    /** Null for one person's line. */
    seats: integer(),
    bundleId: integer().references(() => bundles.id),
    bundleTitle: text(),
    boughtTwice: flag(),
    refundedAt: moment(),
  },
  (t) => [
    // A bundle's seats and those of its course may share an order.
    uniqueIndex('order_items_order_course_key').on(t.orderId, t.courseId, sql`coalesce(${t.bundleId}, 0)`),
    uniqueIndex('order_items_own_course_key').on(t.orderId, t.courseId).where(sql`${t.seats} is null`),
    index('order_items_course_idx').on(t.courseId),
    index('order_items_bundle_idx').on(t.bundleId),
    check('order_items_bundle', sql`(${t.bundleId} is null) = (${t.bundleTitle} is null)`),
    check('order_items_price', sql`${t.priceCents} >= 0 and ${t.priceCents} <= ${t.listPriceCents}`),
    check('order_items_seats', sql`${t.seats} >= 1`),
  ],
);

const ORDER_FLAG_KINDS = [
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
  'refund_asked',
  'other',
] as const;

/** One open flag per cause. */
export const orderFlags = pgTable(
  'order_flags',
  {
    id: identity(),
    orderId: ofOrder(),
    kind: text({ enum: ORDER_FLAG_KINDS }).notNull(),
    subject: text().notNull().default(''),
    createdAt: momentNow(),
    settledAt: moment(),
    settledBy: byUser(),
    note: text().notNull().default(''),
  },
  (t) => [
    uniqueIndex('order_flags_open_key').on(t.orderId, t.kind, t.subject).where(sql`${t.settledAt} is null`),
    index('order_flags_order_idx').on(t.orderId),
  ],
);

export const orderEvents = pgTable(
  'order_events',
  {
    id: identity(),
    orderId: ofOrder(),
    type: text().notNull(),
    fromStatus: text({ enum: ORDER_STATUSES }),
    toStatus: text({ enum: ORDER_STATUSES }),
    source: text().notNull(),
    actorId: byUser(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    at: momentNow(),
  },
  (t) => [
    index('order_events_order_idx').on(t.orderId, t.id),
    oneOf('order_events_from_status_value', t.fromStatus),
    oneOf('order_events_to_status_value', t.toStatus),
  ],
);

/** Gapless by its row lock (decision 20). */
export const invoiceCounters = pgTable(
  'invoice_counters',
  {
    series: text({ enum: ['INV', 'CN', 'Q'] })
      .notNull()
      .default('INV'),
    year: smallint().notNull(),
    lastNumber: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.series, t.year] })],
);

/** Copies: a number is always the same paper. */
export const quotes = pgTable(
  'quotes',
  {
    id: identity(),
    number: text().notNull().unique(),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'restrict' }),
    choice: text().notNull(),
    lines: jsonb().$type<QuotedLine[]>().notNull(),
    billedTo: text().array().notNull(),
    taxCents: integer().notNull(),
    madeBy: byUser(),
    madeAt: momentNow(),
    validUntil: moment().notNull(),
  },
  (t) => [
    index('quotes_choice_idx').on(t.organisationId, t.choice, t.validUntil),
    index('quotes_made_by_idx').on(t.madeBy),
    check('quotes_tax', sql`${t.taxCents} >= 0`),
  ],
);

/** The id makes a repeat a no-op (faults P1, P12). */
export const providerEvents = pgTable(
  'provider_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    objectId: text(),
    createdAt: moment().notNull(),
    receivedAt: momentNow(),
    handledAt: moment(),
    outcome: text(),
  },
  (t) => [index('provider_events_object_idx').on(t.objectId)],
);

/** `orderItemId` is null where the amount matches no line (fault P34). */
export const refunds = pgTable(
  'refunds',
  {
    id: identity(),
    orderId: ofOrder(),
    orderItemId: integer().references(() => orderItems.id, { onDelete: 'set null' }),
    providerRefundId: text().unique(),
    amountCents: integer().notNull(),
    status: text({ enum: ['pending', 'succeeded', 'failed', 'canceled'] })
      .notNull()
      .default('pending'),
    failures: smallint().notNull().default(0),
    endsAccess: boolean().notNull().default(true),
    seats: integer(),
    /** Stays even where the money comes back. */
    creditNoteNumber: text().unique(),
    requestKey: uuid(),
    reason: text().notNull().default(''),
    requestedBy: byUser(),
    createdAt: momentNow(),
    updatedAt: momentNow(),
  },
  (t) => [
    index('refunds_order_idx').on(t.orderId),
    // A trigger bounds the refunds of a line.
    index('refunds_line_idx').on(t.orderItemId),
    uniqueIndex('refunds_request_key').on(t.orderId, t.requestKey),
    check('refunds_amount', sql`${t.amountCents} > 0`),
    check('refunds_seats', sql`${t.seats} >= 1`),
    oneOf('refunds_status_value', t.status),
  ],
);

/** `token` is a SHA-256. */
export const seats = pgTable(
  'seats',
  {
    id: identity(),
    orderItemId: integer()
      .notNull()
      .references(() => orderItems.id, { onDelete: 'cascade' }),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'restrict' }),
    courseId: integer().references(() => courses.id, { onDelete: 'restrict' }),
    bundleId: integer().references(() => bundles.id, { onDelete: 'restrict' }),
    email: text(),
    token: text().unique(),
    mailDue: flag(),
    givenAt: moment(),
    userId: byUser(),
    takenAt: moment(),
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

export const seatPlans = pgTable(
  'seat_plans',
  {
    id: identity(),
    organisationId: integer()
      .notNull()
      .references(() => organisations.id, { onDelete: 'cascade' }),
    courseId: integer().references(() => courses.id, { onDelete: 'cascade' }),
    bundleId: integer().references(() => bundles.id, { onDelete: 'cascade' }),
    /** Plain: it needs a proven address at one of the domains. */
    code: text().unique(),
    domains: text().array(),
    /** '2026-12-31'. */
    dueOn: date(),
    createdAt: momentNow(),
  },
  (t) => [
    unique('seat_plans_key').on(t.organisationId, t.courseId, t.bundleId).nullsNotDistinct(),
    index('seat_plans_course_idx').on(t.courseId),
    index('seat_plans_bundle_idx').on(t.bundleId),
    check('seat_plans_of_one_thing', sql`num_nonnulls(${t.courseId}, ${t.bundleId}) = 1`),
    check('seat_plans_link', sql`(${t.code} is null) = (${t.domains} is null)`),
  ],
);

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

/** Fault P35. */
export const disputes = pgTable(
  'disputes',
  {
    id: identity(),
    orderId: ofOrder(),
    providerDisputeId: text().notNull().unique(),
    amountCents: integer().notNull(),
    status: text({ enum: ['open', 'won', 'lost'] })
      .notNull()
      .default('open'),
    reason: text().notNull().default(''),
    creditNoteNumber: text().unique(),
    openedAt: momentNow(),
    closedAt: moment(),
  },
  (t) => [index('disputes_order_idx').on(t.orderId), oneOf('disputes_status_value', t.status)],
);

export const bankTransfers = pgTable(
  'bank_transfers',
  {
    id: identity(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'restrict' }),
    /** Below zero for money sent back. */
    amountCents: integer().notNull(),
    bookedOn: date({ mode: 'string' }).notNull(),
    reference: text().notNull(),
    requestKey: uuid().notNull(),
    recordedBy: byUser(),
    recordedAt: momentNow(),
  },
  (t) => [
    uniqueIndex('bank_transfers_request_key').on(t.orderId, t.requestKey),
    index('bank_transfers_recorded_by_idx').on(t.recordedBy),
    check('bank_transfers_amount', sql`${t.amountCents} <> 0`),
  ],
);

/** `keyHash` is a SHA-256. */
export const orderKeys = pgTable(
  'order_keys',
  {
    keyHash: text().primaryKey(),
    orderId: ofOrder(),
    createdAt: momentNow(),
  },
  (t) => [index('order_keys_order_idx').on(t.orderId)],
);

/** Decisions 25, 26; `token` is a SHA-256. */
export const claimTokens = pgTable(
  'claim_tokens',
  {
    id: identity(),
    orderId: ofOrder(),
    token: text().notNull().unique(),
    expiresAt: moment().notNull(),
    used: flag(),
    createdAt: momentNow(),
  },
  (t) => [index('claim_tokens_order_idx').on(t.orderId)],
);

/** Kind, `subject` and step make a movement unique. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: identity(),
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
    amountCents: bigint({ mode: 'number' }).notNull(),
    currency: text().notNull().default('usd'),
    at: momentNow(),
  },
  (t) => [
    uniqueIndex('ledger_entries_movement_account_key').on(t.movement, t.account),
    index('ledger_entries_order_idx').on(t.orderId),
    check('ledger_entries_amount', sql`${t.amountCents} <> 0`),
    oneOf('ledger_entries_kind', t.kind),
    oneOf('ledger_entries_account_value', t.account),
  ],
);

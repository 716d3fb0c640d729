import fc from 'fast-check';

// A schedule is plain data, so that a failing one can be shrunk, printed and run again.

/** The people of a schedule: two accounts, a stranger, and a guest who types in the first account's address. */
export type Who = 'ada' | 'ben' | 'guest' | 'ada as guest';

export type Card =
  | 'pm_card_visa'
  | 'pm_card_chargeDeclined'
  | 'pm_card_processing'
  | 'pm_card_processingFails'
  | 'pm_card_threeDSecureRequired'
  | 'pm_card_refundFail'
  | 'pm_card_pendingRefund'
  | 'pm_card_createDispute';

/** How much of a line is paid back: all that is left, or an amount of its price. */
export type Part = 'what is left' | 'a cent' | 'half' | 'the price';

/** Seats of one course, or of `BUNDLE`. */
export type SeatsOf = { course: number; seats: number };

/** One thing that somebody does or that happens. A course that is bought may be `BUNDLE`. `nth` chooses among what there is at that moment. */
export type Op =
  | { do: 'add to cart' | 'remove from cart'; who: 'ada' | 'ben'; course: number }
  | { do: 'checkout'; who: 'ada' | 'ben'; coupon: boolean }
  | { do: 'direct checkout'; who: Who; course: number; coupon: boolean }
  | { do: 'pay'; nth: number; card: Card }
  | { do: 'confirm'; nth: number }
  /** Fills, checks out and pays a cart in one go. */
  | { do: 'buy'; who: Who; course: number; card: Card; coupon: boolean }
  | { do: 'event again'; nth: number; copies: number }
  | { do: 'events'; mode: 'dropped' | 'held' | 'twice' | 'at once twice' | 'late' | 'as usual' }
  | { do: 'release events'; order: 'created' | 'reversed' | 'shuffled' }
  | { do: 'payment settles'; nth: number; outcome: 'succeeds' | 'fails' }
  | { do: 'refund at the provider'; nth: number; how: 'all' | 'line' | 'odd' }
  | {
      do: 'refund a line';
      nth: number;
      line: number;
      part: Part;
      access: 'ends' | 'stays' | 'as usual';
      times: number;
    }
  | { do: 'refund settles'; nth: number; outcome: 'succeeds' | 'fails' }
  | { do: 'dispute'; nth: number; part: boolean }
  | { do: 'dispute ends'; nth: number; outcome: 'won' | 'lost' }
  | { do: 'price'; course: number; cents: number }
  | { do: 'hide or show' | 'delete'; course: number }
  | { do: 'order ends'; nth: number }
  /** Ada buys seats for her organisation, by card or by invoice. */
  | { do: 'buy seats'; lines: SeatsOf[]; card: Card }
  | { do: 'order seats'; lines: SeatsOf[]; times: number }
  /** Ada has seats quoted, what they are of becomes dearer, and she orders them. */
  | { do: 'quote'; lines: SeatsOf[]; dearer: number }
  /** What administrators do with orders by invoice; `nth` chooses among these. */
  | { do: 'release' | 'close'; nth: number }
  | { do: 'transfer'; nth: number; how: 'what is left' | 'a part' | 'too much' | 'sent back'; times: number }
  /** Seats are given to somebody, who takes and begins them or not. */
  | { do: 'give seat' | 'take seat' | 'begin seat'; who: 'ada' | 'ben'; nth: number }
  | { do: 'take seat back'; nth: number }
  | { do: 'refund seats'; nth: number; line: number; seats: number; times: number }
  /** An account has the invoice of its order name a company; with `times`, by pressing the button again. */
  | { do: 'correct invoice'; nth: number; times: number }
  | { do: 'make account' | 'claim by mail'; who: 'guest' | 'ada as guest' }
  /** Somebody who does not read the guest's mail. */
  | { do: 'stranger registers' }
  | { do: 'address verified'; who: 'ada' | 'ben' }
  | { do: 'reconcile' }
  | { do: 'repair'; nth: number }
  | {
      do: 'provider fails';
      call: 'any' | 'intents' | 'refunds';
      how: 429 | 500 | 503 | 'reset' | 'answer lost' | 'stored';
      times: number;
    }
  | { do: 'connections break' }
  /** The next event is worked off by a process that dies at its `at`-th wait. */
  | { do: 'death by event'; at: number };

/** What a process that dies may be doing. */
export type Mortal = Extract<
  Op,
  {
    do:
      | 'checkout'
      | 'confirm'
      | 'reconcile'
      | 'refund a line'
      | 'make account'
      | 'claim by mail'
      | 'direct checkout'
      | 'repair'
      | 'release'
      | 'transfer'
      | 'refund seats'
      | 'take seat'
      | 'correct invoice';
  }
>;

export type Step =
  | Op
  /** All at once, as from several windows and servers. */
  | { together: Op[] }
  /** A process dies at its `at`-th wait for database or provider. */
  | { dies: Mortal; at: number };

export type Schedule = { prices: readonly [number, number, number]; couponPercent: number; steps: Step[] };

const nth = fc.nat({ max: 5 });
const course = fc.nat({ max: 2 });
/** Where something is bought: a course, or the bundle of all three. */
export const BUNDLE = 3;
const thing = fc.nat({ max: BUNDLE });
const account = fc.constantFrom('ada' as const, 'ben' as const);
const who = fc.constantFrom<Who[]>('ada', 'ada', 'ben', 'guest', 'ada as guest');
const coupon = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const card = fc.oneof(
  { weight: 8, arbitrary: fc.constant('pm_card_visa' as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Card[]>(
      'pm_card_chargeDeclined',
      'pm_card_processing',
      'pm_card_processingFails',
      'pm_card_threeDSecureRequired',
      'pm_card_refundFail',
      'pm_card_pendingRefund',
      'pm_card_createDispute',
    ),
  },
);
const cents = fc.constantFrom(0, 50, 1999, 2000, 4900);

const checkout = fc.record({ do: fc.constant('checkout' as const), who: account, coupon });
const direct = fc.record({ do: fc.constant('direct checkout' as const), who, course: thing, coupon });
const confirm = fc.record({ do: fc.constant('confirm' as const), nth });
const reconcile = fc.constant({ do: 'reconcile' as const });
const refundLine = fc.record({
  do: fc.constant('refund a line' as const),
  nth,
  line: fc.nat({ max: 2 }),
  part: fc.constantFrom<Part[]>('what is left', 'what is left', 'a cent', 'half', 'half', 'the price'),
  access: fc.constantFrom('as usual' as const, 'as usual' as const, 'ends' as const, 'stays' as const),
  times: fc.constantFrom(1, 1, 1, 2),
});
const makeAccount = fc.record({
  do: fc.constant('make account' as const),
  who: fc.constantFrom('guest' as const, 'ada as guest' as const),
});
const claimByMail = fc.record({
  do: fc.constant('claim by mail' as const),
  who: fc.constantFrom('guest' as const, 'ada as guest' as const),
});
const repair = fc.record({ do: fc.constant('repair' as const), nth });

const seatCount = fc.constantFrom(1, 2, 3);
/** An order's lines of seats; most have one. */
const seatLines = fc.uniqueArray(fc.record({ course: thing, seats: seatCount }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ course: of }) => of,
});
const release = fc.record({
  do: fc.constantFrom('release' as const, 'release' as const, 'close' as const),
  nth,
});
const transfer = fc.record({
  do: fc.constant('transfer' as const),
  nth,
  how: fc.constantFrom(
    'what is left' as const,
    'what is left' as const,
    'a part' as const,
    'too much' as const,
    'sent back' as const,
  ),
  times: fc.constantFrom(1, 1, 2),
});
const refundSeats = fc.record({
  do: fc.constant('refund seats' as const),
  nth,
  line: fc.nat({ max: 5 }),
  seats: seatCount,
  times: fc.constantFrom(1, 1, 2),
});
const seatOf = fc.record({
  do: fc.constantFrom(
    'give seat' as const,
    'take seat' as const,
    'take seat' as const,
    'begin seat' as const,
  ),
  who: account,
  nth,
});
const correctInvoice = fc.record({
  do: fc.constant('correct invoice' as const),
  nth,
  times: fc.constantFrom(1, 2),
});

/** Operations with their weights; a purchase first of all, or there would be little to go wrong with. */
const OPERATIONS: { weight: number; arbitrary: fc.Arbitrary<Op> }[] = [
  { weight: 10, arbitrary: fc.record({ do: fc.constant('buy' as const), who, course: thing, card, coupon }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('add to cart' as const, 'remove from cart' as const),
      who: account,
      course: thing,
    }),
  },
  { weight: 4, arbitrary: checkout },
  { weight: 3, arbitrary: direct },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pay' as const), nth, card }) },
  { weight: 6, arbitrary: confirm },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('event again' as const),
      nth,
      copies: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('events' as const),
      mode: fc.constantFrom(
        'dropped' as const,
        'held' as const,
        'twice' as const,
        'at once twice' as const,
        'late' as const,
        'as usual' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('release events' as const),
      order: fc.constantFrom('created' as const, 'reversed' as const, 'shuffled' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('payment settles' as const),
      nth,
      outcome: fc.constantFrom('succeeds' as const, 'fails' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund at the provider' as const),
      nth,
      how: fc.constantFrom('all' as const, 'line' as const, 'odd' as const),
    }),
  },
  { weight: 5, arbitrary: refundLine },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refund settles' as const),
      nth,
      outcome: fc.constantFrom('succeeds' as const, 'fails' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('dispute' as const), nth, part: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('dispute ends' as const),
      nth,
      outcome: fc.constantFrom('won' as const, 'lost' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('price' as const), course, cents }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('hide or show' as const, 'delete' as const), course }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('order ends' as const), nth }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('buy seats' as const), lines: seatLines, card }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order seats' as const),
      lines: seatLines,
      times: fc.constantFrom(1, 1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('quote' as const),
      lines: seatLines,
      dearer: fc.constantFrom(1, 1000, 5_000_000),
    }),
  },
  { weight: 3, arbitrary: release },
  { weight: 5, arbitrary: transfer },
  { weight: 6, arbitrary: seatOf },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take seat back' as const), nth }) },
  { weight: 3, arbitrary: refundSeats },
  { weight: 3, arbitrary: correctInvoice },
  { weight: 2, arbitrary: makeAccount },
  { weight: 2, arbitrary: claimByMail },
  { weight: 1, arbitrary: fc.constant({ do: 'stranger registers' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('address verified' as const), who: account }) },
  { weight: 2, arbitrary: reconcile },
  { weight: 1, arbitrary: repair },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('provider fails' as const),
      call: fc.constantFrom('any' as const, 'intents' as const, 'refunds' as const),
      how: fc.constantFrom(
        429 as const,
        500 as const,
        503 as const,
        'reset' as const,
        'answer lost' as const,
        'stored' as const,
      ),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'connections break' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('death by event' as const), at: fc.integer({ min: 1, max: 60 }) }),
  },
];

const operation = fc.oneof(...OPERATIONS) as fc.Arbitrary<Op>;
const mortal = fc.oneof(
  { weight: 4, arbitrary: confirm },
  { weight: 2, arbitrary: reconcile },
  { weight: 2, arbitrary: refundLine },
  { weight: 2, arbitrary: checkout },
  { weight: 1, arbitrary: direct },
  { weight: 1, arbitrary: makeAccount },
  { weight: 1, arbitrary: claimByMail },
  { weight: 1, arbitrary: repair },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), nth }) },
  { weight: 2, arbitrary: transfer },
  { weight: 2, arbitrary: refundSeats },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take seat' as const), who: account, nth }) },
  { weight: 1, arbitrary: correctInvoice },
) as fc.Arbitrary<Mortal>;

/** A random schedule of up to a dozen steps over three courses. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  prices: fc.tuple(
    fc.constantFrom(4900, 2000),
    fc.constantFrom(2000, 1999, 0),
    fc.constantFrom(50, 2000, 99_999_999),
  ),
  couponPercent: fc.constantFrom(10, 33, 100),
  steps: fc.array(
    fc.oneof(
      { weight: 7, arbitrary: operation },
      { weight: 3, arbitrary: fc.record({ together: fc.array(operation, { minLength: 2, maxLength: 4 }) }) },
      { weight: 1, arbitrary: fc.record({ dies: mortal, at: fc.integer({ min: 1, max: 60 }) }) },
    ),
    { minLength: 3, maxLength: 12, size: 'max' },
  ),
});

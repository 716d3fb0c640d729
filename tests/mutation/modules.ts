/** The rules that decide money, access, marks and verdicts: a mistake in one is paid for by somebody. */
export const MODULES = [
  // Cents, and how they are written and read.
  'src/shared/money.ts',
  // What a buyer pays: splits of discounts and of bundles, seats.
  'src/features/store/coupons/coupons.ts',
  'src/features/store/bundles/bundles.ts',
  'src/features/store/seats/seat-price.ts',
  'src/features/store/invoices/billing.ts',
  // What is still owed, what is paid back, and which access ends with it.
  'src/features/store/bank/bank.ts',
  'src/features/store/orders/orders.ts',
  // Marks of a quiz. `marking.server.ts` is kept from browsers for its answers, and touches no database.
  'src/features/lessons/types/quiz/marking.server.ts',
  'src/features/lessons/types/quiz/kinds/*/grade.ts',
  'src/features/lessons/types/quiz/kinds/typed-text.ts',
  // Progress, which a certificate rests on, and when something is asked again.
  'src/features/learn/progress/learn.ts',
  'src/features/learn/progress/points.ts',
  'src/features/lessons/types/video/watching.ts',
  'src/features/review/due/schedule.ts',
  // How the judge compares what a program gave with what was expected.
  'src/judge/comparing/compare.ts',
  'src/judge/comparing/strict.ts',
  'src/judge/comparing/verdict.ts',
];

/** The tests of these modules. */
export const TESTS = [
  'src/shared/*.test.ts',
  'src/features/store/**/*.test.ts',
  'src/features/lessons/types/{quiz,video}/*.test.ts',
  'src/features/learn/progress/*.test.ts',
  'src/features/review/due/*.test.ts',
  'src/judge/comparing/*.test.ts',
];

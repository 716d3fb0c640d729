/** The countries of the European Union, whose consumers have the right to withdraw. */
export const UNION = [
  ...(['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU'] as const),
  ...(['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'] as const),
] as const;

/** Days that a consumer has to withdraw (directive 2011/83, article 9). */
const WITHDRAWAL_DAYS = 14;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/**
 * Hours between UTC and the day of the first and the last places of the Union, Réunion and Martinique; neither changes its
 * clocks. Where a buyer is, is not known, so the place counts that leaves them more time.
 */
const FIRST_PLACE = 4;
const LAST_PLACE = -4;

/**
 * The moment at which the right to withdraw has ended. The day of the contract does not count, and a period that would
 * end on a Saturday or Sunday ends with the Monday after it (regulation 1182/71, article 3).
 *
 * @param contractAt when the contract was made
 */
export function withdrawalEnd(contractAt: Date): Date {
  const contractDay = Math.floor((contractAt.getTime() + FIRST_PLACE * HOUR) / DAY);
  let last = contractDay + WITHDRAWAL_DAYS;
  while ([0, 6].includes(new Date(last * DAY).getUTCDay())) last += 1;
  return new Date((last + 1) * DAY - LAST_PLACE * HOUR);
}

export type Doubt = 'organisation' | 'late' | 'disputed' | 'partly_refunded' | 'begun';

/** Why an administrator has to look at a withdrawal, for them to read. */
export const DOUBTS: Record<Doubt, string> = {
  /** Of withdrawals that were taken in before an organisation's were refused. */
  organisation: 'An organisation bought it, which is no consumer.',
  late: 'It came after the end of the 14 days.',
  disputed: 'The payment is disputed with the bank.',
  partly_refunded: 'A part of the price was paid back already.',
  begun: 'The buyer agreed to lose the right by beginning the course, and has begun it.',
};

/** What keeps a withdrawal from being granted at once; null for nothing. */
export function doubtOf(facts: {
  contractAt: Date;
  now: Date;
  isDisputed: boolean;
  isPartlyRefunded: boolean;
  /** The right ended with the beginning, as the buyer agreed before paying. */
  isBegun: boolean;
}): Doubt | null {
  if (facts.isDisputed) return 'disputed';
  if (facts.isPartlyRefunded) return 'partly_refunded';
  if (facts.now >= withdrawalEnd(facts.contractAt)) return 'late';
  return facts.isBegun ? 'begun' : null;
}

import { centsOf } from '#src/shared/money.ts';

/** What a visitor of the purchase success page may know; nothing personal without proof. */
export type Purchase =
  /** No proof of any purchase. */
  | { state: 'nothing' }
  | { state: 'processing' }
  /** The money is there, and the order is still to be completed (`finishPurchase`). */
  | { state: 'paid' }
  /** Nothing was tried yet. */
  | { state: 'unpaid' }
  | { state: 'failed'; message: string }
  /** The provider could not be asked, or the money does not fit the order; `orderId` is null without proof so far. */
  | { state: 'unclear'; orderId: number | null }
  /**
   * Bought and in no account yet. What comes next: to put it into the verified account of the visitor, to make one, or
   * to open the mailed link. `email` is empty where the buyer was not asked for it.
   */
  | ({
      state: 'guest';
      next: 'add' | 'create' | 'mail';
      email: string;
      firstName: string;
      lastName: string;
    } & Bought)
  /** In the account of the visitor. */
  | ({ state: 'mine' } & Bought)
  /** In an account, and the visitor is not signed in to it. */
  | { state: 'claimed'; email: string }
  /** Nothing is left of it: bought twice or refunded. */
  | { state: 'returned' };

export type Bought = {
  orderId: number;
  courses: { id: number; title: string }[];
  /** Decimal string of US dollars. */
  total: string;
  invoiceNumber: string | null;
};

/**
 * The heading of the purchase success page.
 *
 * @param isSaid the address alone says that something was bought
 */
export function headingOf(purchase: Purchase, isSaid: boolean): string {
  const isFree = (purchase.state === 'guest' || purchase.state === 'mine') && centsOf(purchase.total) === 0;
  const theirs =
    (purchase.state === 'guest' || purchase.state === 'mine') && purchase.courses.length > 1
      ? 'The courses are yours'
      : 'The course is yours';
  const headings = {
    nothing: 'No purchase to show here',
    processing: 'Payment Processing',
    paid: 'Payment received',
    unpaid: 'Payment Incomplete',
    failed: 'Payment Failed',
    unclear: 'We are checking your payment',
    guest: isFree ? theirs : 'Payment Successful!',
    mine: isFree ? theirs : 'Payment Successful!',
    claimed: 'This purchase is in an account',
    returned: 'This payment goes back to you',
  };
  return isSaid ? headings.guest : headings[purchase.state];
}

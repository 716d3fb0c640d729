import { centsOf } from '#src/shared/money.ts';

/** Nothing personal without proof. */
export type Purchase =
  | { state: 'nothing' }
  | { state: 'processing' }
  /** Paid, not completed yet (`finishPurchase`). */
  | { state: 'paid' }
  | { state: 'unpaid' }
  | { state: 'failed'; message: string }
  /** The provider is out of reach or the money does not fit; `orderId` is null without proof. */
  | { state: 'unclear'; orderId: number | null }
  /** In no account yet. `email` is empty where the buyer was not asked for it. */
  | ({
      state: 'guest';
      next: 'add' | 'create' | 'mail';
      email: string;
      firstName: string;
      lastName: string;
    } & Bought)
  | ({ state: 'mine' } & Bought)
  | { state: 'claimed'; email: string }
  | { state: 'returned' };

export type Bought = {
  orderId: number;
  courses: { id: number; title: string }[];
  total: string;
  invoiceNumber: string | null;
};

export function headingOf(purchase: Purchase, isSaid: boolean): string {
  const bought = purchase.state === 'guest' || purchase.state === 'mine' ? purchase : null;
  const theirs = bought && bought.courses.length > 1 ? 'The courses are yours' : 'The course is yours';
  const paid = bought && centsOf(bought.total) === 0 ? theirs : 'Payment Successful!';
  const headings = {
    nothing: 'No purchase to show here',
    processing: 'Payment Processing',
    paid: 'Payment received',
    unpaid: 'Payment Incomplete',
    failed: 'Payment Failed',
    unclear: 'We are checking your payment',
    guest: paid,
    mine: paid,
    claimed: 'This purchase is in an account',
    returned: 'This payment goes back to you',
  };
  return isSaid ? headings.guest : headings[purchase.state];
}

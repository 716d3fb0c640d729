/** A withdrawal as administrators see it. */
export interface ListedWithdrawal {
  id: number;
  orderId: number;
  title: string;
  priceCents: number;
  name: string;
  email: string;
  country: string;
  state: 'granted' | 'open' | 'accepted' | 'declined';
  /** Why it waits for a decision, or did; null where it was granted at once. */
  doubt: string | null;
  madeAt: string;
  reason: string;
  /** What is left of the price to pay back, in cents; 0 where all of it went back already. */
  leftCents: number;
  /** Where the money came from, and goes back to; null for an order that cost nothing. */
  payment: 'card' | 'bank' | null;
  /** Money of its order has to be sent back by transfer and was not yet. */
  isToSend: boolean;
  /** Seats of the line that would end, and how many of them people hold; null for a line that is no seats. */
  seats: { open: number; held: number } | null;
}

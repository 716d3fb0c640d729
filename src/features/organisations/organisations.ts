import type { OrderView } from '#src/features/store/orders/order-view.ts';
import type { OrderStatus } from '#src/features/store/orders/orders.ts';

/** What those who run an organisation see of its learners, and what they never do (decision 103). */
export const WHAT_IS_SEEN =
  'An organisation sees whether its people have begun, how far they are, and their certificates. It never sees answers, notes, questions or programs.';

/** Billing details before anybody has given any. */
export const emptyBilling = (company: string) => ({
  company,
  address: '',
  country: '',
  purchaseOrder: '',
  costCentre: '',
});

/** How many orders of an organisation wait for payment by transfer, and what they come to. */
export interface UnpaidOrders {
  id: number;
  name: string;
  orders: number;
  cents: number;
}

/** An order of an organisation in the list of those who run it; amounts in cents. */
export interface OrganisationOrder {
  id: number;
  createdAt: string;
  title: string;
  totalCents: number;
  invoiceNumber: string | null;
  status: OrderStatus;
  /** Of an order by invoice: how its money stands. */
  bank: OrderView['bank'];
}

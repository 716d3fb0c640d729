import type { OrderView } from '#src/features/store/orders/order-view.ts';
import type { OrderStatus } from '#src/features/store/orders/orders.ts';

/** Decision 103. */
export const WHAT_IS_SEEN =
  'An organisation sees whether its people have begun, how far they are, and their certificates. It never sees answers, notes, questions or programs.';

export const emptyBilling = (company: string) => ({
  company,
  address: '',
  country: '',
  purchaseOrder: '',
  costCentre: '',
});

/** Waiting for bank transfer. */
export interface UnpaidOrders {
  id: number;
  name: string;
  orders: number;
  cents: number;
}

/** Cents. */
export interface OrganisationOrder {
  id: number;
  createdAt: string;
  title: string;
  totalCents: number;
  invoiceNumber: string | null;
  status: OrderStatus;
  /** Of orders by invoice. */
  bank: OrderView['bank'];
}

import type { Tone } from '#src/components/surface.ts';
import type { OrderStatus } from '#src/features/store/orders/orders.ts';

export const SANDBOX_ACTIONS = [
  'payment_succeeds',
  'payment_fails',
  'open_dispute',
  'win_dispute',
  'lose_dispute',
  'refund_outside',
  'refund_fails',
] as const;
export type SandboxAction = (typeof SANDBOX_ACTIONS)[number];

/** What each action is called, and what the site does about it. */
export const ACTION_TEXTS: Record<SandboxAction, { label: string; done: string; does: string }> = {
  payment_succeeds: {
    label: 'Payment succeeds late',
    done: 'The payment succeeded.',
    does: 'The bank says yes to a payment that was still processing: the order completes, the courses open, and the receipt is mailed.',
  },
  payment_fails: {
    label: 'Payment fails late',
    done: 'The payment failed.',
    does: 'The bank says no to a payment that was still processing: the order fails, no course opens, and the buyer may pay again.',
  },
  open_dispute: {
    label: 'Open a dispute',
    done: 'The dispute is open.',
    does: 'The card holder asks their bank for the money back: the order counts as disputed, and access to its courses rests until it is decided.',
  },
  win_dispute: {
    label: 'Win the dispute',
    done: 'The dispute is won.',
    does: 'The bank decides for the site: the order is completed again, and access to its courses is back. Banks do so even after a loss.',
  },
  lose_dispute: {
    label: 'Lose the dispute',
    done: 'The dispute is lost.',
    does: 'The bank decides for the card holder: the order counts as refunded, access to its courses ends, and progress is kept.',
  },
  refund_outside: {
    label: 'Refund outside',
    done: 'The payment was refunded at the provider.',
    does: 'Somebody refunds what is left of the payment in the provider’s dashboard, past this site: access to the courses ends.',
  },
  refund_fails: {
    label: 'Last refund fails',
    done: 'The refund failed.',
    does: 'The buyer’s bank sends the last refund back: the money is with the site again, and the order says so.',
  },
};

/** Cards that only the sandbox or the provider's test mode has, beside the plain `4242 4242 4242 4242`. */
export const SANDBOX_CARDS: { number: string; does: string }[] = [
  { number: '4000 0000 0000 0002', does: 'is declined' },
  { number: '4000 0027 6000 3184', does: 'asks for 3-D Secure' },
  { number: '4000 0000 0000 0259', does: 'is paid, and disputed at once' },
  { number: '4000 0000 0077 0000', does: 'stays processing for ten seconds, then succeeds' },
  { number: '4000 0000 0077 0018', does: 'stays processing for ten seconds, then fails' },
  { number: '4000 0000 0000 7726', does: 'is refunded late' },
  { number: '4000 0000 0000 5126', does: 'is refunded, and the refund fails ten seconds later' },
];

/** A payment as the sandbox has it, beside the order that it belongs to. */
export interface SandboxPayment {
  intentId: string;
  amountCents: number;
  at: string;
  /** As the provider would show it. */
  state: { label: string; tone: Tone };
  order: { id: number; buyer: string; status: OrderStatus } | null;
  can: SandboxAction[];
}

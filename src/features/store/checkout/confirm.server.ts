import type { CurrentUser } from '#src/features/account/session.server.ts';
import { AppError } from '#src/shared/errors.ts';
import { type Fulfilment, fulfil, wasTried } from '#src/features/store/orders/fulfil.server.ts';
import { itemsOf } from '#src/features/store/orders/orders.server.ts';
import { unpaidMessage } from './payment-messages.ts';

/**
 * Completes the order of a paid intent (decision 17); orders of others are not found (fault P24).
 * @throws {AppError} not_found, payment_required with the text of spec 8, conflict where the payment does not fit
 */
export async function confirmPayment(
  user: Pick<CurrentUser, 'id'>,
  paymentIntentId: string,
): Promise<{ success: true; orderId: number; invoiceNumber: string | null; courseIds: number[] }> {
  const outcome = await fulfil({ intentId: paymentIntentId, buyerId: user.id }, 'confirm');
  if (outcome.kind === 'unknown') throw new AppError('not_found', 'There is no such payment.');
  if (outcome.kind === 'unpaid') throw notPaid(outcome);
  if (outcome.kind === 'mismatch') {
    throw new AppError(
      'conflict',
      'Payment succeeded but enrollment failed. Please contact support with your payment details.',
    );
  }
  const items = await itemsOf(outcome.order.id);
  return {
    success: true,
    orderId: outcome.order.id,
    invoiceNumber: outcome.order.invoiceNumber,
    courseIds: items.map((item) => item.courseId),
  };
}

export function notPaid(outcome: Extract<Fulfilment, { kind: 'unpaid' }>): AppError {
  const { intentStatus: status } = outcome;
  const tried = wasTried(outcome);
  return new AppError('payment_required', unpaidMessage(status, tried), { extra: { status, tried } });
}

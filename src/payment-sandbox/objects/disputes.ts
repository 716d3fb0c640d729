import { type Core, changeCharge } from '#src/payment-sandbox/core.ts';
import { missing, refused } from '#src/payment-sandbox/http/errors.ts';
import { buildDispute } from './objects.ts';
import type { StoredCharge, StoredDispute } from '#src/payment-sandbox/state.ts';

const CLOSED = ['won', 'lost'];

function findDispute(core: Core, id: string): StoredDispute {
  const dispute = core.state.get('disputes', id);
  if (!dispute) throw missing('dispute', id, 'dispute');
  return dispute;
}

/** Opens a dispute on a paid charge: the bank takes the money back at once. */
export function openDispute(
  core: Core,
  charge: StoredCharge,
  input: { amount?: number; reason?: string } = {},
): StoredDispute {
  if (charge.status !== 'succeeded') throw refused(undefined, `Charge ${charge.id} was not paid.`);
  if (charge.disputed) throw refused('charge_disputed', `Charge ${charge.id} is already disputed.`);
  const dispute = buildDispute(charge, input.amount ?? charge.amount, input.reason ?? 'fraudulent');
  core.state.put('disputes', dispute.id, dispute);
  const disputed = changeCharge(core, charge, { disputed: true });
  core.webhooks.emit('charge.dispute.created', dispute);
  core.webhooks.emit('charge.dispute.funds_withdrawn', dispute);
  core.webhooks.emit('charge.updated', disputed, { disputed: false });
  return dispute;
}

/** Closes a dispute; won: the money comes back, even after it was lost, for banks do take decisions back. */
export function closeDispute(core: Core, id: string, outcome: 'won' | 'lost'): StoredDispute {
  const dispute = findDispute(core, id);
  const isTakenBack = dispute.status === 'lost' && outcome === 'won';
  if (CLOSED.includes(dispute.status) && !isTakenBack) {
    throw refused(undefined, `This dispute is already closed with the status ${dispute.status}.`);
  }
  const closed = core.state.put('disputes', id, { ...dispute, status: outcome });
  core.webhooks.emit('charge.dispute.updated', closed, { status: dispute.status });
  if (outcome === 'won') core.webhooks.emit('charge.dispute.funds_reinstated', closed);
  core.webhooks.emit('charge.dispute.closed', closed);
  return closed;
}

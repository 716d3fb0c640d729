import { connectDatabase, sqlClient } from '#db/client.ts';
import { confirmPayment } from '#src/features/store/checkout/confirm.server.ts';
import { reconcileOrders } from '#src/features/store/reconciliation/settle-orders.server.ts';
import { receiveProviderEvent } from '#src/features/store/stripe/webhook.server.ts';
import { type Watch, watchDatabase, watching, watchProvider } from '../support/fault-points.ts';

// A process that does one piece of the site's money work and kills itself with SIGKILL at a given fault point.

/** What the process does. */
export type MortalWork =
  | { kind: 'event'; body: string; signature: string }
  | { kind: 'confirm'; userId: number; intentId: string }
  | { kind: 'reconcile' };

/** What a process that lived to the end says of itself. */
export type MortalReport = { passed: string[]; answer: unknown };

async function perform(work: MortalWork): Promise<unknown> {
  if (work.kind === 'confirm') return confirmPayment({ id: work.userId }, work.intentId);
  if (work.kind === 'reconcile') return reconcileOrders();
  const request = new Request('http://localhost/api/stripe/webhook', {
    method: 'POST',
    body: work.body,
    headers: { 'stripe-signature': work.signature },
  });
  return (await receiveProviderEvent(request, 'mortal')).status;
}

const { work, at } = JSON.parse(process.env.MORTAL_WORK!) as { work: MortalWork; at: number };
connectDatabase(process.env.DATABASE_URL!, { max: 3 });
watchDatabase(sqlClient());
watchProvider();
const watch: Watch = {
  passed: [],
  at,
  isDead: false,
  act: async () => {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  },
};
const answer = await watching(watch, () => perform(work));
const report: MortalReport = { passed: watch.passed, answer };
process.stdout.write(JSON.stringify(report), () => process.exit(0));

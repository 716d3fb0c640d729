import {
  administrators,
  findUserIdByEmail,
  openAdminRequests,
  setRole,
} from '#src/features/account/roles.server.ts';
import { resetSecondFactor } from '#src/features/account/second-factor/manage.server.ts';
import { healthTable } from '#src/features/admin/operations/health.ts';
import { siteHealth } from '#src/features/admin/operations/health.server.ts';
import { forgetGivenUp, type Part } from '#src/features/admin/operations/health-of-work.server.ts';
import {
  type ReconciliationCheck,
  type ReconciledTotal,
  checkReconciliation,
} from '#src/features/store/reconciliation/compare-records.server.ts';
import {
  type Reconciliation,
  reconcileOrders,
} from '#src/features/store/reconciliation/settle-orders.server.ts';
import { judge, startJudge, stopJudge } from '#src/judge/client.ts';
import { reachProvider } from '#src/sandbox-process.ts';
import { env } from '#src/server/start/env.ts';
import { counted } from '#src/shared/counted.ts';
import { email as emailField } from '#src/shared/fields.ts';
import { formatCents } from '#src/shared/money.ts';
import { operator, UsageError, withDatabase } from './with-database.ts';

const USAGE = `Usage: npm run admin -- grant <email>    gives an account administrator access
       npm run admin -- revoke <email>   takes it away
       npm run admin -- list             shows administrators and open requests
       npm run admin -- reset-second-factor <email>
                                         takes the second factors of somebody who has lost them away
       npm run admin -- forget-jobs      clears the list of jobs that were given up
       npm run admin -- reconcile        settles open payments and checks that orders, provider and ledger agree
       npm run doctor                    says how each part of the site is, since when, and what to do`;

const SITE_MS = 1_500;

const ON_ACCOUNT = ['grant', 'revoke', 'reset-second-factor'] as const;
type OnAccount = (typeof ON_ACCOUNT)[number];

const ALONE = ['list', 'reconcile', 'forget-jobs', 'doctor'] as const;

type Asked = { command: OnAccount; email: string } | { command: (typeof ALONE)[number] };

function readArguments(args: string[]): Asked {
  const [command, address, ...rest] = args;
  const alone = ALONE.find((one) => one === command);
  if (alone && address === undefined) return { command: alone };
  const onAccount = ON_ACCOUNT.find((one) => one === command);
  if (!onAccount || !address || rest.length > 0) throw new UsageError(USAGE);
  const parsed = emailField().safeParse(address);
  if (!parsed.success) throw new UsageError(`"${address}" is not an email address.`);
  return { command: onAccount, email: parsed.data };
}

async function changeAccount(command: OnAccount, email: string): Promise<string> {
  const userId = await findUserIdByEmail(email);
  if (userId === null) {
    const mend = command === 'grant' ? ' Register it on the site first.' : '';
    throw new UsageError(`There is no account with the email ${email}.${mend}`);
  }
  if (command === 'reset-second-factor') {
    await resetSecondFactor(operator(), userId);
    return `${email} has no second factor any more, is signed out everywhere and has been told by mail.`;
  }
  const role = command === 'grant' ? 'admin' : 'student';
  const before = (await administrators()).some((admin) => admin.id === userId) ? 'admin' : 'student';
  await setRole(operator(), userId, role);
  if (before === role)
    return `${email} ${role === 'admin' ? 'is an administrator already' : 'is no administrator'}.`;
  return role === 'admin' ? `${email} is now an administrator.` : `${email} is no longer an administrator.`;
}

async function overview(): Promise<string> {
  const admins = await administrators();
  const requests = await openAdminRequests();
  const verified = (isVerified: boolean) => (isVerified ? '' : ', address not verified');
  return [
    admins.length > 0 ? 'Administrators:' : 'There is no administrator yet.',
    ...admins.map((admin) => `  ${admin.email} (${admin.username}${verified(admin.emailVerified)})`),
    requests.length > 0 ? 'Open requests:' : 'No open requests.',
    ...requests.map(
      (one) =>
        `  ${one.email} (${one.username}, since ${one.createdAt.slice(0, 10)}${verified(one.emailVerified)})`,
    ),
  ].join('\n');
}

/** Ends with code 1 where orders, ledger and provider disagree, for a scheduler. */
async function reconcile(): Promise<string> {
  const leave = await reachProvider();
  try {
    const settled = await reconcileOrders();
    const check = await checkReconciliation({ graceSeconds: 0 });
    if (!check.agrees || settled.failed > 0) process.exitCode = 1;
    return reconciliationText(settled, check);
  } finally {
    await leave();
  }
}

function reconciliationText(settled: Reconciliation, check: ReconciliationCheck): string {
  const { received, refunded, disputed } = check.totals;
  const row = (name: string, { ordersCents, ledgerCents, providerCents }: ReconciledTotal) => {
    const cells = [ordersCents, ledgerCents, providerCents].map((cents) =>
      (cents === null ? 'unknown' : formatCents(cents)).padStart(16),
    );
    return `  ${name.padEnd(10)}${cells.join('')}`;
  };
  const section = (title: string, none: string, lines: string[]) =>
    lines.length === 0 ? [none] : [title, ...lines.map((line) => `  ${line}`)];
  const { checked, completed, expired, flagged, failed, resent, moneyBack } = settled;
  return [
    `Looked at ${checked} open payments: ${completed} completed, ${expired} expired, ${flagged} newly flagged, ${resent} refunds sent again, ${moneyBack} refunds and disputes taken in, ${failed} failed.`,
    '',
    `Books of ${check.orderCount} completed orders${' '.repeat(4)}(${check.checkedAt})`,
    `  ${' '.repeat(10)}${['orders', 'ledger', 'provider'].map((name) => name.padStart(16)).join('')}`,
    row('received', received),
    row('refunded', refunded),
    row('disputed', disputed),
    ...(check.providerProblem ? [`The provider could not be asked: ${check.providerProblem}`] : []),
    '',
    ...section(
      'Disagreements:',
      'Nothing disagrees.',
      check.disagreements.map(
        ({ kind, orderId, paymentIntentId, message }) =>
          `${kind}: ${orderId === null ? '' : `order ${orderId}, `}${paymentIntentId ?? ''} ${message}`,
      ),
    ),
    ...section(
      'Paid but not enrolled:',
      'Nobody paid without being enrolled.',
      check.paidNotEnrolled.map(
        ({ orderId, buyerEmail, courseId, title, reason }) =>
          `order ${orderId}, ${buyerEmail || 'no address'}, course ${courseId} "${title}" (${reason})`,
      ),
    ),
    ...section(
      'Flagged orders:',
      'No order is flagged.',
      check.flagged.map(
        ({ orderId, status, totalCents, flags, paymentIntentId }) =>
          `order ${orderId} (${status}, ${formatCents(totalCents)}${paymentIntentId ? `, ${paymentIntentId}` : ''}): ${flags.join('; ')}`,
      ),
    ),
    '',
    check.agrees ? 'The books agree to the cent.' : 'The books DISAGREE.',
  ].join('\n');
}

async function servingPart(): Promise<Part> {
  const { port, siteUrl } = env();
  const facts = [{ label: 'Address', value: siteUrl }];
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(SITE_MS) });
    await answer.body?.cancel();
    if (answer.ok) return { state: 'ok', summary: 'Answers, and is ready.', facts };
    return { state: 'failing', summary: 'Answers, and is not ready.', facts };
  } catch {
    const summary = `Does not answer at port ${port} of this machine.`;
    return { state: 'failing', summary, todo: 'Start it, and read what it says.', facts };
  }
}

/** Ends with code 1 where a part fails, for a scheduler. */
async function doctor(): Promise<string> {
  startJudge({ urls: env().judgeUrls });
  try {
    // A judge of one's own says how it is once it has judged.
    await judge({ language: 'javascript', code: '1', tests: [] }).catch(() => {});
    const { state, parts } = await siteHealth(servingPart);
    if (state === 'failing') process.exitCode = 1;
    return healthTable(parts);
  } finally {
    await stopJudge();
  }
}

async function carryOut(asked: Asked): Promise<string> {
  if ('email' in asked) return changeAccount(asked.command, asked.email);
  switch (asked.command) {
    case 'list':
      return overview();
    case 'reconcile':
      return reconcile();
    case 'doctor':
      return doctor();
    case 'forget-jobs':
      return `Cleared ${counted(await forgetGivenUp(), 'job')} that had been given up.`;
  }
}

await withDatabase(async () => carryOut(readArguments(process.argv.slice(2))), {
  reads: () => readArguments(process.argv.slice(2)),
  // A database that is older or newer than the program is something to be told of.
  needs: process.argv[2] === 'doctor' ? 'present' : 'prepared',
});

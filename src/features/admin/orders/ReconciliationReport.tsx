import { useCallback, useEffect, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Skeleton } from '#src/components/Skeleton.tsx';
import { STATUS_TONES } from '#src/features/store/orders/order-story.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { formatCents } from '#src/shared/money.ts';
import { shownMoment } from '#src/shared/dates.ts';
import { FixOrder } from './OrderActions.tsx';
import { orderLabel } from './orders.ts';
import { type ReconciledDays, disagreementLabel, LISTED_MAX } from './reconciliation.ts';
import { type ReconciliationReport as Report, reconciliationReportCall } from './schema.ts';

const NOT_COMPARED = 'The books could not be compared. Please try again.';

/** May take as long as the provider's answers (decision 18). */
export function ReconciliationReport({ days }: { days: ReconciledDays }) {
  const [report, setReport] = useState<Report | null>(null);
  const [problem, setProblem] = useState('');

  const compare = useCallback(
    async (signal?: AbortSignal) => {
      setReport(null);
      setProblem('');
      try {
        const query = { days };
        setReport(await call(reconciliationReportCall, { query, ...(signal ? { signal } : {}) }));
      } catch (error) {
        if (!signal?.aborted) setProblem(messageOf(error, NOT_COMPARED));
      }
    },
    [days],
  );
  useEffect(() => {
    const left = new AbortController();
    void compare(left.signal);
    return () => left.abort();
  }, [compare]);

  return (
    <div aria-busy={!report && !problem}>
      <p role="status" className="mt-6 text-sm text-ink-soft tabular-nums empty:hidden">
        {report
          ? `Checked ${shownMoment(report.checkedAt)} · ${counted(report.orderCount, 'completed order')}`
          : !problem && 'Comparing orders, ledger and payment provider…'}
      </p>
      {problem && (
        <ErrorState title="The books were not compared" onRetry={() => void compare()}>
          {problem}
        </ErrorState>
      )}
      {!report && !problem && (
        <>
          <Skeleton className="mt-3 block h-16 w-full" />
          <Skeleton className="mt-6 block h-64 w-full" />
        </>
      )}
      {report && <Compared report={report} onAgain={() => void compare()} />}
    </div>
  );
}

function Compared({ report, onAgain }: { report: Report; onAgain: () => void }) {
  return (
    <>
      <Outcome report={report} />
      <Sums totals={report.totals} />
      <PaidWithoutAccess orders={report.paidNotEnrolled} />
      <Disagreements found={report.disagreements} />
      <Flagged orders={report.flagged} />
      {!report.agrees && (
        <div className="mt-8">
          <Button variant="secondary" onClick={onAgain}>
            Check again
          </Button>
        </div>
      )}
    </>
  );
}

function Outcome({ report }: { report: Report }) {
  const { counts, agrees, providerProblem } = report;
  const isCut = Object.values(counts).some((count) => count > LISTED_MAX);
  const differing = [
    counts.disagreements > 0 && counted(counts.disagreements, 'disagreement'),
    counts.paidNotEnrolled > 0 && `${counted(counts.paidNotEnrolled, 'order')} paid without access`,
  ].filter(Boolean);
  return (
    <div className="mt-3 space-y-3">
      {providerProblem !== null && (
        <Alert tone="warning" title="The payment provider could not be asked">
          {providerProblem} Orders and ledger were compared with each other alone.
        </Alert>
      )}
      {agrees && (
        <Alert tone="success" title="The books agree">
          Every completed order, its ledger entries and its payment at the provider say the same, and
          everybody who paid has access.
        </Alert>
      )}
      {differing.length > 0 && (
        <Alert tone="danger" title="The books do not agree">
          {differing.join(', ')}. They are listed below
          {isCut && `, up to ${LISTED_MAX} of a kind; npm run admin -- reconcile lists all`}.
        </Alert>
      )}
    </div>
  );
}

type Total = Report['totals']['received'];
const differs = ({ ordersCents, ledgerCents, providerCents }: Total) =>
  ordersCents !== ledgerCents || (providerCents !== null && providerCents !== ledgerCents);
const shown = (cents: number | null) => (cents === null ? 'Not read' : formatCents(cents));

function Sums({ totals }: { totals: Report['totals'] }) {
  const rows = [
    { label: 'Received', note: 'From buyers', total: totals.received },
    { label: 'Paid back', note: 'Refunds that reached the buyers', total: totals.refunded },
    { label: 'Withheld', note: 'Disputes that are open or lost', total: totals.disputed },
  ];
  return (
    <div className="mt-6 max-md:overflow-hidden max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface max-md:pt-3">
      <p className="mb-2 px-5 text-sm text-ink-soft md:hidden" aria-hidden="true">
        Scroll sideways to see every column.
      </p>
      <section
        aria-label="Sums"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, and arrow keys must reach it
        tabIndex={0}
        className="wide-table overflow-x-auto md:rounded-lg md:border md:border-line"
      >
        <table className="w-full min-w-[36rem] text-left">
          <thead className="text-sm text-ink-soft">
            <tr>
              <th scope="col" className="px-5 py-3 font-semibold sm:pl-6">
                Money
              </th>
              {['Orders', 'Ledger', 'Provider'].map((name) => (
                <th key={name} scope="col" className="px-3 py-3 text-right font-semibold">
                  {name}
                </th>
              ))}
              <th scope="col" className="px-5 py-3 text-right font-semibold sm:pr-6">
                Result
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {rows.map(({ label, note, total }) => (
              <tr key={label} className="tabular-nums">
                <th scope="row" className="px-5 py-3.5 font-semibold sm:pl-6">
                  {label}
                  <span className="block text-sm font-normal text-ink-soft">{note}</span>
                </th>
                <td className="px-3 py-3.5 text-right">{shown(total.ordersCents)}</td>
                <td className="px-3 py-3.5 text-right">{shown(total.ledgerCents)}</td>
                <td className="px-3 py-3.5 text-right">{shown(total.providerCents)}</td>
                <td className="px-5 py-3.5 text-right sm:pr-6">
                  <Badge tone={differs(total) ? 'danger' : 'success'}>
                    {differs(total) ? 'Differs' : 'Agrees'}
                  </Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

const LIST = 'mt-4 divide-y divide-line card';
const EMPTY = 'mt-4 card px-5 py-6 text-ink-soft sm:px-6';

function OrderLink({ id }: { id: number }) {
  return (
    <a href={`/admin/orders/${id}`} className="text-link font-semibold">
      Order #{id}
    </a>
  );
}

function PaidWithoutAccess({ orders }: { orders: Report['paidNotEnrolled'] }) {
  return (
    <section aria-labelledby="paid-not-enrolled" className="mt-10">
      <h2 id="paid-not-enrolled" className="text-heading">
        Paid without access
      </h2>
      <p className="mt-1 max-w-prose text-ink-soft">
        The money is there and the buyer cannot open the course. Fix asks the provider, completes the order,
        and gives the access that is missing.
      </p>
      {orders.length === 0 ? (
        <p className={EMPTY}>Nobody. Everybody who paid has what they paid for.</p>
      ) : (
        <ul aria-label="Orders paid without access" className={LIST}>
          {orders.map(({ orderId, buyerEmail, titles, reason }) => (
            <li
              key={orderId}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-6"
            >
              <div className="min-w-0 flex-1 basis-64">
                <p>
                  <OrderLink id={orderId} />
                </p>
                <p className="break-words">{titles.join(', ')}</p>
                <p className="text-sm break-words text-ink-soft">
                  {buyerEmail || 'No email address'}&nbsp;·{' '}
                  {reason === 'not_completed'
                    ? 'paid at the provider, not completed here'
                    : 'completed, but not enrolled'}
                </p>
              </div>
              <FixOrder orderId={orderId} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Disagreements({ found }: { found: Report['disagreements'] }) {
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="disagreements" className="mt-10">
      <h2 id="disagreements" className="text-heading">
        Disagreements
      </h2>
      <ul className={LIST}>
        {found.map(({ kind, orderId, paymentIntentId, message }) => (
          <li key={`${kind} ${orderId} ${paymentIntentId} ${message}`} className="px-5 py-4 sm:px-6">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Badge tone="danger">{disagreementLabel(kind)}</Badge>
              {orderId !== null && <OrderLink id={orderId} />}
            </p>
            <p className="mt-1.5 break-words">{message}</p>
            {paymentIntentId && <p className="text-sm break-all text-ink-soft">{paymentIntentId}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Flagged({ orders }: { orders: Report['flagged'] }) {
  return (
    <section aria-labelledby="flagged" className="mt-10">
      <h2 id="flagged" className="text-heading">
        Marked for attention
      </h2>
      {orders.length === 0 ? (
        <p className={EMPTY}>No order is marked.</p>
      ) : (
        <ul aria-label="Orders marked for attention" className={LIST}>
          {orders.map(({ orderId, status, flags, buyerEmail, totalCents }) => (
            <li
              key={orderId}
              className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-5 py-4 sm:px-6"
            >
              <div className="min-w-0 flex-1 basis-64">
                <p className="flex flex-wrap items-center gap-3">
                  <OrderLink id={orderId} />
                  <Badge tone={STATUS_TONES[status]}>{orderLabel(status)}</Badge>
                </p>
                <ul className="mt-1">
                  {flags.map((flag) => (
                    <li key={flag} className="break-words">
                      {flag}
                    </li>
                  ))}
                </ul>
                <p className="text-sm break-words text-ink-soft">{buyerEmail || 'No email address'}</p>
              </div>
              <p className="font-semibold tabular-nums">{formatCents(totalCents)}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

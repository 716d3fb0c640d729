import { Check, Search, TriangleAlert } from 'lucide-react';
import type { Finding } from './findings.ts';

export function spokenFinding({ text, isExpected }: Finding): string {
  if (isExpected === null) return text;
  return `${text}${/[.!?…]$/.test(text) ? '' : isExpected ? ', as expected.' : ', which is not what you expect.'}`;
}

/** Without aria-live: the whole list is read aloud once. */
export function FindingLine({ finding, isAsking }: { finding: Finding | undefined; isAsking: boolean }) {
  if (!finding && !isAsking) return null;
  const Sign = !finding || finding.isExpected === null ? Search : finding.isExpected ? Check : TriangleAlert;
  const tone =
    finding?.isExpected === false ? 'text-warning' : finding?.isExpected ? 'text-success' : 'text-ink-soft';
  return (
    <p className={`flex items-start gap-2 text-sm sm:col-span-2 ${tone}`} data-finding>
      <Sign aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        <span className="font-semibold">In the reference:</span>{' '}
        {finding ? spokenFinding(finding) : 'Looking …'}
      </span>
    </p>
  );
}

import { isPublishable } from '#src/features/scenario/check.ts';
import { checkInThread } from '#src/features/scenario/check.server.ts';
import { AppError } from '#src/shared/errors.ts';
import type { ScenarioCheck } from './schema.ts';

const FINDINGS_MAX = 100;

/** Checks a draft. @throws {AppError} unavailable where too many checks wait */
export async function checkDraft(definition: unknown, signal: AbortSignal): Promise<ScenarioCheck> {
  const report = await checkInThread(definition, { signal }).catch((error: unknown) => {
    throw signal.aborted ? new AppError('bad_request', 'The check was given up.') : error;
  });
  // Errors first: warnings must not crowd them out.
  const findings = report.findings.toSorted(
    (a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'),
  );
  return {
    ...report,
    publishable: isPublishable(report),
    findings: findings.slice(0, FINDINGS_MAX),
    moreFindings: Math.max(0, findings.length - FINDINGS_MAX),
  };
}

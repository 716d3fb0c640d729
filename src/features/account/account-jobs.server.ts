import { lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import { emailChanges, emailVerificationTokens, passwordResetTokens } from '#db/schema/account.ts';
import { organisationInvitations } from '#db/schema/organisations.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { issueResetLink } from './password/password-reset.server.ts';
import { sweepChallenges } from './second-factor/challenges.server.ts';
import { sweepSessions } from './session.server.ts';
import { sweepFailures } from './sign-in/sign-in-guard.server.ts';

/** Days after a token's end, for complaints. */
const TOKEN_KEEP_DAYS = 7;

export const sweepAccounts: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'account.sweep',
  data: z.unknown().optional(),
  retries: 2,
  retryDelaySeconds: 60,
  leaseSeconds: 120,
  cron: '*/10 * * * *',
  run: async () => {
    await sweepSessions();
    await sweepFailures();
    await sweepChallenges();
    const ended = sql`now() - make_interval(days => ${TOKEN_KEEP_DAYS})`;
    await db().delete(passwordResetTokens).where(lt(passwordResetTokens.expiresAt, ended));
    await db().delete(emailVerificationTokens).where(lt(emailVerificationTokens.expiresAt, ended));
    await db().delete(organisationInvitations).where(lt(organisationInvitations.expiresAt, ended));
    await db().delete(emailChanges).where(lt(emailChanges.expiresAt, ended));
  },
};

// biome-ignore lint/suspicious/noExplicitAny: jobs of any data live in one list
export const ACCOUNT_JOBS: readonly JobDefinition<any>[] = [issueResetLink, sweepAccounts];

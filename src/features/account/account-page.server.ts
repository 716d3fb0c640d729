import { shownDate, shownMoment } from '#src/shared/dates.ts';
import { accountFacts } from './own-account.server.ts';
import { hasOpenAdminRequest } from './roles.server.ts';
import { factorKinds, factorsOf } from './second-factor/factors.server.ts';
import { listSignIns } from './session.server.ts';

export async function readAccountPage(userId: number, signInId: string | null) {
  const [facts, signIns, asksForAdmin, factors, methods] = await Promise.all([
    accountFacts(userId),
    listSignIns(userId),
    hasOpenAdminRequest(userId),
    factorsOf(userId),
    factorKinds(userId),
  ]);
  return {
    facts,
    asksForAdmin,
    methods,
    factors: {
      passkeys: factors.passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        facts: `Added ${shownDate(createdAt)}${lastUsedAt ? `, last used ${shownDate(lastUsedAt)}` : ''}`,
      })),
      appSince: factors.appSince && shownDate(factors.appSince),
      recoveryCodesLeft: factors.recoveryCodesLeft,
    },
    signIns: signIns.map(({ id, signedInAt, userAgent }) => ({
      id,
      userAgent,
      signedIn: shownMoment(signedInAt),
      isThis: id === signInId,
    })),
  };
}

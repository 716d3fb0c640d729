import { shownDate, shownMoment } from '#src/shared/dates.ts';
import { accountFacts } from './own-account.server.ts';
import { factorsOf, kindsOf } from './second-factor/factors.server.ts';
import { listSignIns } from './session.server.ts';

export async function readAccountPage(userId: number, signInId: string | null) {
  const [{ asksForAdmin, ...facts }, signIns, factors] = await Promise.all([
    accountFacts(userId),
    listSignIns(userId),
    factorsOf(userId),
  ]);
  return {
    facts,
    asksForAdmin,
    methods: kindsOf(factors),
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

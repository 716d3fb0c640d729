import { asc, eq, inArray } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { scenarioActions, scenarioProgress, scenarios } from '#db/schema/scenario.ts';
import type { Person, PersonalDataPart } from '#src/server/personal-data.ts';

async function rows(tx: Executor, { id: userId }: Person) {
  const runs = await tx
    .select({
      id: scenarioProgress.id,
      scenario: scenarios.title,
      time: scenarioProgress.time,
      startedAt: scenarioProgress.startedAt,
      completedAt: scenarioProgress.completedAt,
      score: scenarioProgress.score,
      passed: scenarioProgress.passed,
      feedback: scenarioProgress.feedback,
    })
    .from(scenarioProgress)
    .innerJoin(scenarios, eq(scenarios.id, scenarioProgress.scenarioId))
    .where(eq(scenarioProgress.userId, userId))
    .orderBy(asc(scenarioProgress.id));
  const actions = runs.length
    ? await tx
        .select({
          progressId: scenarioActions.progressId,
          action: scenarioActions.action,
          at: scenarioActions.at,
        })
        .from(scenarioActions)
        .where(
          inArray(
            scenarioActions.progressId,
            runs.map(({ id }) => id),
          ),
        )
        .orderBy(asc(scenarioActions.progressId), asc(scenarioActions.position))
    : [];
  const [choice] = await tx
    .select({ scenarioTime: users.scenarioTime })
    .from(users)
    .where(eq(users.id, userId));
  return {
    ...choice,
    scenarioRuns: runs.map(({ id, ...run }) => ({
      ...run,
      actions: actions
        .filter(({ progressId }) => progressId === id)
        .map(({ action, at }) => ({ action, at })),
    })),
  };
}

export const scenarioData: PersonalDataPart = { rows };

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { db } from '#db/client.ts';
import { AppError } from '#src/shared/errors.ts';
import { feedbackOf } from '../actions.server.ts';
import { isActed, type Outcome } from '../engine.ts';
import { PREVIEW_ACTIONS_MAX } from '../limits.ts';
import { engineOf, readable, situationOf } from '../scenario.server.ts';
import type { playPreviewCall } from '../schema.ts';
import { RUN_ENDED } from '../texts.ts';

/**
 * Plays a preview from its beginning and stores nothing.
 * @throws {AppError} not_found; conflict for actions after its end
 */
export async function playPreview(
  id: number,
  actions: readonly string[],
): Promise<z.input<typeof playPreviewCall.output>> {
  // As anyone, whoever plays it: a learner's runs are played where they count.
  const engine = engineOf((await readable(db(), null, id)).scenario);
  let run = engine.begin();
  let last: Outcome | null = null;
  for (const [index, action] of actions.entries()) {
    if (index > 0 && engine.isCompleted(run)) throw new AppError('conflict', RUN_ENDED);
    // Others have the processor in between.
    await nextTurn();
    last = engine.act(run, action);
    run = last.run;
  }
  const completed = last !== null && (engine.isCompleted(run) || actions.length === PREVIEW_ACTIONS_MAX);
  return {
    step: {
      position: actions.length,
      action: actions.at(-1) ?? '',
      understoodAs: last && isActed(last) ? last.title : null,
      feedback: last ? feedbackOf(last) : '',
      ...situationOf(engine, run),
    },
    kind: last?.kind ?? null,
    completed,
    asked: completed ? [] : engine.askedTitles(run),
  };
}

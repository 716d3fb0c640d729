import { createHash } from 'node:crypto';
import { getTableColumns } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { db } from '#db/client.ts';
import { scenarioProgress, type scenarios } from '#db/schema/scenario.ts';
import { log } from '#src/server/log.ts';
import { checkInThread } from './check.server.ts';
import { Engine } from './engine.ts';
import { scenarioDefinition } from './scenario.ts';
import { wordNet } from './words/wordnet.server.ts';
import { setSolution } from '#src/features/lessons/lesson-store.server.ts';

/** Making an engine reads the whole dictionary; runs share theirs. */
const engines = new LRUCache<string, Engine>({ max: 50 });
export const enginesOfRuns = new LRUCache<number, Engine>({ max: 2000 });

export function engineFor(definition: unknown): Engine {
  const key = createHash('sha256').update(JSON.stringify(definition)).digest('base64');
  let engine = engines.get(key);
  if (!engine) {
    engine = new Engine(scenarioDefinition.parse(definition), wordNet);
    engines.set(key, engine);
  }
  return engine;
}

const searches = new Map<string, Promise<BestWay | null>>();
type BestWay = { actions: string[]; minutes: number };

/** The best known way through a scenario. */
export async function bestWay(scenario: ScenarioRow): Promise<BestWay | null> {
  const { id, version, solution } = scenario;
  if (solution?.version === version) return { actions: solution.actions, minutes: solution.minutes };
  const key = `${id}:${version}`;
  const running = searches.get(key);
  if (running) return running;
  const search = searched(scenario.definition)
    .then(async (found) => {
      if (!found) return null;
      await setSolution(db(), id, { version, ...found });
      return found;
    })
    .catch((error: unknown) => {
      log.error({ err: error, scenarioId: id }, 'the best way through a scenario was not found');
      return null;
    })
    .finally(() => searches.delete(key));
  searches.set(key, search);
  return search;
}

async function searched(definition: unknown): Promise<BestWay | null> {
  const { solution, minutes } = await checkInThread(definition);
  return solution && minutes !== null ? { actions: solution, minutes } : null;
}

export type ScenarioRow = typeof scenarios.$inferSelect;
export const { definition: _definition, ...runColumns } = getTableColumns(scenarioProgress);
export type RunRow = Omit<typeof scenarioProgress.$inferSelect, 'definition'>;

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { env } from '#src/server/start/env.ts';

let said: boolean | undefined;

/**
 * Whether the firm sells to consumers in the Union, who may withdraw from a purchase: only then does the site offer it
 * (decision 99). `src/content/site.yaml` says so; a variable says otherwise for a trial.
 */
export function sellsToEuConsumers(): boolean {
  const tried = env().sellsToEuConsumers;
  if (tried !== null) return tried;
  if (said === undefined) {
    const facts: unknown = parse(readFileSync(new URL('../content/site.yaml', import.meta.url), 'utf8'));
    said = (facts as { sellsToConsumersInEu?: unknown } | null)?.sellsToConsumersInEu === true;
  }
  return said;
}

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type SiteFacts, siteFactsSchema } from './site-facts.ts';

let facts: Promise<SiteFacts> | undefined;

/** From `src/content/site.yaml`, read once; for services without Astro's content. */
export function siteFacts(): Promise<SiteFacts> {
  facts ??= readFile(new URL('../../content/site.yaml', import.meta.url), 'utf8').then((text) =>
    siteFactsSchema.parse(parse(text)),
  );
  return facts;
}

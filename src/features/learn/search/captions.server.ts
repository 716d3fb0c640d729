import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '#db/client.ts';
import type { Cue } from '#db/schema/catalogue.ts';
import { fileStore, findFile } from '#src/server/files/files.ts';
import type { JobDefinition } from '#src/server/jobs.ts';
import { log } from '#src/server/log.ts';
import { readCues } from './passages.server.ts';

/** Lessons of one job, and bytes read of a file. */
const BATCH = 100;
const FILE_MAX_BYTES = 2_000_000;

/** None where the file is unreadable or on another site. */
async function cuesOf(address: string): Promise<Cue[]> {
  const file = await findFile(address);
  if (!file || file.size === 0) return [];
  const end = Math.min(file.size, FILE_MAX_BYTES) - 1;
  return readCues(await text(await fileStore().read(file.sha256, { start: 0, end })));
}

/**
 * Of lessons with a new file.
 * @returns the number of lessons
 */
export async function readCaptions(): Promise<number> {
  for (let count = 0; ; ) {
    const found = await db().execute<{ id: number; captions_url: string }>(sql`
      select id, captions_url from lessons
      where captions_url is not null
        and not exists (select from lesson_texts where lesson_id = lessons.id and kind = 'captions')
      order by id limit ${BATCH}`);
    for (const { id, captions_url: address } of found) {
      const cues = await cuesOf(address).catch((err: unknown) => {
        log.warn({ err, lesson: id }, 'captions could not be read for the search');
        return [];
      });
      const words = cues.map((cue) => cue.text).join(' ');
      // Unless the lesson has gone or changed meanwhile.
      await db().execute(sql`
        insert into lesson_texts (lesson_id, kind, words, captions_url, cues)
        select id, 'captions', lesson_words(course_id, '', ${words}), captions_url, ${JSON.stringify(cues)}::jsonb
        from lessons where id = ${id} and captions_url = ${address}
        for share
        on conflict do nothing`);
    }
    count += found.length;
    if (found.length < BATCH) return count;
  }
}

export const captionsJob: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'learn.captions',
  data: z.unknown().optional(),
  retries: 2,
  retryDelaySeconds: 60,
  leaseSeconds: 300,
  cron: '*/5 * * * *',
  atStart: true,
  run: async () => {
    await readCaptions();
  },
};

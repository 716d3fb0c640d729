import { sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { courseDays } from '#db/schema/catalogue.ts';
import { log } from '#src/server/log.ts';

/** One statement for all visitors. */
const FLUSH_AFTER_MS = 30_000;
/** Ids come from the caller; more are not counted. */
const MOST_KEYS = 10_000;

type Counts = { views: number; carts: number };
let collected = new Map<string, Counts>();
let timer: NodeJS.Timeout | undefined;

/** Per UTC day, in memory until the flush: no person, no address, no waiting. */
export function countCourse(courseId: number, what: keyof Counts, now = new Date()): void {
  const key = `${courseId}:${now.toISOString().slice(0, 10)}`;
  let counts = collected.get(key);
  if (!counts) {
    if (collected.size >= MOST_KEYS) return;
    counts = { views: 0, carts: 0 };
    collected.set(key, counts);
  }
  counts[what] += 1;
  timer ??= setTimeout(() => void flushCourseCounts(), FLUSH_AFTER_MS).unref();
}

/** Every half minute and at the end of the process. Missing courses are dropped; failures wait for the next flush. */
export async function flushCourseCounts(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (collected.size === 0) return;
  const writing = collected;
  collected = new Map();
  const rows = [...writing].map(([key, counts]) => {
    const [id, day] = key.split(':');
    return { id: Number(id), day, ...counts };
  });
  try {
    await db().execute(sql`
      insert into ${courseDays} (course_id, day, views, carts)
      select c.id, r.day::date, r.views, r.carts
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, day text, views int, carts int)
      join courses c on c.id = r.id
      order by c.id, r.day
      on conflict (course_id, day) do update
        set views = course_days.views + excluded.views, carts = course_days.carts + excluded.carts`);
  } catch (error) {
    log.warn({ err: error }, 'the counts of course views could not be written yet');
    for (const [key, { views, carts }] of writing) {
      const since = collected.get(key) ?? { views: 0, carts: 0 };
      collected.set(key, { views: since.views + views, carts: since.carts + carts });
    }
    timer ??= setTimeout(() => void flushCourseCounts(), FLUSH_AFTER_MS).unref();
  }
}

import { sqlClient } from '#db/client.ts';
import { log } from '#src/server/log.ts';
import { searchForm } from './search-words.ts';

/** Per day; bounds the disk. */
export const MISSED_PER_DAY_MAX = 500;
const LETTERS_MAX = 60;
const WORDS_MAX = 8;

/** Null where the text may be personal (addresses, rows of digits) or too long. */
export function keptText(search: string): string | null {
  const form = searchForm(search);
  const isPersonal =
    /@|https?:|www\.|\d[\d\s().+-]{4,}\d|\d{5}/i.test(search) || /\b(my name|i am called)\b/i.test(search);
  const isLong = form.length > LETTERS_MAX || form.split(' ').length > WORDS_MAX;
  return form === '' || isPersonal || isLong ? null : form;
}

/** Day and text only. Never fails, never awaited. @param closest number of closest courses shown */
export function noteMissedSearch(search: string, closest: number): void {
  const typed = keptText(search);
  if (typed === null) return;
  void sqlClient()`
    insert into missed_searches as known (day, typed, closest)
    select (now() at time zone 'UTC')::date, ${typed}::text, ${closest}::int
    where exists (select from missed_searches where day = (now() at time zone 'UTC')::date and typed = ${typed}::text)
      or (select count(*) from missed_searches where day = (now() at time zone 'UTC')::date) < ${MISSED_PER_DAY_MAX}::int
    on conflict (day, typed) do update set searches = known.searches + 1, closest = excluded.closest`.catch(
    (error: unknown) => log.warn({ err: error }, 'a search that found nothing was not counted'),
  );
}

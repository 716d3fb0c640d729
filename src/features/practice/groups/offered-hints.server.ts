import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { jsonArray, jsonFields } from '#db/json.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import { renderMarkdown } from '#src/server/markdown.ts';
import type { OfferedHint } from './schema.ts';

export function groupHintHtml(hint: string): string {
  return renderMarkdown(hint, { topHeading: 4 });
}

type Offered = { id: number; hint: string; isShown: boolean };

/** SQL for rows of `lessons`, the first offered first. */
export const hintsOffered = (userId: number | SQLWrapper) =>
  jsonArray(sql`
  select ${jsonFields({
    id: mistakeGroups.id,
    hint: mistakeGroups.hint,
    isShown: sql`${groupHintOffers.shownAt} is not null`,
  })}
  from ${groupHintOffers} inner join ${mistakeGroups} on ${mistakeGroups.id} = ${groupHintOffers.groupId}
  where ${groupHintOffers.userId} = ${userId}
    and ${mistakeGroups.lessonId} = ${lessons.id} and ${mistakeGroups.hint} is not null
  order by ${groupHintOffers.offeredAt}, ${mistakeGroups.id}`) as SQL<Offered[]>;

export const offeredHints = (rows: readonly Offered[]): OfferedHint[] =>
  rows.map(({ id, hint, isShown }) => ({ id, html: isShown ? groupHintHtml(hint) : null }));

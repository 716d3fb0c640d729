import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { groupHintOffers, mistakeGroups } from '#db/schema/practice.ts';
import { renderMarkdown } from '#src/server/markdown.ts';
import type { OfferedHint } from './schema.ts';

export function groupHintHtml(hint: string): string {
  return renderMarkdown(hint, { topHeading: 4 });
}

/** The first offered first. */
export async function offeredHints(userId: number, lessonId: number): Promise<OfferedHint[]> {
  const rows = await db()
    .select({ id: mistakeGroups.id, hint: mistakeGroups.hint, shownAt: groupHintOffers.shownAt })
    .from(groupHintOffers)
    .innerJoin(mistakeGroups, eq(mistakeGroups.id, groupHintOffers.groupId))
    .where(
      and(
        eq(groupHintOffers.userId, userId),
        eq(mistakeGroups.lessonId, lessonId),
        isNotNull(mistakeGroups.hint),
      ),
    )
    .orderBy(asc(groupHintOffers.offeredAt), asc(mistakeGroups.id));
  return rows.map(({ id, hint, shownAt }) => ({ id, html: shownAt === null ? null : groupHintHtml(hint!) }));
}

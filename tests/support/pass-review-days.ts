import { eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { reviewItems } from '#db/schema/review.ts';
import { findUserIdByEmail } from '#src/features/account/roles.server.ts';
import { withDatabase } from '../../scripts/with-database.ts';

// Makes the reviews of an account as many days older, in the database of a running site.
const [email = '', days = '0'] = process.argv.slice(2);
await withDatabase(async () => {
  const id = await findUserIdByEmail(email);
  if (id === null) throw new Error(`There is no account with the email ${email}.`);
  const moved = await db()
    .update(reviewItems)
    .set({
      due: sql`${reviewItems.due} - make_interval(days => ${Number(days)})`,
      lastReview: sql`${reviewItems.lastReview} - make_interval(days => ${Number(days)})`,
    })
    .where(eq(reviewItems.userId, id))
    .returning({ lessonId: reviewItems.lessonId });
  return `moved ${moved.length} reviews`;
});

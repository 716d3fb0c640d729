import { eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { lessonProgress } from '#db/schema/learn.ts';
import { findUserIdByEmail } from '#src/features/account/roles.server.ts';
import { withDatabase } from '../../scripts/with-database.ts';

// Has an account watched four fifths of each video that it began, in the database of a running site.
const [email = ''] = process.argv.slice(2);
await withDatabase(async () => {
  const id = await findUserIdByEmail(email);
  if (id === null) throw new Error(`There is no account with the email ${email}.`);
  const watched = await db()
    .update(lessonProgress)
    .set({
      watchedIntervals: sql`jsonb_build_array(jsonb_build_array(0, floor((
        select ${lessons.durationSeconds} from ${lessons} where ${lessons.id} = ${lessonProgress.lessonId}) * 0.8)))`,
    })
    .where(sql`${eq(lessonProgress.userId, id)} and ${lessonProgress.watchedIntervals} <> '[]'`)
    .returning({ id: lessonProgress.lessonId });
  return `watched most of ${watched.length} videos`;
});

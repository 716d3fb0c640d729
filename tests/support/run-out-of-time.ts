import { and, eq, sql } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { scenarioProgress } from '#db/schema/scenario.ts';
import { findUserIdByEmail } from '#src/features/account/roles.server.ts';
import { withDatabase } from '../../scripts/with-database.ts';

// Moves an account's open scenario runs back in time, in the database of a running site, until few seconds are left.
const [email = '', seconds = '0'] = process.argv.slice(2);
await withDatabase(async () => {
  const id = await findUserIdByEmail(email);
  if (id === null) throw new Error(`There is no account with the email ${email}.`);
  const left = sql`${scenarioProgress.deadline} - now() - make_interval(secs => ${Number(seconds)})`;
  const moved = await db()
    .update(scenarioProgress)
    .set({
      startedAt: sql`${scenarioProgress.startedAt} - (${left})`,
      deadline: sql`${scenarioProgress.deadline} - (${left})`,
    })
    .where(and(eq(scenarioProgress.userId, id), eq(scenarioProgress.completed, false)))
    .returning({ id: scenarioProgress.id });
  return `moved ${moved.length} runs`;
});

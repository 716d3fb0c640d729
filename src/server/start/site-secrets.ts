import { eq } from 'drizzle-orm';
import { db } from '#db/client.ts';
import { siteSecrets } from '#db/schema/machinery.ts';

const known = new Map<string, { from: unknown; value: Promise<string> }>();

/** Made at first use and shared through the database; never logged. */
export function siteSecret(name: string, make: () => string): Promise<string> {
  const database = db();
  const held = known.get(name);
  if (held?.from === database) return held.value;
  const value = readOrMake(name, make);
  known.set(name, { from: database, value });
  value.catch(() => known.delete(name));
  return value;
}

async function readOrMake(name: string, make: () => string): Promise<string> {
  const read = () =>
    db().select({ value: siteSecrets.value }).from(siteSecrets).where(eq(siteSecrets.name, name));
  const [row] = await read();
  if (row) return row.value;
  await db().insert(siteSecrets).values({ name, value: make() }).onConflictDoNothing();
  return (await read())[0]!.value;
}

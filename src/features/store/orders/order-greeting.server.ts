import { and, eq, isNotNull } from 'drizzle-orm';
import type { Executor } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { greeting } from '#src/shared/names.ts';
import type { Order } from './orders.server.ts';

/** A guest can type any name and address: only the verified account of the address is greeted by name. */
export async function orderGreeting(
  executor: Executor,
  { userId, buyerEmail, buyerFirstName }: Pick<Order, 'userId' | 'buyerEmail' | 'buyerFirstName'>,
): Promise<string> {
  if (userId === null || !buyerEmail || !buyerFirstName) return greeting(null, false);
  const [proven] = await executor
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, buyerEmail), isNotNull(users.emailVerifiedAt)));
  return greeting(buyerFirstName, proven !== undefined);
}

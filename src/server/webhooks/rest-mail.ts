import { and, eq } from 'drizzle-orm';
import type { Tx } from '#db/client.ts';
import { users } from '#db/schema/account.ts';
import { organisationMembers, organisations } from '#db/schema/organisations.ts';
import type { webhookEndpoints } from '#db/schema/webhooks.ts';
import { queueMail } from '#src/server/mail/mail.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { env } from '#src/server/start/env.ts';

/** Mails the organisation's owners, once for each pause. */
export async function mailWebhookRests(
  tx: Tx,
  endpoint: Pick<typeof webhookEndpoints.$inferSelect, 'organisationId' | 'url'>,
  reason: string,
): Promise<void> {
  const owners = await tx
    .select({ email: users.email, organisation: organisations.name })
    .from(organisationMembers)
    .innerJoin(users, eq(users.id, organisationMembers.userId))
    .innerJoin(organisations, eq(organisations.id, organisationMembers.organisationId))
    .where(
      and(
        eq(organisationMembers.organisationId, endpoint.organisationId),
        eq(organisationMembers.role, 'owner'),
      ),
    );
  const title = 'A webhook is paused';
  for (const { email, organisation } of owners) {
    await queueMail(tx, {
      template: 'webhook-rests',
      to: email,
      subject: `${title} | ${siteName()}`,
      content: {
        title,
        paragraphs: [
          'Hello,',
          `We have stopped sending events of “${organisation}” to ${endpoint.url}. ${reason}`,
          'What happens meanwhile is not sent later. Once your system answers again, switch the webhook on on its page; what failed can be sent again from its log.',
        ],
        action: {
          label: 'See the webhooks',
          url: `${env().siteUrl}/organisations/${endpoint.organisationId}/webhooks`,
        },
      },
    });
  }
}

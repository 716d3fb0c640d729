import type { APIRoute } from 'astro';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourseForSale, makeEnrollment, makeUser } from '../../support/factories.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import { organisationInvitations, organisationMembers, organisations } from '#db/schema/organisations.ts';
import { orderItems, orders, seats } from '#db/schema/store.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#db/schema/webhooks.ts';
import { callRoute, signIn } from '../../support/api.ts';
import { ENDPOINTS } from '../../support/routes.ts';
import { validBodies } from '../../support/valid-bodies.ts';

// Found by its file, so that a new address of organisations cannot be forgotten.
const files = import.meta.glob<Record<string, unknown>>(
  '../../../src/pages/**/organisations/[[]id[]]/**/*.ts',
  {
    eager: true,
  },
);
const itself = import.meta.glob<Record<string, unknown>>('../../../src/pages/api/organisations/[[]id[]].ts', {
  eager: true,
});
const ROUTES = Object.entries({ ...files, ...itself }).flatMap(([file, module]) => {
  const path = file.replace('../../../src/pages', '').replace(/\.ts$/, '');
  return ['GET', 'POST', 'PUT', 'DELETE']
    .filter((method) => method in module)
    .map((method) => ({ name: `${method} ${path}`, method, path, route: module[method] as APIRoute }));
});

const FOR_OWNERS = new Set([
  'PUT /api/organisations/[id]',
  'POST /api/organisations/[id]/members',
  'DELETE /api/organisations/[id]/members/[user]',
  'DELETE /api/organisations/[id]/invitations/[invitation]',
  'POST /api/organisations/[id]/webhooks',
  'PUT /api/organisations/[id]/webhooks/[webhook]',
  'DELETE /api/organisations/[id]/webhooks/[webhook]',
  'POST /api/organisations/[id]/webhooks/[webhook]/test',
  'POST /api/organisations/[id]/deliveries/[delivery]/again',
]);

async function somebody() {
  const user = await makeUser({ emailVerifiedAt: new Date() });
  return { user, session: await signIn(user) };
}
type Someone = Awaited<ReturnType<typeof somebody>>;

/** An organisation with everything that its addresses name: people, orders, a seat that is taken, a webhook. */
async function makeOrganisation() {
  const [owner, manager, former, member, leaving] = [
    await somebody(),
    await somebody(),
    await somebody(),
    await somebody(),
    await somebody(),
  ];
  const [row] = await db().insert(organisations).values({ name: 'Example Ltd' }).returning();
  const id = row!.id;
  await db()
    .insert(organisationMembers)
    .values([
      { organisationId: id, userId: owner.user.id, role: 'owner' },
      { organisationId: id, userId: manager.user.id, role: 'manager' },
      { organisationId: id, userId: leaving.user.id, role: 'manager' },
      { organisationId: id, userId: former.user.id, role: 'owner' },
    ]);
  await db().delete(organisationMembers).where(eq(organisationMembers.userId, former.user.id));
  const [invitation] = await db()
    .insert(organisationInvitations)
    .values({
      organisationId: id,
      email: `invited-${id}@example.com`,
      role: 'manager',
      token: `token-${id}`,
      invitedBy: owner.user.id,
      expiresAt: new Date(Date.now() + 86_400_000),
    })
    .returning();
  const course = await makeCourseForSale({ priceCents: 5000 });
  const ordered = async (status: 'completed' | 'pending') => {
    const [order] = await db()
      .insert(orders)
      .values({
        organisationId: id,
        userId: owner.user.id,
        buyerEmail: owner.user.email,
        fingerprint: `${status} ${id}`,
        totalCents: 10_000,
        status,
        payment: 'bank',
        invoiceNumber: status === 'completed' ? `INV-2020-${String(id).padStart(6, '0')}` : null,
        completedAt: status === 'completed' ? new Date() : null,
      })
      .returning();
    const [item] = await db()
      .insert(orderItems)
      .values({
        orderId: order!.id,
        courseId: course.id,
        title: 'Seats',
        priceCents: 10_000,
        listPriceCents: 10_000,
        seats: 2,
      })
      .returning();
    return { order: order!, item: item! };
  };
  const { item } = await ordered('completed');
  const { order } = await ordered('pending');
  const [taken, open] = await db()
    .insert(seats)
    .values([
      {
        orderItemId: item.id,
        organisationId: id,
        courseId: course.id,
        email: member.user.email,
        userId: member.user.id,
        givenAt: new Date(),
        takenAt: new Date(),
      },
      {
        orderItemId: item.id,
        organisationId: id,
        courseId: course.id,
        email: `open-${id}@example.com`,
        givenAt: new Date(),
      },
      { orderItemId: item.id, organisationId: id, courseId: course.id },
    ])
    .returning();
  await makeEnrollment(member.user.id, course.id, { orderItemId: item.id });
  const [webhook] = await db()
    .insert(webhookEndpoints)
    .values({ organisationId: id, url: 'https://example.com/hook', secret: 'x'.repeat(40), kinds: ['seat'] })
    .returning();
  const [event] = await db()
    .insert(webhookEvents)
    .values({ organisationId: id, kind: 'seat', data: {}, spread: true })
    .returning();
  const [delivery] = await db()
    .insert(webhookDeliveries)
    .values({ eventId: event!.id, endpointId: webhook!.id, status: 'failed' })
    .returning();
  const params = (name: string) => ({
    id: String(id),
    user: String(leaving.user.id),
    invitation: String(invitation!.id),
    order: String(order.id),
    seat: String(name.endsWith('remind') ? open!.id : taken!.id),
    webhook: String(webhook!.id),
    delivery: String(delivery!.id),
  });
  return { id, owner, manager, former, member, course, params };
}
type Organisation = Awaited<ReturnType<typeof makeOrganisation>>;

function ask(one: Organisation, who: Someone | null, { name, method, path, route }: (typeof ROUTES)[number]) {
  const body = validBodies({ courseId: one.course.id, lessonId: 1 })[name];
  const isPage = !path.startsWith('/api/');
  return callRoute(route, {
    method,
    ...(isPage ? (who ? { withCookie: who.session } : {}) : { as: who?.session ?? null }),
    params: one.params(name),
    path: `${path.replace('[id]', String(one.id))}?of=course-${one.course.id}&seats=2`,
    ...(method === 'GET' || method === 'DELETE' || body == null ? {} : { body }),
  });
}

let own: Organisation;
let other: Organisation;
beforeAll(async () => {
  own = await makeOrganisation();
  other = await makeOrganisation();
});

it('knows every address of organisations', () => {
  const known = Object.keys(ENDPOINTS).filter((name) => name.includes('/organisations/[id]'));
  expect(ROUTES.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});

describe.each(ROUTES.map((one) => [one.name, one] as const))('%s', (name, route) => {
  const isPage = !route.path.startsWith('/api/');

  it('is not found for everybody who does not run the organisation', async () => {
    await db().delete(rateLimits);
    for (const who of [own.former, own.member, other.owner, other.manager]) {
      const answer = await ask(own, who, route);
      expect(answer.status, answer.text.slice(0, 300)).toBe(404);
      expect(answer.text).not.toContain('Example Ltd');
    }
    // A page leads to the sign-in, but for a file, which is not there.
    expect(isPage ? [302, 404] : [401]).toContain((await ask(own, null, route)).status);
  });

  it('is for its owners, and for its managers where that is theirs too', async () => {
    await db().delete(rateLimits);
    const fresh = await makeOrganisation();
    const refused = await ask(fresh, fresh.manager, route);
    if (FOR_OWNERS.has(name)) expect(refused.status, refused.text.slice(0, 300)).toBe(403);
    else expect([401, 403, 404, 500], refused.text.slice(0, 300)).not.toContain(refused.status);
    const again = FOR_OWNERS.has(name) ? fresh : await makeOrganisation();
    const answer = await ask(again, again.owner, route);
    expect([401, 403, 404, 500], answer.text.slice(0, 300)).not.toContain(answer.status);
  });
});

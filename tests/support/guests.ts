import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourseForSale } from './factories.ts';
import { enrollments } from '#db/schema/learn.ts';
import { POST as claimRoute } from '#src/pages/api/claim-purchase.ts';
import { POST as accountRoute } from '#src/pages/api/create-account-after-purchase.ts';
import { POST as directRoute } from '#src/pages/api/create-direct-payment.ts';
import { POST as buyerRoute } from '#src/pages/api/save-direct-buyer.ts';
import { mailedToken } from './account.ts';
import { type Answer, type CallOptions, callRoute, SITE } from './api.ts';
import { type Payments, pay } from './payments.ts';

let visitors = 0;

/** A browser without a sign-in: its cookies, its address, and what its person types. */
export function makeGuest(values: { email?: string; firstName?: string; lastName?: string } = {}) {
  visitors += 1;
  return {
    cookies: new Map<string, string>(),
    ip: `198.51.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}`,
    buyer: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: `guest-${visitors}-${randomUUID().slice(0, 8)}@example.com`,
      ...values,
    },
  };
}
export type Guest = ReturnType<typeof makeGuest>;

async function ask(guest: Guest, route: Parameters<typeof callRoute>[0], options: CallOptions) {
  const { ip, cookies } = guest;
  const answer = await callRoute(route, { ip, cookies, headers: { origin: SITE }, ...options });
  for (const [name, value] of answer.cookies) guest.cookies.set(name, value);
  return answer;
}

/** `POST /api/create-direct-payment` as the page calls it when the course loads. */
export const startDirect = (
  guest: Guest,
  courseId: unknown,
  amount: unknown,
  options: CallOptions & { buyer?: unknown } = {},
): Promise<Answer> => {
  const { buyer, ...call } = options;
  return ask(guest, directRoute, { body: { courseId, amount, ...(buyer ? { buyer } : {}) }, ...call });
};

/** `POST /api/save-direct-buyer` as the page calls it when Pay is pressed. */
export const saveBuyer = (
  guest: Guest,
  paymentIntentId: string,
  more: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Answer> =>
  ask(guest, buyerRoute, { body: { ...guest.buyer, paymentIntentId, ...more }, ...options });

/** `POST /api/create-account-after-purchase` as the spec has it. */
export const createAccount = (
  guest: Guest,
  more: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Answer> =>
  ask(guest, accountRoute, { body: { ...guest.buyer, password: 'analytical', ...more }, ...options });

/** `POST /api/claim-purchase`. */
export const claim = (guest: Guest, body: Record<string, unknown>, options: CallOptions = {}) =>
  ask(guest, claimRoute, { body, ...options });

/** Takes everything under a guest's address with the link of its receipt, which proves the mailbox. */
export const claimByMail = async (guest: Guest, password = 'analytical'): Promise<Answer> => {
  const email = guest.buyer.email.trim().toLowerCase();
  return claim(guest, { token: await mailedToken(email, 'receipt'), password });
};

export type GuestPurchase = { orderId: number; intentId: string; clientSecret: string; courseId: number };

/** Opens the checkout of a course and fills the form in, without paying. */
export async function openDirect(
  guest: Guest,
  course: { id: number; priceCents: number },
): Promise<GuestPurchase> {
  const answer = await startDirect(guest, course.id, course.priceCents / 100);
  expect(answer.status, answer.text).toBe(200);
  const clientSecret: string = answer.body.clientSecret;
  const intentId = clientSecret.split('_secret_')[0]!;
  const saved = await saveBuyer(guest, intentId);
  expect(saved.status, saved.text).toBe(200);
  return { orderId: answer.body.orderId, intentId, clientSecret, courseId: course.id };
}

/** A guest buys a course; the provider's events do the rest. */
export async function buyAsGuest(
  payments: Payments,
  guest: Guest,
  course?: { id: number; priceCents: number },
): Promise<GuestPurchase> {
  const purchase = await openDirect(guest, course ?? (await makeCourseForSale()));
  expect(await pay(payments, purchase.intentId)).toBe('succeeded');
  await payments.sandbox.control.settled();
  return purchase;
}

export const enrollmentOf = async (userId: number, courseId: number) =>
  (
    await db()
      .select()
      .from(enrollments)
      .where(and(eq(enrollments.userId, userId), eq(enrollments.courseId, courseId)))
  )[0] ?? null;

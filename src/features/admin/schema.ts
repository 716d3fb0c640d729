import { z } from 'zod';
import { ORDER_STATUSES } from '#src/features/store/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath } from '#src/shared/fields.ts';

/** `GET /api/analytics/courses`: every course, hidden ones too, by id. */
export const courseAnalyticsCall = contract({
  method: 'GET',
  path: '/api/analytics/courses',
  output: z.array(
    z.object({
      courseId: z.number(),
      title: z.string(),
      totalPurchases: z.number(),
      /** Decimal string of US dollars. */
      totalRevenue: z.string(),
    }),
  ),
});

const purchaseModel = z.object({
  orderId: z.number(),
  invoiceNumber: z.string().nullable(),
  purchasedAt: z.string(),
  buyer: z.object({ name: z.string(), email: z.string() }),
  courses: z.array(z.object({ courseId: z.number(), title: z.string(), price: z.string() })),
  /** Decimal strings of US dollars. */
  total: z.string(),
  refunded: z.string(),
  status: z.enum(ORDER_STATUSES),
});
export type Purchase = z.output<typeof purchaseModel>;

/** `GET /api/analytics/recent-purchases`: newest first. */
export const recentPurchasesCall = contract({
  method: 'GET',
  path: '/api/analytics/recent-purchases',
  output: z.array(purchaseModel),
});

const courseParams = z.object({ id: idInPath('Course id') });

/** `PUT /api/courses/{id}/toggle`: flips the visibility, and says how it stands now. */
export const toggleCourseCall = contract({
  method: 'PUT',
  path: '/api/courses/{id}/toggle',
  params: courseParams,
  output: z.object({ id: z.number(), isActive: z.boolean() }),
});

/** `DELETE /api/courses/{id}`: what became of the course (decision 30). */
export const deleteCourseCall = contract({
  method: 'DELETE',
  path: '/api/courses/{id}',
  params: courseParams,
  output: z.object({ outcome: z.enum(['removed', 'hidden']) }),
});

/** States of a message of the contact form (decision 5). */
export const MESSAGE_STATUSES = ['new', 'read', 'replied', 'spam'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** `PUT /api/admin/messages/{id}` */
export const setMessageStatusCall = contract({
  method: 'PUT',
  path: '/api/admin/messages/{id}',
  params: z.object({ id: idInPath('Message') }),
  input: z.object({ status: z.enum(MESSAGE_STATUSES, { error: 'Choose new, read, replied or spam' }) }),
  output: z.object({ id: z.number(), status: z.enum(MESSAGE_STATUSES) }),
});

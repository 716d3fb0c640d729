import { z } from 'zod';
import { ORDER_STATUSES } from '#src/features/store/orders/schema.ts';
import { contract } from '#src/shared/contract.ts';
import { idInPath, line } from '#src/shared/fields.ts';

const told = z.object({ message: z.string() });

/** With hidden ones, by id. */
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

/** Newest first. */
export const recentPurchasesCall = contract({
  method: 'GET',
  path: '/api/analytics/recent-purchases',
  output: z.array(purchaseModel),
});

/** Characters. */
export const SYNONYM_MAX = 60;

const hasLetters = (value: string) => /[\p{L}\p{N}]/u.test(value);

/** A searched text then means a taught one. */
export const addSynonymCall = contract({
  method: 'POST',
  path: '/api/admin/search-synonyms',
  input: z.object({
    typed: line('What people type', { max: SYNONYM_MAX }).refine(
      hasLetters,
      'What people type needs a letter or a digit',
    ),
    means: line('What it means', { max: SYNONYM_MAX }).refine(
      hasLetters,
      'What it means needs a letter or a digit',
    ),
  }),
  output: told,
});

export const removeSynonymCall = contract({
  method: 'DELETE',
  path: '/api/admin/search-synonyms/{id}',
  params: z.object({ id: idInPath('Synonym') }),
  output: told,
});

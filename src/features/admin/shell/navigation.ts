import type { WaitingCounts } from './admin.ts';

export interface AdminPage {
  href: string;
  label: string;
  /** The letter that leads there after a `g`. */
  key: string;
  /** What waits there. */
  waits?: readonly (keyof WaitingCounts)[];
}

/** The pages of the administration in their groups, as its bar has them; the first group has no name. */
export const ADMIN_GROUPS = [
  { label: '', pages: [{ href: '/admin', label: 'Overview', key: 'd' }] },
  {
    label: 'Courses',
    pages: [
      { href: '/admin/courses', label: 'Courses', key: 'c' },
      { href: '/admin/bundles', label: 'Bundles', key: 'b' },
      { href: '/admin/grading', label: 'Grading', key: 'g', waits: ['ungraded'] },
      { href: '/admin/questions', label: 'Questions', key: 'q', waits: ['unanswered'] },
      { href: '/admin/reviews', label: 'Reviews', key: 'r' },
    ],
  },
  {
    label: 'People',
    pages: [
      { href: '/admin/users', label: 'Users', key: 'u', waits: ['adminRequests'] },
      { href: '/admin/organisations', label: 'Organisations', key: 'i' },
      { href: '/admin/messages', label: 'Messages', key: 'm', waits: ['newMessages'] },
    ],
  },
  {
    label: 'Sales',
    pages: [
      {
        href: '/admin/orders',
        label: 'Orders',
        key: 'o',
        waits: ['ordersToRelease', 'ordersToSendBack', 'flaggedOrders'],
      },
      { href: '/admin/coupons', label: 'Coupons', key: 'p' },
      { href: '/admin/reconciliation', label: 'Reconciliation', key: 'k' },
    ],
  },
  {
    label: 'Insight',
    pages: [
      { href: '/admin/analytics', label: 'Analytics', key: 'a' },
      { href: '/admin/searches', label: 'Searches', key: 's' },
    ],
  },
  {
    label: 'Operations',
    pages: [
      { href: '/admin/mail', label: 'Mail', key: 'e', waits: ['failedMails'] },
      { href: '/admin/audit', label: 'Audit log', key: 'l' },
      { href: '/admin/health', label: 'Health', key: 'h' },
    ],
  },
] as const satisfies readonly { label: string; pages: readonly AdminPage[] }[];

export type AdminPath = (typeof ADMIN_GROUPS)[number]['pages'][number]['href'];

/** What a course's staff has of it, in one row. */
export const STAFF_PAGES = [
  { href: '/teaching', label: 'Teaching' },
  { href: '/admin/grading', label: 'Grading' },
  { href: '/admin/questions', label: 'Questions' },
] as const;

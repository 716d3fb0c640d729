import type { WaitingCounts } from './admin.ts';

export interface AdminPage {
  href: string;
  label: string;
  /** After a `g`. */
  key: string;
  waits?: readonly (keyof WaitingCounts)[];
}

/** The pages of an entry share a row of tabs. */
export const ADMIN_ENTRIES = [
  { label: 'Overview', pages: [{ href: '/admin', label: 'Overview', key: 'd' }] },
  {
    label: 'Enquiries',
    pages: [{ href: '/admin/messages', label: 'Enquiries', key: 'm', waits: ['newMessages'] }],
  },
  { label: 'Courses', pages: [{ href: '/admin/courses', label: 'Courses', key: 'c' }] },
  { label: 'Grading', pages: [{ href: '/admin/grading', label: 'Grading', key: 'g', waits: ['ungraded'] }] },
  {
    label: 'Questions and ratings',
    pages: [
      { href: '/admin/questions', label: 'Questions', key: 'q', waits: ['unanswered'] },
      { href: '/admin/reviews', label: 'Reviews', key: 'r' },
    ],
  },
  { label: 'People', pages: [{ href: '/admin/users', label: 'People', key: 'u', waits: ['adminRequests'] }] },
  { label: 'Organizations', pages: [{ href: '/admin/organisations', label: 'Organizations', key: 'i' }] },
  {
    label: 'Orders',
    pages: [
      {
        href: '/admin/orders',
        label: 'Orders',
        key: 'o',
        waits: ['ordersToRelease', 'ordersToSendBack', 'flaggedOrders'],
      },
    ],
  },
  {
    label: 'Offers',
    pages: [
      { href: '/admin/coupons', label: 'Coupons', key: 'p' },
      { href: '/admin/bundles', label: 'Bundles', key: 'b' },
    ],
  },
  {
    label: 'Analytics',
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
      { href: '/admin/reconciliation', label: 'Reconciliation', key: 'k' },
    ],
  },
] as const satisfies readonly { label: string; pages: readonly AdminPage[] }[];

export type AdminPath = (typeof ADMIN_ENTRIES)[number]['pages'][number]['href'];

export const STAFF_PAGES = [
  { href: '/teaching', label: 'Teaching' },
  { href: '/admin/grading', label: 'Grading' },
  { href: '/admin/questions', label: 'Questions' },
] as const;

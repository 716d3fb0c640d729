import type { OrderStatus } from '#src/features/store/orders/orders.ts';

/** The orders of the list of accounts. */
export const USER_SORTS = {
  newest: 'Newest',
  oldest: 'Oldest',
  name: 'Name',
  email: 'Email',
} as const;
export type UserSort = keyof typeof USER_SORTS;

/** The order that an address asks for; the newest first for none or an unknown one. */
export function parseUserSort(value: string | null): UserSort {
  return value !== null && Object.hasOwn(USER_SORTS, value) ? (value as UserSort) : 'newest';
}

/** A course that a person has, had, or was given. */
export interface PersonEnrollment {
  courseId: number;
  title: string;
  status: 'active' | 'suspended' | 'revoked';
  /** The order whose paid line gives the access; null where an administrator gave it. */
  orderId: number | null;
  enrolledAt: string;
  progress: number;
  completedAt: string | null;
  lastAccessedAt: string | null;
}

/** A purchase of a person. */
export interface PersonOrder {
  id: number;
  createdAt: string;
  status: OrderStatus;
  totalCents: number;
  refundedCents: number;
  titles: string[];
  /** Bought as guest under this address and in no account yet. */
  isUnclaimed: boolean;
  canResendClaimLink: boolean;
}

/** Everything that the page about one person shows. */
export interface PersonDetail {
  id: number;
  username: string;
  email: string;
  role: 'student' | 'admin';
  emailVerified: boolean;
  hasPassword: boolean;
  secondFactors: { passkeys: readonly unknown[]; appSince: string | null };
  learningMail: 'daily' | 'at_once' | 'off';
  joinedAt: string;
  /** When an administrator's access was asked for, where that is still open. */
  openRequestAt: string | null;
  signIns: { id: string; signedInAt: string; endsAt: string; userAgent: string | null }[];
  enrollments: PersonEnrollment[];
  orders: PersonOrder[];
  /** All of their purchases; `orders` names the newest. */
  orderCount: number;
  certificateCount: number;
}

/** What an access means, in words. */
export const ACCESS_LABELS = {
  active: { label: 'Has access', tone: 'success' },
  suspended: { label: 'Suspended', tone: 'warning' },
  revoked: { label: 'No access', tone: 'neutral' },
} as const;

import type { OrderStatus } from '#src/features/store/orders/orders.ts';

export const USER_SORTS = {
  newest: 'Newest',
  oldest: 'Oldest',
  name: 'Name',
  email: 'Email',
} as const;
export type UserSort = keyof typeof USER_SORTS;

/** Default newest first. */
export function parseUserSort(value: string | null): UserSort {
  return value !== null && Object.hasOwn(USER_SORTS, value) ? (value as UserSort) : 'newest';
}

export interface PersonEnrollment {
  courseId: number;
  title: string;
  status: 'active' | 'suspended' | 'revoked';
  /** Null for access given by hand. */
  orderId: number | null;
  enrolledAt: string;
  progress: number;
  completedAt: string | null;
  lastAccessedAt: string | null;
}

export interface PersonOrder {
  id: number;
  createdAt: string;
  status: OrderStatus;
  totalCents: number;
  refundedCents: number;
  titles: string[];
  /** A guest's order under this address. */
  isUnclaimed: boolean;
  canResendClaimLink: boolean;
}

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
  /** Null without an open request. */
  openRequestAt: string | null;
  signIns: { id: string; signedInAt: string; endsAt: string; userAgent: string | null }[];
  enrollments: PersonEnrollment[];
  orders: PersonOrder[];
  /** `orders` has the newest. */
  orderCount: number;
  certificateCount: number;
}

export const ACCESS_LABELS = {
  active: { label: 'Has access', tone: 'success' },
  suspended: { label: 'Suspended', tone: 'warning' },
  revoked: { label: 'No access', tone: 'neutral' },
} as const;

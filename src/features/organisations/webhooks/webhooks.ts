/** In the order of the form. */
export const WEBHOOK_KINDS = {
  enrolled: 'Somebody took a seat and has the course.',
  completed: 'Somebody completed the course of their seat.',
  certificate: 'Somebody got a certificate.',
  seat: 'A seat was offered, taken, made free, or ended.',
  order: 'An order of seats was paid.',
  refund: 'Money of an order was paid back.',
} as const;
export type WebhookKind = keyof typeof WEBHOOK_KINDS;
export const KIND_NAMES = Object.keys(WEBHOOK_KINDS) as [WebhookKind, ...WebhookKind[]];

export const DELIVERY_STATES = {
  queued: { label: 'Waiting', tone: 'warning' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
} as const;

/** Without its secret. */
export interface Webhook {
  id: number;
  url: string;
  kinds: string[];
  paused: boolean;
  restedAt: Date | null;
  restReason: string | null;
}

export interface Delivery {
  id: number;
  eventId: string;
  kind: string;
  url: string;
  status: keyof typeof DELIVERY_STATES;
  attempts: number;
  answerCode: number | null;
  answerText: string | null;
  lastError: string | null;
  tookMs: number | null;
  createdAt: Date;
  triedAt: Date | null;
  dueAt: Date;
}

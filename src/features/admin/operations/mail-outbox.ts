import type { Tone } from '#src/components/surface.ts';

export const MAIL_STATUSES = ['queued', 'gathered', 'sent', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** How each state of a mail reads and is colored. */
export const MAIL_STATES: Record<MailStatus, { label: string; tone: Tone }> = {
  failed: { label: 'Not sent', tone: 'danger' },
  queued: { label: 'Waiting', tone: 'info' },
  gathered: { label: 'In the next daily mail', tone: 'neutral' },
  sent: { label: 'Sent', tone: 'success' },
};

/** The state that the outbox is narrowed to; null for all. */
export function parseMailStatus(value: string | null): MailStatus | null {
  return MAIL_STATUSES.find((status) => status === value) ?? null;
}

/** A mail in the outbox. Its text stays on the server: it may hold a link that opens something. */
export interface ListedMail {
  id: number;
  template: string;
  recipient: string;
  subject: string;
  status: MailStatus;
  attempts: number;
  error: string | null;
  createdAt: string;
  sentAt: string | null;
  /** A mail whose link was taken out when it was given up cannot be sent again. */
  canRetry: boolean;
}

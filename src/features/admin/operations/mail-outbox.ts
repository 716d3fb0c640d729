import type { Tone } from '#src/components/surface.ts';

export const MAIL_STATUSES = ['queued', 'gathered', 'sent', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

export const MAIL_STATES: Record<MailStatus, { label: string; tone: Tone }> = {
  failed: { label: 'Not sent', tone: 'danger' },
  queued: { label: 'Waiting', tone: 'info' },
  gathered: { label: 'In the next daily mail', tone: 'neutral' },
  sent: { label: 'Sent', tone: 'success' },
};

/** Null for all. */
export function parseMailStatus(value: string | null): MailStatus | null {
  return MAIL_STATUSES.find((status) => status === value) ?? null;
}

/** Without its text, which may hold a secret link. */
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
  /** False once its link was removed. */
  canRetry: boolean;
}

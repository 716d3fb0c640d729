import type { Tone } from '#src/components/surface.ts';

export const MAIL_STATUSES = ['queued', 'gathered', 'sent', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

export const MAIL_STATES: Record<MailStatus, { label: string; tone: Tone }> = {
  failed: { label: 'Failed', tone: 'danger' },
  queued: { label: 'Waiting', tone: 'info' },
  gathered: { label: 'In the next daily mail', tone: 'neutral' },
  sent: { label: 'Sent', tone: 'success' },
};
export const MAIL_KEPT = { label: 'Kept, not sent', tone: 'neutral' } as const;

/** Null for all. */
export function parseMailStatus(value: string | null): MailStatus | null {
  return MAIL_STATUSES.find((status) => status === value) ?? null;
}

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
  /** Of a mail written to the data folder instead of SMTP, without secret links; null for other mails. */
  text: string | null;
  /** False once its link was removed. */
  canRetry: boolean;
}

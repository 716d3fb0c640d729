import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, lte, sql } from 'drizzle-orm';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { z } from 'zod';
import { db, type Executor } from '#db/client.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { env } from './env.ts';
import { type JobDefinition, sendJob } from './jobs.ts';
import { log } from './log.ts';

export type Mail = {
  /** Names the kind of mail in the outbox, e.g. `password-reset`. */
  template: string;
  to: string;
  replyTo?: string;
  subject: string;
  /** Paragraphs of plain text; links stand alone in a paragraph. */
  text: string;
  html?: string;
  /** Names the occasion, so that it is mailed once however often it is queued. */
  dedupeKey?: string;
};

type MailSender = { sendMail: (message: SendMailOptions) => Promise<unknown> };

/** Seconds for which one worker owns a mail that it is sending (fault F7). */
const LEASE_SECONDS = 60;

const oneLine = (value: string) => value.replace(/[\r\n]+/g, ' ').trim();

/**
 * Writes a mail to the outbox in the caller's transaction; it is sent soon after the commit, or later when the mail
 * server is down, and once (faults P41, P42).
 */
export async function queueMail(executor: Executor, mail: Mail): Promise<void> {
  const [row] = await executor
    .insert(mailOutbox)
    .values({
      dedupeKey: mail.dedupeKey ?? null,
      template: mail.template,
      recipient: oneLine(mail.to),
      replyTo: mail.replyTo ? oneLine(mail.replyTo) : null,
      subject: oneLine(mail.subject),
      text: mail.text,
      html: mail.html ?? null,
    })
    .onConflictDoNothing({ target: mailOutbox.dedupeKey })
    .returning({ id: mailOutbox.id });
  if (row) await sendJob(executor, deliverMail, { outboxId: row.id });
}

/** Sends one mail of the outbox. */
export const deliverMail: JobDefinition<z.ZodObject<{ outboxId: z.ZodNumber }>> = {
  name: 'mail.deliver',
  data: z.object({ outboxId: z.number().int() }),
  retries: 12,
  retryDelaySeconds: 10,
  leaseSeconds: LEASE_SECONDS,
  run: async ({ outboxId }, { isLast }) => {
    const [mail] = await db()
      .update(mailOutbox)
      .set({
        attempts: sql`${mailOutbox.attempts} + 1`,
        dueAt: sql`now() + make_interval(secs => ${LEASE_SECONDS - 5})`,
      })
      .where(
        and(eq(mailOutbox.id, outboxId), eq(mailOutbox.status, 'queued'), lte(mailOutbox.dueAt, sql`now()`)),
      )
      .returning();
    if (!mail) return;
    try {
      await transport().sendMail({
        // The same id at every try lets the recipient's server drop a repeat after an unclear answer.
        messageId: `<outbox-${mail.id}.${mail.createdAt.getTime()}@${new URL(env().siteUrl).hostname}>`,
        date: mail.createdAt,
        from: env().mailFrom,
        to: mail.recipient,
        ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
        subject: mail.subject,
        text: mail.text,
        ...(mail.html ? { html: mail.html } : {}),
      });
      await db()
        .update(mailOutbox)
        .set({ status: 'sent', sentAt: sql`now()`, lastError: null })
        .where(eq(mailOutbox.id, outboxId));
    } catch (error) {
      const refusedForGood = isPermanentRefusal(error);
      await db()
        .update(mailOutbox)
        .set({
          status: refusedForGood || isLast ? 'failed' : 'queued',
          lastError: String(error instanceof Error ? error.message : error).slice(0, 500),
          dueAt: sql`now()`,
        })
        .where(eq(mailOutbox.id, outboxId));
      log.warn(
        { outboxId, err: error },
        refusedForGood ? 'a mail was refused' : 'a mail could not be sent yet',
      );
      if (!refusedForGood) throw error;
    }
  },
};

/** A 5xx answer of the mail server: trying again would only repeat it (fault F11). */
function isPermanentRefusal(error: unknown): boolean {
  const code = (error as { responseCode?: unknown } | null)?.responseCode;
  return typeof code === 'number' && code >= 500 && code < 600;
}

let made: { key: string; sender: MailSender } | undefined;

function transport(): MailSender {
  const { smtpUrl, dataDir } = env();
  const key = smtpUrl ?? dataDir;
  if (made?.key !== key)
    made = { key, sender: smtpUrl ? mailServer(smtpUrl) : mailFolder(join(dataDir, 'mail')) };
  return made.sender;
}

function mailServer(url: string): MailSender {
  const limits = new URL(url);
  // A mail server that hangs must not hold a worker longer than its lease (fault F11).
  for (const [name, value] of [
    ['connectionTimeout', '10000'],
    ['greetingTimeout', '10000'],
    ['socketTimeout', '20000'],
  ] as const) {
    if (!limits.searchParams.has(name)) limits.searchParams.set(name, value);
  }
  const transporter = nodemailer.createTransport(limits.href);
  return { sendMail: (message) => transporter.sendMail(message) };
}

/** Without a mail server, mails become `.eml` files that any mail program opens (architecture 7). */
function mailFolder(folder: string): MailSender {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    sendMail: async (mail) => {
      const { message } = (await composer.sendMail(mail)) as unknown as { message: Buffer };
      const name = `${String(mail.messageId).replace(/[<>]/g, '').split('@')[0]}.eml`;
      await mkdir(folder, { recursive: true });
      // Written aside first, so that nobody reads half a mail.
      await writeFile(join(folder, `.${name}`), message);
      await rename(join(folder, `.${name}`), join(folder, name));
    },
  };
}

import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { z } from 'zod';
import { db, type Executor } from '#db/client.ts';
import { currentMoment } from '#db/schema/account.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { env } from '#src/server/start/env.ts';
import { escapeHtml } from '#src/shared/escape-html.ts';
import { type JobDefinition, sendJob } from '#src/server/jobs.ts';
import { type ChosenCategory, closedChoicesUrl, openChoicesUrl, readerOf } from './mail-choices.ts';
import { MAIL_KINDS, type MailKind, type MailKindRules } from './mail-kinds.ts';
import { type MailContent, mailLayout } from './mail-layout.ts';
import { log } from '#src/server/log.ts';

export type Mail = {
  /** E.g. `password-reset`. */
  template: MailKind;
  to: string;
  replyTo?: string;
  subject: string;
  /** One click in mail programs (RFC 8058); kinds with a choice get it here. */
  unsubscribeUrl?: string;
  /** See `drawPapersWith`. */
  papers?: readonly MailPaper[];
  /** One mail for each key. */
  dedupeKey?: string;
} & ({ text: string; html?: string } | { content: MailContent });

/** Drawn when sent, stored nowhere. */
export type MailPaper = { kind: 'invoice' | 'corrected-invoice' | 'credit-note'; id: number };

/** PDF; throws where there is none. */
type DrawPaper = (paper: MailPaper) => Promise<{ name: string; bytes: Uint8Array }>;
let drawPaper: DrawPaper | undefined;

/** The mail room does not know how papers are drawn. */
export function drawPapersWith(draw: DrawPaper): void {
  drawPaper = draw;
}

type MailSender = { sendMail: (message: SendMailOptions) => Promise<unknown> };

/** Seconds that a worker owns a mail (fault F7). */
const LEASE_SECONDS = 60;
/** With doubling pauses, over four hours. */
const MOST_ATTEMPTS = 13;
const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 3600;
/** Seconds after the due time. */
const OVERDUE_SECONDS = 120;

const withoutSecrets = (
  body: typeof mailOutbox.text | typeof mailOutbox.html | typeof mailOutbox.unsubscribeUrl,
) => sql`regexp_replace(${body}, '(token(=|%3D))[A-Za-z0-9_-]+', '\\1removed', 'gi')`;
/** Links are secrets: finished mails have none (fault A9). */
const WITHOUT_SECRETS = {
  text: withoutSecrets(mailOutbox.text),
  html: withoutSecrets(mailOutbox.html),
  unsubscribeUrl: withoutSecrets(mailOutbox.unsubscribeUrl),
};

const oneLine = (value: string) => value.replace(/[\r\n]+/g, ' ').trim();

/**
 * Writes to the outbox in the caller's transaction; sent once, after the commit (faults P41, P42). A choice may skip or gather
 * it, the daily limit drop or delay it (`mail-kinds.ts`).
 */
export async function queueMail(executor: Executor, mail: Mail): Promise<void> {
  const recipient = oneLine(mail.to);
  const { perDay, beyond }: MailKindRules = MAIL_KINDS[mail.template];
  const choice = await choiceOf(executor, mail.template, recipient);
  if (choice === 'off') return;
  const isOver = (await countOfToday(executor, mail.template, recipient)) >= perDay;
  if (isOver) log.warn({ template: mail.template, beyond }, 'an address got many mails of a kind');
  if (isOver && beyond === 'left out') return;
  const [row] = await executor
    .insert(mailOutbox)
    .values({
      dedupeKey: mail.dedupeKey ?? null,
      template: mail.template,
      recipient,
      replyTo: mail.replyTo ? oneLine(mail.replyTo) : null,
      subject: oneLine(mail.subject),
      ...bodyOf(mail, choice?.url),
      unsubscribeUrl: choice?.url ?? mail.unsubscribeUrl ?? null,
      ...(choice?.isGathered && 'content' in mail
        ? { status: 'gathered' as const, item: itemOf(mail, choice.userId) }
        : {}),
      papers: mail.papers?.length ? [...mail.papers] : null,
      ...(isOver ? { dueAt: sql`now() + interval '1 day'` } : {}),
    })
    .onConflictDoNothing({ target: mailOutbox.dedupeKey })
    .returning({ id: mailOutbox.id, dueAt: mailOutbox.dueAt });
  if (!row || choice?.isGathered) return;
  if (isOver) await sendJobFor(executor, row.id, row.dueAt);
  else await sendJob(executor, deliverMail, { outboxId: row.id });
}

/** Null without a choice. */
async function choiceOf(
  executor: Executor,
  template: MailKind,
  email: string,
): Promise<'off' | { userId: number; isGathered: boolean; url: string } | null> {
  const { category, choice }: MailKindRules = MAIL_KINDS[template];
  if (!choice) return null;
  const reader = await readerOf(executor, { email });
  const chosen = reader?.isProven ? reader[category as ChosenCategory] : 'off';
  if (!reader || chosen === 'off') return 'off';
  const url = closedChoicesUrl([category as ChosenCategory]);
  return { userId: reader.id, isGathered: choice === 'daily' && chosen === 'daily', url };
}

function bodyOf(mail: Mail, choicesUrl: string | undefined): { text: string; html: string | null } {
  if ('text' in mail) return { text: mail.text, html: mail.html ?? null };
  const { links = [] } = mail.content;
  const choices = choicesUrl ? [{ label: 'Choose your mails', url: choicesUrl }] : [];
  return mailLayout({ ...mail.content, links: [...links, ...choices] });
}

/** Characters. */
const ITEM_TEXT = 200;

function itemOf({ subject, content }: Mail & { content: MailContent }, userId: number) {
  const text = [
    ...content.paragraphs.filter((one) => !one.startsWith('Hello ')),
    ...(content.body?.text ?? []),
  ];
  const note = oneLine(text.join(' '));
  return {
    userId,
    label: oneLine(subject),
    url: content.action?.url ?? env().siteUrl,
    note: note.length > ITEM_TEXT ? `${note.slice(0, ITEM_TEXT - 1).toWellFormed()}…` : note,
  };
}

/** In 24 hours. Concurrent ones are not counted: locking could deadlock orders. */
function countOfToday(executor: Executor, template: MailKind, recipient: string): Promise<number> {
  return executor.$count(
    mailOutbox,
    and(
      eq(mailOutbox.recipient, recipient),
      eq(mailOutbox.template, template),
      gt(mailOutbox.createdAt, sql`now() - interval '1 day'`),
    ),
  );
}

/** Until the database knows the outcome. */
const underWay = new Map<number, Promise<void>>();
/** Retries of an unsaved outcome end then. */
let notedUntil = Number.POSITIVE_INFINITY;
const NOTE_AGAIN_MS = 500;

/** At shutdown: an accepted mail without a note would be sent again. */
export async function mailsAreNoted(timeoutMs: number): Promise<void> {
  notedUntil = Date.now() + timeoutMs;
  const late = sleep(timeoutMs, undefined, { ref: false });
  await Promise.race([Promise.allSettled(underWay.values()), late]);
  notedUntil = Number.POSITIVE_INFINITY;
}

/** Retries: the mail is out. */
async function noteSent(outboxId: number): Promise<void> {
  for (;;) {
    try {
      await db()
        .update(mailOutbox)
        .set({
          status: 'sent',
          // Without a mail server it never left this machine.
          sentAt: env().smtpUrl ? sql`now()` : null,
          lastError: null,
          ...WITHOUT_SECRETS,
        })
        .where(eq(mailOutbox.id, outboxId));
      return;
    } catch (error) {
      if (Date.now() > notedUntil) throw error;
      log.warn({ outboxId, err: error }, 'a mail was taken, and the database could not note it yet');
      await sleep(NOTE_AGAIN_MS);
    }
  }
}

/** A mail that waits gets a job for that time. */
export const deliverMail: JobDefinition<z.ZodObject<{ outboxId: z.ZodNumber }>> = {
  name: 'mail.deliver',
  data: z.object({ outboxId: z.number().int() }),
  retries: 12,
  retryDelaySeconds: 10,
  leaseSeconds: LEASE_SECONDS,
  parallel: 4,
  run: ({ outboxId }) => {
    const running = underWay.get(outboxId);
    if (running) return running;
    const own = handOver(outboxId).finally(() => underWay.delete(outboxId));
    underWay.set(outboxId, own);
    return own;
  },
};

async function handOver(outboxId: number): Promise<void> {
  const [mail] = await db()
    .update(mailOutbox)
    .set({
      attempts: sql`${mailOutbox.attempts} + 1`,
      dueAt: sql`now() + make_interval(secs => ${LEASE_SECONDS - 5})`,
    })
    .where(
      and(eq(mailOutbox.id, outboxId), eq(mailOutbox.status, 'queued'), lte(mailOutbox.dueAt, currentMoment)),
    )
    .returning();
  if (!mail) return comeBackWhenDue(outboxId);
  try {
    const { text, html, unsubscribeUrl } = await withOpenLink(mail);
    await transport().sendMail({
      // A stable id lets servers drop repeats after an unclear answer.
      messageId: `<outbox-${mail.id}.${mail.createdAt.getTime()}@${new URL(env().siteUrl).hostname}>`,
      date: mail.createdAt,
      from: env().mailFrom,
      to: mail.recipient,
      ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
      subject: mail.subject,
      text,
      ...(html ? { html } : {}),
      ...(unsubscribeUrl
        ? {
            headers: {
              'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            },
          }
        : {}),
      attachments: await attachmentsOf(mail),
    });
  } catch (error) {
    return keepFailure(mail, error);
  }
  await noteSent(outboxId);
}

/** The outbox never has this link. */
async function withOpenLink(mail: typeof mailOutbox.$inferSelect) {
  const closed = mail.unsubscribeUrl;
  const reader = closed ? await readerOf(db(), { email: mail.recipient }) : null;
  if (!closed || !reader) return { ...mail, unsubscribeUrl: null };
  const open = await openChoicesUrl(closed, reader.id);
  return {
    text: mail.text.replaceAll(closed, open),
    html: mail.html?.replaceAll(closed, escapeHtml(open)) ?? null,
    unsubscribeUrl: open,
  };
}

/** A paper that fails, fails the try. */
async function attachmentsOf({ papers }: typeof mailOutbox.$inferSelect) {
  const files: { filename: string; content: Buffer; contentType: string }[] = [];
  for (const paper of papers ?? []) {
    if (!drawPaper) throw new Error('Nobody draws the papers of mails here.');
    const { name, bytes } = await drawPaper(paper as MailPaper);
    files.push({ filename: `${name}.pdf`, content: Buffer.from(bytes), contentType: 'application/pdf' });
  }
  return files;
}

/** Or gives up; a try that lost its lease counts for nothing. */
async function keepFailure(mail: typeof mailOutbox.$inferSelect, error: unknown): Promise<void> {
  const refused = isPermanentRefusal(error);
  const givenUp = refused || mail.attempts >= MOST_ATTEMPTS;
  const pauseSeconds = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (mail.attempts - 1));
  await db().transaction(async (tx) => {
    const [kept] = await tx
      .update(mailOutbox)
      .set({
        status: givenUp ? 'failed' : 'queued',
        lastError: String(error instanceof Error ? error.message : error).slice(0, 500),
        dueAt: sql`now() + make_interval(secs => ${pauseSeconds})`,
        ...(givenUp ? WITHOUT_SECRETS : {}),
      })
      .where(
        and(
          eq(mailOutbox.id, mail.id),
          eq(mailOutbox.status, 'queued'),
          eq(mailOutbox.attempts, mail.attempts),
        ),
      )
      .returning({ dueAt: mailOutbox.dueAt });
    if (kept && !givenUp) await sendJobFor(tx, mail.id, kept.dueAt);
  });
  const about = { outboxId: mail.id, attempts: mail.attempts, err: error };
  if (!givenUp) log.warn(about, 'a mail could not be sent yet');
  else if (refused) log.warn(about, 'a mail was refused');
  else log.error(about, 'a mail was given up');
}

/** Looks again after the other try's lease. */
async function comeBackWhenDue(outboxId: number): Promise<void> {
  const [waiting] = await db()
    .select({ dueAt: mailOutbox.dueAt })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.id, outboxId), eq(mailOutbox.status, 'queued')));
  if (waiting) await sendJobFor(db(), outboxId, waiting.dueAt);
}

function sendJobFor(executor: Executor, outboxId: number, dueAt: Date): Promise<void> {
  // Without microseconds: a job before it would be too early.
  return sendJob(executor, deliverMail, { outboxId }, { startAfter: new Date(dueAt.getTime() + 1) });
}

/** Their job was lost, or given up during database failures. */
export const sweepMails: JobDefinition<z.ZodOptional<z.ZodUnknown>> = {
  name: 'mail.sweep',
  data: z.unknown().optional(),
  retries: 2,
  retryDelaySeconds: 30,
  leaseSeconds: 60,
  cron: '*/5 * * * *',
  atStart: true,
  run: () =>
    db().transaction(async (tx) => {
      const overdue = tx
        .select({ id: mailOutbox.id })
        .from(mailOutbox)
        .where(
          and(
            eq(mailOutbox.status, 'queued'),
            lte(mailOutbox.dueAt, sql`now() - make_interval(secs => ${OVERDUE_SECONDS})`),
          ),
        )
        .orderBy(mailOutbox.dueAt)
        .limit(500)
        .for('update', { skipLocked: true });
      // The next sweep leaves this job its time.
      const swept = await tx
        .update(mailOutbox)
        .set({ dueAt: sql`now()` })
        .where(inArray(mailOutbox.id, overdue))
        .returning({ id: mailOutbox.id });
      for (const { id } of swept) await sendJob(tx, deliverMail, { outboxId: id });
    }),
};

/** 5xx: a retry would repeat it (fault F11). */
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
  // A hanging server must not outlast the lease (fault F11).
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

/** Without a mail server: `.eml` files. */
function mailFolder(folder: string): MailSender {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    sendMail: async (mail) => {
      const { message } = (await composer.sendMail(mail)) as unknown as { message: Buffer };
      const name = `${String(mail.messageId).replace(/[<>]/g, '').split('@')[0]}.eml`;
      // Their links open accounts: no other user may read them.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      // Renamed when complete.
      await writeFile(join(folder, `.${name}`), message, { mode: 0o600 });
      await rename(join(folder, `.${name}`), join(folder, name));
    },
  };
}

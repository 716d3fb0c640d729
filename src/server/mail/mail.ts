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
  /** Names the kind of mail in the outbox, e.g. `password-reset`. */
  template: MailKind;
  to: string;
  replyTo?: string;
  subject: string;
  /** Where mail programs switch it off with one click (RFC 8058); of kinds with a choice it is added here. */
  unsubscribeUrl?: string;
  /** What is attached; see `drawPapersWith`. */
  papers?: readonly MailPaper[];
  /** Names the occasion, so that it is mailed once however often it is queued. */
  dedupeKey?: string;
} & ({ text: string; html?: string } | { content: MailContent });

/** A paper that a mail carries, by its kind and what it is of: it is drawn when the mail is sent, and stored nowhere. */
export type MailPaper = { kind: 'invoice' | 'corrected-invoice' | 'credit-note'; id: number };

/** Gives a paper as a PDF; throws where there is none. */
type DrawPaper = (paper: MailPaper) => Promise<{ name: string; bytes: Uint8Array }>;
let drawPaper: DrawPaper | undefined;

/** Tells the mail room who draws papers, as they are not its own to know. */
export function drawPapersWith(draw: DrawPaper): void {
  drawPaper = draw;
}

type MailSender = { sendMail: (message: SendMailOptions) => Promise<unknown> };

/** Seconds for which one worker owns a mail that it is sending (fault F7). */
const LEASE_SECONDS = 60;
/** Tries of one mail, with pauses that double: more than four hours in all. */
const MOST_ATTEMPTS = 13;
const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 3600;
/** Seconds after which a due mail that nobody sends counts as forgotten. */
const OVERDUE_SECONDS = 120;

const withoutSecrets = (
  body: typeof mailOutbox.text | typeof mailOutbox.html | typeof mailOutbox.unsubscribeUrl,
) => sql`regexp_replace(${body}, '(token(=|%3D))[A-Za-z0-9_-]+', '\\1removed', 'gi')`;
/** A link in the outbox opens something for as long as it works: a mail that is done with keeps none (fault A9). */
const WITHOUT_SECRETS = {
  text: withoutSecrets(mailOutbox.text),
  html: withoutSecrets(mailOutbox.html),
  unsubscribeUrl: withoutSecrets(mailOutbox.unsubscribeUrl),
};

const oneLine = (value: string) => value.replace(/[\r\n]+/g, ' ').trim();

/**
 * Writes a mail to the outbox in the caller's transaction; it is sent soon after the commit, or later when the mail
 * server is down, and once (faults P41, P42). Where its reader chose so it waits for the daily mail, or is not written.
 * Past what an address gets of a kind in a day, it is left out or comes a day later (`mail-kinds.ts`).
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

/** What the reader of an address chose for a kind of mail; null where there is nothing to choose. */
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

/** Characters of a mail's text in the daily mail. */
const ITEM_TEXT = 200;

/** A mail's line in the daily mail. */
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

/**
 * Mails of a kind that an address got in the last 24 hours. Two that are queued at once do not see each other, so that a
 * few more than the number may go: waiting for one another could make orders wait in a circle.
 */
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

/** Mails that this process hands over: each until the database knows what came of it. */
const underWay = new Map<number, Promise<void>>();
/** Until when an answer that the database does not take is offered again. */
let notedUntil = Number.POSITIVE_INFINITY;
const NOTE_AGAIN_MS = 500;

/**
 * Waits, at the end of the process, until the database knows what came of the mails that are being handed over: one that
 * was taken and not noted would be sent again after the next start.
 */
export async function mailsAreNoted(timeoutMs: number): Promise<void> {
  notedUntil = Date.now() + timeoutMs;
  const late = sleep(timeoutMs, undefined, { ref: false });
  await Promise.race([Promise.allSettled(underWay.values()), late]);
  notedUntil = Number.POSITIVE_INFINITY;
}

/** Notes that a mail was taken; a database that cannot be written is asked again, as the mail is gone. */
async function noteSent(outboxId: number): Promise<void> {
  for (;;) {
    try {
      await db()
        .update(mailOutbox)
        .set({ status: 'sent', sentAt: sql`now()`, lastError: null, ...WITHOUT_SECRETS })
        .where(eq(mailOutbox.id, outboxId));
      return;
    } catch (error) {
      if (Date.now() > notedUntil) throw error;
      log.warn({ outboxId, err: error }, 'a mail was taken, and the database could not note it yet');
      await sleep(NOTE_AGAIN_MS);
    }
  }
}

/** Sends one mail of the outbox, when it is due; a mail that has to wait gets a job of its own for that moment. */
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
      // The same id at every try lets the recipient's server drop a repeat after an unclear answer.
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

/** A mail with the link of its reader's choices, which the outbox never has. */
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

/** The files that a mail carries; one that cannot be made fails the try, as no mail goes without its papers. */
async function attachmentsOf({ papers }: typeof mailOutbox.$inferSelect) {
  const files: { filename: string; content: Buffer; contentType: string }[] = [];
  for (const paper of papers ?? []) {
    if (!drawPaper) throw new Error('Nobody draws the papers of mails here.');
    const { name, bytes } = await drawPaper(paper as MailPaper);
    files.push({ filename: `${name}.pdf`, content: Buffer.from(bytes), contentType: 'application/pdf' });
  }
  return files;
}

/** Sets the moment of the next try, or gives the mail up; the answer of a try that lost its lease counts for nothing. */
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

/** A job that comes while another try owns the mail looks again when that one's lease has ended. */
async function comeBackWhenDue(outboxId: number): Promise<void> {
  const [waiting] = await db()
    .select({ dueAt: mailOutbox.dueAt })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.id, outboxId), eq(mailOutbox.status, 'queued')));
  if (waiting) await sendJobFor(db(), outboxId, waiting.dueAt);
}

function sendJobFor(executor: Executor, outboxId: number, dueAt: Date): Promise<void> {
  // The moment is read without its microseconds: a job just before it would come for nothing.
  return sendJob(executor, deliverMail, { outboxId }, { startAfter: new Date(dueAt.getTime() + 1) });
}

/** Gives mails that are overdue a job again: theirs was lost, or set aside after too many failures of the database. */
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
      // Due anew, so that the next sweep leaves the job of this one its time.
      const swept = await tx
        .update(mailOutbox)
        .set({ dueAt: sql`now()` })
        .where(inArray(mailOutbox.id, overdue))
        .returning({ id: mailOutbox.id });
      for (const { id } of swept) await sendJob(tx, deliverMail, { outboxId: id });
    }),
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

/** Without a mail server, mails become `.eml` files that any mail program opens. */
function mailFolder(folder: string): MailSender {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    sendMail: async (mail) => {
      const { message } = (await composer.sendMail(mail)) as unknown as { message: Buffer };
      const name = `${String(mail.messageId).replace(/[<>]/g, '').split('@')[0]}.eml`;
      // Links in mails open accounts: no other user of the machine may read them.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      // Written aside first, so that nobody reads half a mail.
      await writeFile(join(folder, `.${name}`), message, { mode: 0o600 });
      await rename(join(folder, `.${name}`), join(folder, name));
    },
  };
}

import { eq, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { MAIL_CHOICES, users } from '#db/schema/account.ts';
import { courseStaff } from '#db/schema/catalogue.ts';
import { organisationMembers } from '#db/schema/organisations.ts';
import { env } from '#src/server/start/env.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { isMailLinkToken, mailLinkToken } from './mail-links.ts';

export type MailChoice = (typeof MAIL_CHOICES)[number];

export const CHOSEN_CATEGORIES = ['learning', 'teaching', 'organisation'] as const;
export type ChosenCategory = (typeof CHOSEN_CATEGORIES)[number];
export type MailChoices = Record<ChosenCategory, MailChoice>;

const COLUMNS = {
  learning: users.learningMail,
  teaching: users.teachingMail,
  organisation: users.organisationMail,
} as const;

/** SQL; only proven addresses get them (decision 13). */
export const getsMail = (category: ChosenCategory): SQL<boolean> =>
  sql<boolean>`(${COLUMNS[category]} <> 'off' and ${users.emailVerifiedAt} is not null)`;

const selectReader = (executor: Executor, which: SQL) =>
  executor
    .select({
      id: users.id,
      email: users.email,
      isProven: sql<boolean>`${users.emailVerifiedAt} is not null`,
      ...COLUMNS,
    })
    .from(users)
    .where(which);

export type MailReader = Awaited<ReturnType<typeof selectReader>>[number];

/** Null for none. */
export async function readerOf(
  executor: Executor,
  who: { email: string } | { id: number },
): Promise<MailReader | null> {
  const [reader] = await selectReader(
    executor,
    'id' in who ? eq(users.id, who.id) : eq(users.email, who.email),
  );
  return reader ?? null;
}

/** Null without the account. */
export const mailChoicesOf = (userId: number): Promise<MailChoices | null> => readerOf(db(), { id: userId });

export async function setMailChoices(userId: number, choices: Partial<MailChoices>): Promise<void> {
  const values = Object.entries(choices).map(([category, choice]) => [`${category}Mail`, choice] as const);
  if (values.length > 0) await db().update(users).set(Object.fromEntries(values)).where(eq(users.id, userId));
}

const purpose = (userId: number) => `mail-choices:${userId}`;

/** Needs no sign-in; never ends. */
export const mailChoicesPath = async (userId: number): Promise<string> =>
  `/mail-choices?user=${userId}&token=${await mailLinkToken(purpose(userId))}`;

/**
 * Useless until `openChoicesUrl` completes it.
 * @param stop what one click in a mail program switches off
 */
export const closedChoicesUrl = (stop: readonly ChosenCategory[]): string =>
  `${env().siteUrl}/mail-choices?stop=${stop.join('.')}`;

export const openChoicesUrl = async (closed: string, userId: number): Promise<string> =>
  `${closed}&user=${userId}&token=${await mailLinkToken(purpose(userId))}`;

/** Learners neither teach nor run an organization. */
export async function categoriesOf(userId: number): Promise<ChosenCategory[]> {
  const [found] = await db()
    .select({
      learning: sql<boolean>`true`,
      teaching: sql<boolean>`${users.role} = 'admin' or exists (select from ${courseStaff} where ${courseStaff.userId} = ${users.id})`,
      organisation: sql<boolean>`exists (select from ${organisationMembers} where ${organisationMembers.userId} = ${users.id})`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return CHOSEN_CATEGORIES.filter((category) => found?.[category]);
}

const IN_WORDS: Record<ChosenCategory, string> = {
  learning: 'mails about courses you take',
  teaching: 'mails about courses you teach',
  organisation: 'the weekly mail about your organizations',
};

/** Null for a foreign link, or a deleted account. */
export async function readMailLink({
  searchParams,
}: URL): Promise<{ reader: MailReader; stop: ChosenCategory[] } | null> {
  const id = parseCount(searchParams.get('user'));
  if (id === null || !(await isMailLinkToken(purpose(id), searchParams.get('token')))) return null;
  const reader = await readerOf(db(), { id });
  const named = (searchParams.get('stop') ?? '').split('.');
  return reader && { reader, stop: CHOSEN_CATEGORIES.filter((category) => named.includes(category)) };
}

/**
 * Reads and saves without sign-in or our origin: mail programs post by themselves (RFC 8058). Link checkers neither post nor run
 * scripts.
 * @returns `offer` is what one click stops; null for an invalid link
 */
export async function answerMailLink(request: Request) {
  const url = new URL(request.url);
  const link = await readMailLink(url);
  if (!link) return null;
  const { reader, stop } = link;
  let saved: string | null = null;
  if (request.method === 'POST') {
    const form = await request.formData().catch(() => new FormData());
    const isStop = form.has('stop') || form.get('List-Unsubscribe') === 'One-Click';
    const wanted: Partial<MailChoices> = isStop
      ? Object.fromEntries(stop.map((category) => [category, 'off']))
      : Object.fromEntries(
          CHOSEN_CATEGORIES.filter((category) => MAIL_CHOICES.includes(form.get(category) as MailChoice)).map(
            (category) => [category, form.get(category)],
          ),
        );
    await setMailChoices(reader.id, wanted);
    Object.assign(reader, wanted);
    saved = isStop ? `You get no more ${inWords(stop)}.` : 'Saved.';
  }
  const isOn = stop.some((category) => reader[category] !== 'off');
  const offer = isOn && !saved ? inWords(stop) : null;
  const shown = await categoriesOf(reader.id);
  return { reader, shown, saved, offer, path: url.pathname + url.search };
}

const inWords = (categories: readonly ChosenCategory[]) =>
  categories.map((one) => IN_WORDS[one]).join(' and ');

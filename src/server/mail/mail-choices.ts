import { eq, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '#db/client.ts';
import { MAIL_CHOICES, users } from '#db/schema/account.ts';
import { courseStaff } from '#db/schema/catalogue.ts';
import { organisationMembers } from '#db/schema/organisations.ts';
import { env } from '#src/server/start/env.ts';
import { parseCount } from '#src/shared/list-query.ts';
import { isMailLinkToken, mailLinkToken } from './mail-links.ts';

export type MailChoice = (typeof MAIL_CHOICES)[number];

/** The categories of which a reader chooses. */
export const CHOSEN_CATEGORIES = ['learning', 'teaching', 'organisation'] as const;
export type ChosenCategory = (typeof CHOSEN_CATEGORIES)[number];
export type MailChoices = Record<ChosenCategory, MailChoice>;

const COLUMNS = {
  learning: users.learningMail,
  teaching: users.teachingMail,
  organisation: users.organisationMail,
} as const;

/** SQL: whether a user of the query gets mails of a category, which go to proven addresses alone (decision 13). */
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

/** A reader with their choices. */
export type MailReader = Awaited<ReturnType<typeof selectReader>>[number];

/** Who reads an address, or null. */
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

/** A user's choices; null where the account is gone. */
export const mailChoicesOf = (userId: number): Promise<MailChoices | null> => readerOf(db(), { id: userId });

/** Changes some of a user's choices. */
export async function setMailChoices(userId: number, choices: Partial<MailChoices>): Promise<void> {
  const values = Object.entries(choices).map(([category, choice]) => [`${category}Mail`, choice] as const);
  if (values.length > 0) await db().update(users).set(Object.fromEntries(values)).where(eq(users.id, userId));
}

const purpose = (userId: number) => `mail-choices:${userId}`;

/** The path of a user's mail choices, which needs no sign-in; it never ends. */
export const mailChoicesPath = async (userId: number): Promise<string> =>
  `/mail-choices?user=${userId}&token=${await mailLinkToken(purpose(userId))}`;

/**
 * The address of the choices as a mail in the outbox has it: it opens nothing until `openChoicesUrl` completes it.
 *
 * @param stop the categories that a mail program's one click switches off
 */
export const closedChoicesUrl = (stop: readonly ChosenCategory[]): string =>
  `${env().siteUrl}/mail-choices?stop=${stop.join('.')}`;

/** Completes `closedChoicesUrl` for a reader. */
export const openChoicesUrl = async (closed: string, userId: number): Promise<string> =>
  `${closed}&user=${userId}&token=${await mailLinkToken(purpose(userId))}`;

/** The categories that concern a user: a plain learner neither teaches nor runs an organization. */
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

/** Whose link this is, and what it switches off; null where it is not ours, or the account is gone. */
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
 * Reads what the page behind a mailed link is asked for, and saves it. It needs neither a sign-in nor our own origin:
 * mail programs post to it by themselves (RFC 8058). Programs that only look at links neither post nor run scripts.
 *
 * @returns what the page shows: `offer` is what one click stops; null for a link that proves nothing
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

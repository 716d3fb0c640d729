import { isOwnCourse } from '#src/features/lessons/working-copy.server.ts';
import { toCsv } from '#src/server/csv.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { and, asc, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db, type Executor, type Tx } from '#db/client.ts';
import { auditLog, passwordResetTokens, users } from '#db/schema/account.ts';
import { courses } from '#db/schema/catalogue.ts';
import { enrollments } from '#db/schema/learn.ts';
import type { AuditEntry } from '#src/features/account/audit.ts';
import { type Actor, recordAudit } from '#src/features/account/audit.server.ts';
import { mailInvitation } from '#src/features/account/mails.server.ts';
import { hashSecret, newSecret } from '#src/features/account/session.server.ts';
import { lockBuyers } from '#src/features/store/cart/cart.server.ts';
import { retryOnConflict } from '#src/server/database-errors.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { AppError } from '#src/shared/errors.ts';
import { MAX_ID } from '#src/shared/fields.ts';
import { counted } from '#src/shared/counted.ts';
import { IMPORT_COLUMNS, ImportFileError, type ListedPerson, readPeople } from './people-import.ts';
import { giveAccess } from './people.server.ts';
import { IMPORT_MAX_BYTES, type ImportRow, type importPeopleCall } from './schema.ts';
import { REASON_MAX } from '#src/shared/fields.ts';

/** Days that the link to a first password works. */
const INVITATION_DAYS = 7;
/** People whose rows are written in one transaction. */
const BATCH = 200;
/** Right and wrong rows that a report names at most. */
const RIGHT_ROWS_SHOWN = 100;
const WRONG_ROWS_SHOWN = 500;

const UNPROVEN =
  'Somebody has registered with this address and not shown that it is theirs. They can, by the link in their account';

type Report = z.input<typeof importPeopleCall.output>;
/** A row with what it comes to. */
type Planned = ListedPerson & Pick<ImportRow, 'user' | 'access'> & { courseId: number | null; title: string };

const refuse = (field: string, message: string) =>
  new AppError('invalid_input', message, { fields: { [field]: message } });

/**
 * Checks or applies a list of people and their courses that came with a form (see `importPeopleCall`). Existing accounts
 * are never changed; new ones get a link to choose a password by mail. Applied as a whole or not
 * at all, and safe to repeat: what is there already stays as it is and nobody is mailed twice.
 *
 * @throws {AppError} invalid_input for a file that cannot be read, rows that are wrong, or another file than the one that
 *   was checked; too_large
 */
export function importPeople(actor: Actor, request: Request): Promise<Report> {
  return withUpload(request, { maxBytes: IMPORT_MAX_BYTES }, async ({ file, fields }) => {
    if (!file || file.size === 0) throw refuse('file', file ? 'The file is empty.' : 'Choose a file');
    const mode = fields.mode;
    if (mode !== 'check' && mode !== 'apply') throw refuse('mode', 'Mode must be check or apply');
    const bytes = await readFile(file.file);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const reason = (fields.reason ?? '').trim();
    if (mode === 'apply') {
      if (fields.sha256 !== sha256) {
        throw refuse('file', 'This is not the file that was checked. Check it first.');
      }
      if (!reason) throw refuse('reason', 'Reason is required');
      if ([...reason].length > REASON_MAX || reason.includes('\0') || !reason.isWellFormed()) {
        throw refuse('reason', `Reason must be at most ${REASON_MAX} characters`);
      }
    }
    const rows = await planned(read(bytes));
    const wrong = rows.filter(({ errors }) => errors.length > 0);
    if (mode === 'apply') {
      if (wrong.length > 0 && fields.skipErrors !== 'yes') {
        throw refuse(
          'file',
          `${counted(wrong.length, 'row is', 'rows are')} wrong. Mend the file, or leave them out.`,
        );
      }
      const right = rows.filter(({ errors }) => errors.length === 0);
      await apply(actor, right, { reason, file: file.originalName, leftOut: wrong.length });
    }
    return report(mode, sha256, rows);
  });
}

function read(bytes: Uint8Array): ListedPerson[] {
  try {
    return readPeople(bytes);
  } catch (error) {
    if (error instanceof ImportFileError) throw refuse('file', error.message);
    throw error;
  }
}

/** The rows with what each would do now. */
async function planned(people: readonly ListedPerson[]): Promise<Planned[]> {
  const emails = [...new Set(people.map(({ email }) => email))];
  const known = await usersByEmail(db(), emails);
  const courseOf = await courseFinder();
  const rows = people.map((person): Planned => {
    const course = person.course ? courseOf(person.course) : null;
    const errors = [...person.errors];
    if (typeof course === 'string') errors.push({ column: 'course', message: course });
    if (person.course && known.get(person.email)?.isUnproven) {
      errors.push({ column: 'email', message: UNPROVEN });
    }
    const found = typeof course === 'string' ? null : course;
    return {
      ...person,
      errors,
      courseId: found?.id ?? null,
      title: found?.title ?? person.course,
      user: known.has(person.email) ? 'exists' : 'new',
      access: 'none',
    };
  });
  markSameCourse(rows);
  const named = new Set(rows.filter(({ name }) => name).map(({ email }) => email));
  for (const row of rows) {
    if (row.user === 'new' && row.errors.length === 0 && !named.has(row.email)) {
      row.errors.push({
        column: 'name',
        message: 'Name is required: there is no account with this email yet',
      });
    }
  }
  const owned = await accessOf([...known.values()].map(({ id }) => id));
  for (const row of rows) {
    if (row.errors.length > 0) {
      row.user = known.has(row.email) ? 'exists' : 'none';
    } else if (row.courseId !== null) {
      const status = owned.get(`${known.get(row.email)?.id ?? 0}:${row.courseId}`);
      row.access = status === undefined ? 'given' : status === 'revoked' ? 'given-again' : 'had-it';
    }
  }
  return rows;
}

/** Two ways to write one course, such as its number and its title, are the same row too. */
function markSameCourse(rows: Planned[]): void {
  const seen = new Map<string, number>();
  for (const row of rows) {
    if (row.errors.length > 0 || row.courseId === null) continue;
    const key = `${row.email}\n${row.courseId}`;
    const before = seen.get(key);
    if (before === undefined) seen.set(key, row.line);
    else row.errors.push({ column: 'course', message: `Row ${before} says the same` });
  }
}

/**
 * An account under an address of the list. It is a stranger's until it is shown to be theirs: anybody can register with
 * somebody's address and wait for the course (decision 13). Without a password nobody can sign in but by a mailed link.
 */
type Known = { id: number; isUnproven: boolean };

async function usersByEmail(executor: Executor, emails: readonly string[]): Promise<Map<string, Known>> {
  const found = new Map<string, Known>();
  for (let from = 0; from < emails.length; from += 1000) {
    const rows = await executor
      .select({
        id: users.id,
        email: users.email,
        isUnproven: sql<boolean>`${users.emailVerifiedAt} is null and ${users.passwordHash} is not null`,
      })
      .from(users)
      .where(inArray(users.email, emails.slice(from, from + 1000)));
    for (const { email, ...known } of rows) found.set(email, known);
  }
  return found;
}

async function accessOf(userIds: readonly number[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; from < userIds.length; from += 1000) {
    const rows = await db()
      .select({ userId: enrollments.userId, courseId: enrollments.courseId, status: enrollments.status })
      .from(enrollments)
      .where(inArray(enrollments.userId, userIds.slice(from, from + 1000)));
    for (const { userId, courseId, status } of rows) found.set(`${userId}:${courseId}`, status);
  }
  return found;
}

/** Finds a course by its number, its name in files, or its title in any case; says what is wrong where it does not. */
async function courseFinder(): Promise<(written: string) => { id: number; title: string } | string> {
  const all = await db()
    .select({ id: courses.id, title: courses.title, slug: courses.slug })
    .from(courses)
    .where(isOwnCourse)
    .orderBy(asc(courses.id));
  const byId = new Map(all.map((course) => [course.id, course]));
  const bySlug = new Map(all.flatMap((course) => (course.slug ? [[course.slug, course] as const] : [])));
  const byTitle = Map.groupBy(all, ({ title }) => title.trim().toLowerCase());
  return (written) => {
    const number = /^#?(\d{1,10})$/.exec(written)?.[1];
    const named = byTitle.get(written.toLowerCase()) ?? [];
    if (named.length > 1) return 'Several courses have this title: write its number instead';
    const found =
      named[0] ??
      bySlug.get(written) ??
      (number && Number(number) <= MAX_ID ? byId.get(Number(number)) : null);
    return found ?? 'There is no such course';
  };
}

async function apply(
  actor: Actor,
  rows: readonly Planned[],
  { reason, file, leftOut }: { reason: string; file: string; leftOut: number },
): Promise<void> {
  const people = [...Map.groupBy(rows, ({ email }) => email)];
  // All of the list or nothing: what was written of half a list would be told by no entry of the audit log.
  await retryOnConflict(() =>
    db().transaction(async (tx) => {
      for (let from = 0; from < people.length; from += BATCH) {
        await applyBatch(tx, actor, people.slice(from, from + BATCH), reason);
      }
      await recordAudit(tx, actor, {
        action: 'users.imported',
        subjectType: 'user',
        reason,
        details: { file, rows: rows.length, leftOut },
      });
    }),
  );
}

async function applyBatch(
  tx: Tx,
  actor: Actor,
  batch: readonly [string, readonly Planned[]][],
  reason: string,
): Promise<void> {
  const emails = batch.map(([email]) => email);
  const before = await usersByEmail(tx, emails);
  const missing = batch.filter(([email]) => !before.has(email));
  const made = missing.length
    ? await tx
        .insert(users)
        .values(
          missing.map(([email, rows]) => ({ email, username: rows.find(({ name }) => name)?.name ?? email })),
        )
        // Registered in this very moment: then it is an existing account.
        .onConflictDoNothing({ target: users.email })
        .returning({ id: users.id, email: users.email, username: users.username })
    : [];
  const known = await usersByEmail(tx, emails);
  const wanted = batch.flatMap(([email, rows]) =>
    rows.flatMap(({ courseId, title }) =>
      courseId === null ? [] : [{ userId: known.get(email)!.id, courseId, title, email }],
    ),
  );
  // Registered since the look at the list.
  const unproven = wanted.find(({ email }) => known.get(email)!.isUnproven);
  if (unproven) throw new AppError('conflict', `${unproven.email}: ${UNPROVEN}. Check the list again.`);
  await tx.execute(lockBuyers(wanted.map(({ userId }) => userId)));
  const outcomes = await giveAccess(tx, wanted);
  const given = wanted.filter((_, index) => outcomes[index] === 'given' || outcomes[index] === 'given-again');
  const subjectType = 'user';
  const entries: AuditEntry[] = [
    ...made.map(
      ({ id, email }): AuditEntry => ({
        action: 'user.created',
        subjectType,
        subjectId: id,
        details: { email },
      }),
    ),
    ...given.map(
      ({ userId, courseId, title, email }): AuditEntry => ({
        action: 'enrollment.granted',
        subjectType,
        subjectId: userId,
        details: { email, course: title, courseId },
      }),
    ),
  ];
  if (entries.length > 0) {
    await tx.insert(auditLog).values(
      entries.map(({ action, subjectId, details }) => ({
        actorId: actor.id,
        actorName: actor.name,
        action,
        subjectType: 'user',
        subjectId: String(subjectId),
        reason,
        details,
      })),
    );
  }
  await invite(tx, made, (userId) => given.filter((one) => one.userId === userId).map(({ title }) => title));
}

async function invite(
  tx: Tx,
  made: readonly { id: number; email: string; username: string }[],
  titlesOf: (userId: number) => string[],
): Promise<void> {
  if (made.length === 0) return;
  const secrets = made.map(() => newSecret());
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * 86_400_000);
  await tx
    .insert(passwordResetTokens)
    .values(made.map(({ id }, index) => ({ userId: id, token: hashSecret(secrets[index]!), expiresAt })));
  for (const [index, user] of made.entries()) {
    await mailInvitation(tx, user, secrets[index]!, INVITATION_DAYS, titlesOf(user.id));
  }
}

function report(mode: 'check' | 'apply', sha256: string, rows: readonly Planned[]): Report {
  const wrong = rows.filter(({ errors }) => errors.length > 0);
  const right = rows.filter(({ errors }) => errors.length === 0);
  const people = (kind: 'new' | 'exists') =>
    new Set(right.filter(({ user }) => user === kind).map(({ email }) => email)).size;
  const counts = {
    rows: rows.length,
    wrongRows: wrong.length,
    newUsers: people('new'),
    existingUsers: people('exists'),
    given: right.filter(({ access }) => access === 'given' || access === 'given-again').length,
    alreadyThere: right.filter(({ access }) => access === 'had-it').length,
  };
  const shown = [...wrong.slice(0, WRONG_ROWS_SHOWN), ...right.slice(0, RIGHT_ROWS_SHOWN)];
  const done = `${counted(counts.newUsers, 'account')} made and ${counted(counts.given, 'enrollment')} given`;
  return {
    mode,
    sha256,
    counts,
    rows: shown
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, email, name, title, user, access, errors }) => ({
        line,
        email,
        name,
        course: title,
        user,
        access,
        errors,
      })),
    rowsLeftOut: rows.length - shown.length,
    message: mode === 'apply' ? `Done: ${done}.` : 'Nothing has been changed yet.',
  };
}

/** The title of a course for the template: the oldest one there is. */
export async function exampleCourse(): Promise<string> {
  const [course] = await db()
    .select({ title: courses.title })
    .from(courses)
    .where(and(courses.isActive, sql`length(${courses.title}) < 100`))
    .orderBy(asc(courses.id))
    .limit(1);
  return course?.title ?? '';
}

/** A file to begin with. */
export function importTemplate(course: string): string {
  return toCsv([...IMPORT_COLUMNS], [['ada@example.com', 'Ada Lovelace', course]]);
}

import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeUser } from '#db/factories.ts';
import { auditLog, passwordResetTokens, users } from '#db/schema/account.ts';
import { enrollments } from '#db/schema/learn.ts';
import { mailOutbox } from '#db/schema/machinery.ts';
import { hashSecret } from '#src/features/account/session.server.ts';
import { IMPORT_MAX_BYTES } from '#src/features/admin/people/schema.ts';
import { importTemplate } from '#src/features/admin/people/people-import.server.ts';
import { readPeople } from '#src/features/admin/people/people-import.ts';
import { toCsv } from '#src/server/csv.ts';
import { POST as importFile } from '#src/pages/api/admin/user-import/files.ts';
import { POST as reset } from '#src/pages/api/reset-password.ts';
import { callRoute, signIn } from '../../support/api.ts';

let as: Awaited<ReturnType<typeof signIn>>;
let course: Awaited<ReturnType<typeof makeCourse>>;
beforeAll(async () => {
  as = await signIn(await makeAdmin({ username: 'Grace Hopper' }));
  course = await makeCourse({ title: 'Café Python; the basics' });
});

const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

async function send(content: string | Uint8Array, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ mode: 'check', ...fields })) form.append(name, value);
  form.append('file', new File([bytesOf(content) as BlobPart], 'people.csv', { type: 'text/csv' }));
  return callRoute(importFile, { method: 'POST', body: form, as });
}

const apply = (content: string, fields: Record<string, string> = {}) =>
  send(content, {
    mode: 'apply',
    sha256: createHash('sha256').update(bytesOf(content)).digest('hex'),
    reason: 'New class',
    ...fields,
  });

const state = async () => ({
  users: await db().$count(users),
  enrollments: await db().$count(enrollments),
  mails: await db().$count(mailOutbox),
  tokens: await db().$count(passwordResetTokens),
  audit: await db().$count(auditLog),
});

describe('a list of people', () => {
  it('of millions of empty rows is refused before they are held', () => {
    const file = (rows: number) => readPeople(bytesOf(`email,name\n${'\n'.repeat(rows)}ada@example.com,Ada`));
    expect(() => file(1_900_000)).toThrow('The file has more than 20,000 rows, empty ones counted');
    expect(file(19_000)).toMatchObject([{ line: 19_002, email: 'ada@example.com', errors: [] }]);
  });

  it('is checked row by row, and changes nothing by it', async () => {
    const known = await makeUser({ username: 'Known', email: 'known@example.com' });
    await makeEnrollment(known.id, course.id);
    const before = await state();
    const answer = await send(
      [
        'email,name,course',
        `ada@example.com,Ada Lovelace,"${course.title}"`,
        `known@example.com,Another Name,${course.id}`,
        `not an address,Bob,${course.id}`,
        `nameless@example.com,,${course.id}`,
        'lost@example.com,Lost,No such course',
        `ADA@example.com,Ada Lovelace,${course.id}`,
        'ada@example.com,Ada King,',
        '',
        'plain@example.com,Plain,',
      ].join('\n'),
    );
    expect(answer.status).toBe(200);
    expect(answer.body.counts).toEqual({
      rows: 8,
      wrongRows: 5,
      newUsers: 2,
      existingUsers: 1,
      given: 1,
      alreadyThere: 1,
    });
    const rows = answer.body.rows as {
      line: number;
      user: string;
      access: string;
      errors: { column: string; message: string }[];
    }[];
    expect(rows.map(({ line, errors }) => [line, errors.map(({ column }) => column)])).toEqual([
      [2, []],
      [3, []],
      [4, ['email']],
      [5, ['name']],
      [6, ['course']],
      [7, ['course']],
      [8, ['name']],
      [10, []],
    ]);
    expect(rows[5]!.errors[0]!.message).toBe('Row 2 says the same');
    expect(rows[0]).toMatchObject({ user: 'new', access: 'given' });
    expect(rows[1]).toMatchObject({ user: 'exists', access: 'had-it' });
    expect(await state()).toEqual(before);
  });

  it('is applied, mails each new person a link to a password, and changes nothing when applied again', async () => {
    const known = await makeUser({ username: 'Kept Name', email: 'kept@example.com' });
    const revoked = await makeUser({ email: 'back@example.com' });
    await makeEnrollment(revoked.id, course.id, { status: 'revoked', progress: 30 });
    const file = [
      'email;name;course',
      `new@example.com;Mary Jackson;"${course.title}"`,
      `kept@example.com;Changed Name;"${course.title}"`,
      `back@example.com;;${course.id}`,
    ].join('\r\n');
    const answer = await apply(file);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ mode: 'apply', counts: { newUsers: 1, given: 3 } });
    const [made] = await db().select().from(users).where(eq(users.email, 'new@example.com'));
    expect(made).toMatchObject({ username: 'Mary Jackson', role: 'student', passwordHash: null });
    expect(await db().$count(users, eq(users.username, 'Changed Name'))).toBe(0);
    expect(known.username).toBe('Kept Name');
    const [again] = await db().select().from(enrollments).where(eq(enrollments.userId, revoked.id));
    expect(again).toMatchObject({ status: 'active', progress: 30 });
    const mails = await db().select().from(mailOutbox).where(eq(mailOutbox.recipient, 'new@example.com'));
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain(course.title);
    expect(await db().$count(mailOutbox, eq(mailOutbox.recipient, 'kept@example.com'))).toBe(0);

    const after = await state();
    expect((await apply(file)).body.counts).toMatchObject({ newUsers: 0, given: 0, alreadyThere: 3 });
    // That it was imported is told each time.
    expect(await state()).toEqual({ ...after, audit: after.audit + 1 });

    const token = /reset-password\?token=([\w-]+)/.exec(mails[0]!.text)![1]!;
    const set = await callRoute(reset, { body: { token, newPassword: 'trajectory' } });
    expect(set.status).toBe(200);
    const entries = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, String(made!.id)));
    expect(entries.map(({ action, reason }) => [action, reason])).toEqual(
      expect.arrayContaining([
        ['user.created', 'New class'],
        ['enrollment.granted', 'New class'],
      ]),
    );
  });

  it('gives nothing to an account whose address nobody has shown to be theirs', async () => {
    // Somebody knew that the class would come.
    const squatter = await makeUser({ email: 'squatted@example.com', password: 'waiting for it' });
    const list = `email,name,course\nsquatted@example.com,Real Person,${course.id}\nfine@example.com,Fine,${course.id}`;
    const checked = await send(list);
    expect(checked.body.counts).toMatchObject({ wrongRows: 1, given: 1 });
    expect(checked.body.rows[0].errors).toEqual([
      { column: 'email', message: expect.stringContaining('not shown that it is theirs') },
    ]);
    expect((await apply(list, { skipErrors: 'yes' })).status).toBe(200);
    expect(await db().$count(enrollments, eq(enrollments.userId, squatter.id))).toBe(0);
    // The owner of the mailbox takes the account over, and is let in from then on.
    await db()
      .insert(passwordResetTokens)
      .values({
        userId: squatter.id,
        token: hashSecret('s'.repeat(43)),
        expiresAt: new Date(Date.now() + 60_000),
      });
    const changed = await callRoute(reset, { body: { token: 's'.repeat(43), newPassword: 'mine now' } });
    expect(changed.status).toBe(200);
    expect((await apply(list)).status).toBe(200);
    expect(await db().$count(enrollments, eq(enrollments.userId, squatter.id))).toBe(1);
  });

  it('is applied twice at once and makes one account and one enrollment', async () => {
    const file = `email,name,course\nonce@example.com,Once,${course.id}\n`;
    const answers = await Promise.all([apply(file), apply(file), apply(file)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [one, ...more] = await db().select().from(users).where(eq(users.email, 'once@example.com'));
    expect(more).toEqual([]);
    expect(await db().$count(enrollments, eq(enrollments.userId, one!.id))).toBe(1);
    expect(await db().$count(mailOutbox, eq(mailOutbox.recipient, 'once@example.com'))).toBe(1);
  });

  it('with wrong rows is applied only without them, and only when that is asked for', async () => {
    const file = 'email,name\nright@example.com,Right\nwrong,Wrong\n';
    const refused = await apply(file);
    expect(refused.status).toBe(400);
    expect(refused.body.fields.file).toBe('1 row is wrong. Mend the file, or leave them out.');
    expect(await db().$count(users, eq(users.email, 'right@example.com'))).toBe(0);
    expect((await apply(file, { skipErrors: 'yes' })).status).toBe(200);
    expect(await db().$count(users, eq(users.email, 'right@example.com'))).toBe(1);
  });

  it('goes by batches that are all there in the end', async () => {
    const rows = Array.from({ length: 230 }, (_, n) => `batch-${n}@example.com,Person ${n},${course.id}`);
    const answer = await apply(['email,name,course', ...rows].join('\n'));
    expect(answer.body.counts).toMatchObject({ newUsers: 230, given: 230 });
    expect(answer.body.rowsLeftOut).toBe(130);
    expect(await db().$count(users, sql`${users.email} like 'batch-%'`)).toBe(230);
  }, 60_000);

  it('is applied as a whole or not at all', async () => {
    await db().execute(
      sql`alter table users add constraint no_last check (email <> 'whole-229@example.com')`,
    );
    const rows = Array.from({ length: 230 }, (_, n) => `whole-${n}@example.com,Person ${n},${course.id}`);
    const before = await state();
    const answer = await apply(['email,name,course', ...rows].join('\n'));
    await db().execute(sql`alter table users drop constraint no_last`);
    expect(answer.status).toBe(500);
    expect(await state()).toEqual(before);
  }, 60_000);

  it('must be the file that was checked, with a reason', async () => {
    const file = 'email,name\nnever@example.com,Never\n';
    expect((await apply(file, { sha256: 'f'.repeat(64) })).body.fields).toEqual({
      file: 'This is not the file that was checked. Check it first.',
    });
    expect((await apply(file, { reason: '  ' })).body.fields).toEqual({ reason: 'Reason is required' });
    expect((await apply(file, { mode: 'both' })).body.fields).toEqual({
      mode: 'Mode must be check or apply',
    });
    expect(await db().$count(users, eq(users.email, 'never@example.com'))).toBe(0);
  });

  it('is refused as a whole, with what is wrong, where it is no such list', async () => {
    const refusal = async (content: string | Uint8Array) => {
      const answer = await send(content);
      expect(answer.status).toBe(400);
      return answer.body.fields.file as string;
    };
    expect(await refusal('')).toBe('The file is empty.');
    expect(await refusal('   \n')).toBe('The file is empty.');
    expect(await refusal('email,name\n')).toBe('The file has a heading and no rows.');
    expect(await refusal('name,course\nAda,1\n')).toContain('no column “email”');
    expect(await refusal('email,password\na@example.com,secret\n')).toContain('column of passwords');
    expect(await refusal('email,phone\na@example.com,1\n')).toContain('“phone” is not known');
    expect(await refusal('email,email\na@example.com,b\n')).toContain('two columns “email”');
    expect(await refusal('email,name\na@example.com,A\0B\n')).toContain('zero bytes');
    expect(await refusal('email,name\na@example.com,"open\n')).toContain('quotation mark');
    expect(
      await refusal(new Uint8Array([...bytesOf('email,name\na@example.com,Ren'), 0xe9, 0x0a])),
    ).toContain('not encoded as UTF-8');
    const many = `email\n${Array.from({ length: 2001 }, (_, n) => `p${n}@example.com`).join('\n')}`;
    expect(await refusal(many)).toContain('2,001 rows');
    const large = await send(`email\n${'a'.repeat(IMPORT_MAX_BYTES)}`);
    expect(large.status).toBe(413);
    expect(large.body.fields.file).toBe('The file must not be larger than 2 MB.');
  });

  it('is read whatever its separator, encoding and byte order mark', () => {
    const table = (separator: string) => `email${separator}name\r\nrene@example.com${separator}René\r\n`;
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(table('\t'), 'utf16le')]);
    for (const bytes of [
      ...[',', ';', '\t'].map((separator) => bytesOf(table(separator))),
      bytesOf(`\ufeff${table(',')}`),
      utf16,
    ]) {
      expect(readPeople(bytes)).toEqual([
        { line: 2, email: 'rene@example.com', name: 'René', course: '', errors: [] },
      ]);
    }
  });

  it('names a row with more cells than the heading', () => {
    const [row] = readPeople(bytesOf('email,name\na@example.com,Lovelace, Ada\n'));
    expect(row!.errors[0]).toMatchObject({ column: 'name' });
  });
});

describe('a file for spreadsheets', () => {
  it('runs no formula and survives its own reader', () => {
    const csv = toCsv(
      ['A', 'B'],
      [
        ['=HYPERLINK("http://evil.test")', '+1'],
        ['-2', '@x'],
        ['\tx', 'plain, "quoted"'],
        [-3, 4],
      ],
    );
    expect(csv.startsWith('\ufeffA,B\r\n')).toBe(true);
    for (const line of csv.slice(1).split('\r\n')) {
      for (const cell of line.split(',')) expect(cell.replace(/^"/, '')).not.toMatch(/^[=+@\t]/);
    }
    expect(csv).toContain(`"'=HYPERLINK(""http://evil.test"")",'+1`);
    expect(csv).toContain('-3,4');
    expect(readPeople(bytesOf(importTemplate('A course, with a comma')))).toMatchObject([
      { email: 'ada@example.com', course: 'A course, with a comma', errors: [] },
    ]);
  });
});

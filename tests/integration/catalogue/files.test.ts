import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { makeAdmin, makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { storedFileLocation } from '#db/file-store.ts';
import * as filesRoute from '#src/pages/files/[...path].ts';
import * as mediaRoute from '#src/pages/media/[...path].ts';
import { env } from '#src/server/start/env.ts';
import { saveFile } from '#src/server/files/files.ts';
import { type CallOptions, callRoute, signIn } from '../../support/api.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const file = (path: string, options: CallOptions = {}) =>
  callRoute(filesRoute.GET, {
    path,
    params: { path: path.replace(/^\/files\//, '').split('?')[0]! },
    ...options,
  });
const media = (path: string, options: CallOptions = {}) =>
  callRoute(mediaRoute.GET, { path, params: { path: path.replace(/^\/media\//, '') }, ...options });

async function pdfLesson(values: { isPreview?: boolean; isActive?: boolean } = {}) {
  const course = await makeCourse({ isActive: values.isActive ?? true });
  const saved = await saveFile({
    area: 'files',
    originalName: 'Cheat Sheet.pdf',
    bytes: bytes('%PDF-1.7 0123456789'),
  });
  await makeLesson(course.id, {
    type: 'document',
    fileUrl: saved.path,
    isPreview: values.isPreview ?? false,
  });
  return { course, path: saved.path };
}

describe('a lesson file', () => {
  it('is found by its learners and administrators only (I9, decision 32)', async () => {
    const { course, path } = await pdfLesson();
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id);
    expect((await file(path)).status).toBe(404);
    expect((await file(path, { withCookie: await signIn(await makeUser()) })).status).toBe(404);
    expect((await file(path, { withCookie: await signIn(await makeAdmin()) })).status).toBe(200);
    const answer = await file(path, { withCookie: await signIn(learner) });
    expect([answer.status, answer.text]).toEqual([200, '%PDF-1.7 0123456789']);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="cheat-sheet.pdf"; filename*=UTF-8''Cheat%20Sheet.pdf`,
    );
  });

  it('is gone for a learner whose enrollment was revoked', async () => {
    const { course, path } = await pdfLesson();
    const learner = await makeUser();
    await makeEnrollment(learner.id, course.id, { status: 'revoked' });
    expect((await file(path, { withCookie: await signIn(learner) })).status).toBe(404);
  });

  it('of a preview lesson is open to anyone while the course is visible', async () => {
    expect((await file((await pdfLesson({ isPreview: true })).path)).status).toBe(200);
    expect((await file((await pdfLesson({ isPreview: true, isActive: false })).path)).status).toBe(404);
  });

  it('that no lesson uses is for administrators', async () => {
    const saved = await saveFile({ area: 'files', originalName: 'a.txt', bytes: bytes('x') });
    expect((await file(saved.path, { withCookie: await signIn(await makeUser()) })).status).toBe(404);
    expect((await file(saved.path, { withCookie: await signIn(await makeAdmin()) })).status).toBe(200);
  });

  it('is sent in ranges and not again when unchanged', async () => {
    const { path } = await pdfLesson({ isPreview: true });
    const part = await file(path, { headers: { range: 'bytes=9-12' } });
    expect([part.status, part.text]).toEqual([206, '0123']);
    expect(part.headers.get('content-range')).toBe('bytes 9-12/19');
    expect(part.headers.get('content-length')).toBe('4');
    const past = await file(path, { headers: { range: 'bytes=19-' } });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, 'bytes */19']);
    const etag = part.headers.get('etag')!;
    expect((await file(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await file(path, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } })).status).toBe(200);
    const head = await file(path, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '19']);
    const saved = await file(`${path}?download`);
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  it('is never found by a path of one’s own making (U1)', async () => {
    const { path } = await pdfLesson({ isPreview: true });
    const secret = env().dataDir;
    await writeFile(`${secret}/secret.txt`, 'secret');
    for (const guess of [
      '/files/../secret.txt',
      '/files/..%2f..%2fsecret.txt',
      `/files/${path.split('/')[2]}/../../secret.txt`,
      `${path}\0`,
      `${path}/`,
      `${path.toUpperCase()}`,
      `/files/${'a'.repeat(10_000)}/b`,
      '/files/',
    ]) {
      const answer = await callRoute(filesRoute.GET, { params: { path: guess.replace(/^\/files\//, '') } });
      expect([guess.slice(0, 60), answer.status]).toEqual([guess.slice(0, 60), 404]);
    }
  });
});

describe('a stored file', () => {
  it('that could run is saved, not shown, and never sniffed (U1)', async () => {
    for (const originalName of [
      'x.html',
      'x.htm',
      'x.js',
      'x.xml',
      'x.xhtml',
      'x.swf',
      'x',
      'x.constructor',
    ]) {
      const saved = await saveFile({
        area: 'media',
        originalName,
        bytes: bytes('<script>alert(1)</script>'),
      });
      const answer = await media(saved.path);
      expect([originalName, answer.headers.get('content-type')]).toEqual([
        originalName,
        'application/octet-stream',
      ]);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    }
  });

  it('that is a drawing is shown in a sandbox', async () => {
    const saved = await saveFile({
      area: 'media',
      originalName: 'x.svg',
      bytes: bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    });
    const answer = await media(saved.path);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('must be what its name says (U1)', async () => {
    for (const [originalName, content] of [
      ['x.png', '<html>'],
      ['x.pdf', 'MZ'],
      ['x.mp4', 'plain text'],
      ['x.JPG', '%PDF-1.7'],
      ['x.txt', 'a\0b'],
      ['x.zip', ''],
    ] as const) {
      await expect(saveFile({ area: 'files', originalName, bytes: bytes(content) })).rejects.toMatchObject({
        code: 'unsupported_media_type',
      });
    }
  });

  it('is kept under a name that nobody typed, equal bytes once', async () => {
    const evil = await saveFile({
      area: 'files',
      originalName: '../../evil\0.TXT',
      bytes: bytes('same'),
    }).catch((error: unknown) => error);
    expect(evil).toBeInstanceOf(Error);
    const one = await saveFile({ area: 'files', originalName: '../../evil.TXT', bytes: bytes('same') });
    const two = await saveFile({ area: 'files', originalName: 'b.txt', bytes: bytes('same') });
    expect(one.path).toMatch(/^\/files\/[\w-]{16}\/evil\.txt$/);
    expect(storedFileLocation(env().dataDir, one.sha256)).toBe(storedFileLocation(env().dataDir, two.sha256));
    expect(one.path).not.toBe(two.path);
  });

  it('of another area is not found', async () => {
    const saved = await saveFile({ area: 'files', originalName: 'a.txt', bytes: bytes('x') });
    expect((await media(saved.path.replace('/files/', '/media/'))).status).toBe(404);
  });
});

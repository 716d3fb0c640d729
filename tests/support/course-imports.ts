import { expect } from 'vitest';
import { db } from '#db/client.ts';
import { rateLimits } from '#db/schema/machinery.ts';
import type { SignIn } from '#src/features/account/session.server.ts';
import { POST as importRoute } from '#src/pages/api/admin/course-imports.ts';
import { POST as beginRoute } from '#src/pages/api/admin/course-uploads.ts';
import * as partRoute from '#src/pages/api/admin/course-uploads/[id].ts';
import { type CallOptions, callRoute } from './api.ts';

const TUS = { 'tus-resumable': '1.0.0' };
const PATH = '/api/admin/course-uploads';
const PARTS = { HEAD: partRoute.HEAD, PATCH: partRoute.PATCH, DELETE: partRoute.DELETE };

/** Begins the upload of an archive, as somebody. */
export const beginArchive = (as: SignIn | null, size: number | string, options: CallOptions = {}) =>
  callRoute(beginRoute, {
    method: 'POST',
    path: PATH,
    as,
    ...options,
    headers: { ...TUS, 'upload-length': String(size), ...options.headers },
  });

/** Speaks the upload protocol about an archive. */
export const atArchive = (
  as: SignIn | null,
  method: keyof typeof PARTS,
  id: string,
  options: CallOptions = {},
) =>
  callRoute(PARTS[method], {
    method,
    path: `${PATH}/${id}`,
    params: { id },
    as,
    ...options,
    headers: { ...TUS, ...options.headers },
  });

/** Sends bytes of an archive. */
export const sendPart = (as: SignIn | null, id: string, offset: number, body: Uint8Array) =>
  atArchive(as, 'PATCH', id, {
    body,
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
  });

/** The id of an upload that has begun. */
export function begunId(answer: Awaited<ReturnType<typeof beginArchive>>): string {
  expect(answer.status, answer.text).toBe(201);
  return /^\/api\/admin\/course-uploads\/([0-9a-f]{32})$/.exec(answer.headers.get('location')!)![1]!;
}

/** Uploads an archive, and gives the id of the upload. */
export async function uploadArchive(as: SignIn, bytes: Uint8Array): Promise<string> {
  const id = begunId(await beginArchive(as, bytes.length));
  expect((await sendPart(as, id, 0, bytes)).status).toBe(204);
  return id;
}

/** What an import is told beside its upload. */
export type ImportFields = { courseId?: unknown; digest?: string; newVersions?: unknown };

/** Asks to read an archive that was uploaded. */
export async function readArchive(as: SignIn | null, upload: unknown, fields: ImportFields = {}) {
  // More archives than an administrator may send.
  await db().delete(rateLimits);
  return callRoute(importRoute, { body: { upload, ...fields }, as });
}

/** Uploads an archive and asks to read it. */
export const sendArchive = async (as: SignIn, bytes: Uint8Array, fields: ImportFields = {}) =>
  readArchive(as, await uploadArchive(as, bytes), fields);

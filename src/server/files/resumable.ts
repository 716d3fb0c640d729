import { statfs } from 'node:fs/promises';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';
import { FairShare } from '#src/server/limits/fair-share.ts';
import { env } from '#src/server/start/env.ts';
import { AppError, type ErrorCode } from '#src/shared/errors.ts';
import { NAME_MAX_CHARACTERS, plainName } from './uploads.ts';

export const KEPT_FREE_BYTES = 500_000_000;
const FULL_BYTES = 32 * 1_048_576;
const BEGUN_MAX = 20;

/** The tus protocol: https://tus.io/protocols/resumable-upload */
interface ResumableKind {
  what: string;
  path: string;
  folder: () => string;
  copies: number;
  begun: (userId: number) => Promise<number>;
  /** Gives what is noted with the upload. @throws {AppError} */
  begin: (
    upload: {
      id: string;
      name: string;
      size: number;
      metadata: Readonly<Record<string, string | null>>;
      userId: number;
    },
    seeRoom: () => Promise<void>,
  ) => Promise<Record<string, string>>;
  allow: (request: { method: string; id: string; userId: number }) => Promise<void>;
  /** Perhaps more than once. */
  arrived?: (id: string) => Promise<void>;
}

class Refusal extends Error {
  readonly status_code: number;
  readonly body: string;

  constructor({ status, message }: AppError) {
    super(message);
    this.status_code = status;
    this.body = message;
  }
}

async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AppError ? new Refusal(error) : error;
  }
}

/** No caller can set this header: the tus server sees requests only. */
const UPLOADER = 'x-uploader';
const userOf = (request: { headers: Headers }) => Number(request.headers.get(UPLOADER));

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(env().dataDir);
  return bavail * bsize;
}

const CODES: Record<number, ErrorCode> = {
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  429: 'too_many_requests',
};
const NO_CONCAT =
  'Upload-Concat is not taken here: begin one upload for the whole file, and send its parts one after the other.';

export interface FoundUpload {
  file: string;
  size: number;
  arrived: number;
  kept: Readonly<Record<string, string | null>>;
}

export function resumable(kind: ResumableKind): {
  /** Answers a request of the tus protocol. @throws {AppError} */
  answer: (request: Request, user: { id: number }) => Promise<Response>;
  find: (id: string) => Promise<FoundUpload | null>;
  list: () => Promise<FoundUpload[]>;
} {
  const beginnings = new FairShare({ atOnce: 1, waiting: BEGUN_MAX, waitMs: 10_000 });
  const noRoom = () =>
    new AppError(
      'unavailable',
      `There is no room for this ${kind.what} at the moment. Please try again later.`,
      {
        retryAfterSeconds: 60,
      },
    );

  const tooMany = () =>
    new AppError(
      'too_many_requests',
      `You have begun ${BEGUN_MAX} ${kind.what} uploads already. Finish or cancel one of them first; each goes by itself a day after its last part.`,
    );

  const open = (folder: string) => {
    const store = new FileStore({ directory: folder });
    const server = new Server({
      path: kind.path,
      datastore: store,
      relativeLocation: true,
      // Nobody else's page may send here.
      allowedOrigins: [],
      onUploadCreate: (request, { id, size = 0, metadata = {} }) =>
        refusing(
          (async () => {
            const name = plainName(metadata.filename ?? '').slice(-NAME_MAX_CHARACTERS);
            const begun = { id, name, size, metadata, userId: userOf(request) };
            if ((await kind.begun(begun.userId)) >= BEGUN_MAX) throw tooMany();
            const kept = await kind.begin(begun, async () => {
              if ((await freeBytes()) < size * kind.copies + KEPT_FREE_BYTES) throw noRoom();
            });
            return { metadata: kept };
          })(),
        ),
      onIncomingRequest: (request, id) =>
        refusing(
          (async () => {
            const { method } = request;
            if (method === 'POST') return;
            await kind.allow({ method, id, userId: userOf(request) });
            if (method === 'PATCH' && (await freeBytes()) < KEPT_FREE_BYTES) throw noRoom();
          })(),
        ),
      onUploadFinish: async (_request, { id }) => {
        await kind.arrived?.(id);
        return {};
      },
    });
    return { folder, server, store };
  };
  let opened: ReturnType<typeof open> | undefined;
  const current = () => {
    const folder = kind.folder();
    if (opened?.folder !== folder) opened = open(folder);
    return opened;
  };

  const handle = async (request: Request, userId: number): Promise<Response> => {
    if (request.method !== 'POST') return current().server.handleWeb(request);
    if (request.headers.has('upload-concat')) throw new AppError('bad_request', NO_CONCAT);
    const leave = await beginnings.enter(String(userId));
    if (!leave) throw tooMany();
    try {
      return await current().server.handleWeb(request);
    } finally {
      leave();
    }
  };
  const find = async (id: string): Promise<FoundUpload | null> => {
    try {
      const { size = 0, offset, metadata = {}, storage } = await current().store.getUpload(id);
      return { file: storage!.path, size, arrived: offset, kept: metadata };
    } catch (error) {
      // As the protocol's store says that there is none.
      if ([404, 410].includes((error as { status_code?: number }).status_code ?? 0)) return null;
      throw error;
    }
  };

  return {
    async answer(request, user) {
      const headers = new Headers(request.headers);
      headers.set(UPLOADER, String(user.id));
      const hasId = /\/[0-9a-f]{32}$/.test(new URL(request.url).pathname);
      if (request.method !== 'POST' && !hasId) throw new AppError('not_found', 'Upload not found');
      const answer = await handle(new Request(request, { headers }), user.id);
      if (answer.ok) return answer;
      const message = (await answer.text()).trim();
      const code = CODES[answer.status] ?? (answer.status < 500 ? 'bad_request' : 'unavailable');
      if (code === 'unavailable' && (await freeBytes()) < FULL_BYTES) throw noRoom();
      throw new AppError(code, message, {
        ...(code === 'unavailable' ? { retryAfterSeconds: 2 } : { fields: { file: message } }),
      });
    },
    find,
    async list() {
      const ids = (await current().store.configstore.list?.()) ?? [];
      return (await Promise.all(ids.map(find))).filter((one) => one !== null);
    },
  };
}

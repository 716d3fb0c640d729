import { DetailedError, Upload } from 'tus-js-client';
import { readAuth } from '#src/shared/auth-storage.ts';

export const PART_BYTES = 8 * 1_048_576;
/** Milliseconds before each further try. */
const RETRY_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];

function withToken(): Record<string, string> {
  const token = readAuth()?.token;
  return token ? { authorization: `Bearer ${token}` } : {};
}

function sentenceOf(error: Error, goOn: string): string {
  const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined;
  try {
    const { message } = JSON.parse(body ?? '') as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Another server's answer.
  }
  return error instanceof DetailedError
    ? `The connection was lost. What has arrived is kept: ${goOn}.`
    : 'The file could not be read. If it was changed after you chose it, choose it again.';
}

/** Null before the server gives one. */
export const uploadId = (upload: Upload | null): string | null => upload?.url?.split('/').at(-1) ?? null;

/**
 * Sends a file part by part; the same file chosen again goes on where it stopped.
 * @param key separates uploads of the same file
 */
export async function sendResumably(
  file: File,
  {
    endpoint,
    key,
    metadata,
    goOn,
    onProgress,
    onProblem,
    onArrived,
  }: {
    endpoint: string;
    key: string;
    metadata: Record<string, string>;
    /** Such as "choose the same file to go on". */
    goOn: string;
    onProgress: (bytes: number) => void;
    onProblem: (sentence: string, id: string | null) => void;
    onArrived: (id: string) => void;
  },
): Promise<Upload> {
  const sending: Upload = new Upload(file, {
    endpoint,
    chunkSize: PART_BYTES,
    retryDelays: RETRY_MS,
    removeFingerprintOnSuccess: true,
    metadata: { filename: file.name, ...metadata },
    fingerprint: async () => [key, file.name, file.size, file.lastModified].join('-'),
    onBeforeRequest: (request) => {
      for (const [name, value] of Object.entries(withToken())) request.setHeader(name, value);
    },
    onProgress,
    onError: (error) => onProblem(sentenceOf(error, goOn), uploadId(sending)),
    onSuccess: () => onArrived(uploadId(sending)!),
  });
  const [previous] = await sending.findPreviousUploads();
  if (previous) sending.resumeFromPreviousUpload(previous);
  sending.start();
  return sending;
}

export const discardUpload = (endpoint: string, id: string): Promise<void> =>
  Upload.terminate(`${endpoint}/${id}`, { headers: withToken(), retryDelays: null });

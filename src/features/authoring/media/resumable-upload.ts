import { useEffect, useRef, useState } from 'react';
import { DetailedError, Upload } from 'tus-js-client';
import { useLatest } from '#src/components/use-latest.ts';
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

const uploadId = (upload: Upload | null): string | null => upload?.url?.split('/').at(-1) ?? null;

/**
 * Sends a file part by part; the same file chosen again goes on where it stopped.
 * @param key separates uploads of the same file
 * @param goOn such as "choose the same file to go on"
 * @param events `onArrived` gets the id of the complete upload
 */
export function useUpload(
  {
    endpoint,
    key,
    goOn,
    metadata,
  }: { endpoint: string; key: string; goOn: string; metadata?: Record<string, string> },
  events: { onProblem: (sentence: string, id: string | null) => void; onArrived: (id: string) => void },
) {
  const [sent, setSent] = useState<{ file: File; bytes: number; isPaused: boolean } | null>(null);
  const [arrived, setArrived] = useState<string | null>(null);
  const upload = useRef<Upload | null>(null);
  const run = useRef(0);
  const ending = useRef<Promise<unknown> | undefined>(undefined);
  const latest = useLatest(events);

  useEffect(() => () => void upload.current?.abort(), []);

  const setPaused = (isPaused: boolean) => setSent((now) => now && { ...now, isPaused });

  const start = async (file: File) => {
    const own = ++run.current;
    setSent({ file, bytes: 0, isPaused: false });
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
      onProgress: (bytes) => setSent({ file, bytes, isPaused: false }),
      onError: (error) => {
        const id = uploadId(sending);
        if (id) setPaused(true);
        else setSent(null);
        latest.current.onProblem(sentenceOf(error, goOn), id);
      },
      onSuccess: () => {
        const id = uploadId(sending)!;
        setSent(null);
        setArrived(id);
        latest.current.onArrived(id);
      },
    });
    // One that is being deleted is still among the previous ones.
    await ending.current;
    const [previous] = await sending.findPreviousUploads();
    if (own !== run.current) return;
    upload.current = sending;
    if (previous) sending.resumeFromPreviousUpload(previous);
    sending.start();
  };

  const pause = async () => {
    await upload.current?.abort();
    setPaused(true);
    return uploadId(upload.current);
  };

  const resume = () => {
    setPaused(false);
    upload.current?.start();
  };

  const forget = () => {
    run.current += 1;
    upload.current = null;
    setSent(null);
    setArrived(null);
  };

  const discard = () => {
    ending.current = upload.current?.abort(true).catch(() => {});
    forget();
  };

  return { sent, arrived, start, pause, resume, forget, discard };
}

export const discardUpload = (endpoint: string, id: string): Promise<void> =>
  Upload.terminate(`${endpoint}/${id}`, { headers: withToken(), retryDelays: null });

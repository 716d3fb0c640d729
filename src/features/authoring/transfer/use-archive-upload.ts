import { useEffect, useRef, useState } from 'react';
import type { Upload } from 'tus-js-client';
import { useLatest } from '#src/components/use-latest.ts';
import { sendResumably } from '#src/features/authoring/media/resumable-upload.ts';
import { ARCHIVE_UPLOADS_PATH } from './course-files.ts';

interface Sent {
  bytes: number;
  isPaused: boolean;
}

/**
 * Sends an archive part by part; waits when the connection is lost.
 * @param onArrived gets the id of the complete upload
 */
export function useArchiveUpload(onArrived: (id: string) => void, onProblem: (sentence: string) => void) {
  const [sent, setSent] = useState<Sent | null>(null);
  const [arrived, setArrived] = useState<string | null>(null);
  const upload = useRef<Upload | null>(null);
  const run = useRef(0);
  const events = useLatest({ onArrived, onProblem });

  useEffect(() => () => void upload.current?.abort(), []);

  const start = async (file: File) => {
    const own = ++run.current;
    setSent({ bytes: 0, isPaused: false });
    const sending = await sendResumably(file, {
      endpoint: ARCHIVE_UPLOADS_PATH,
      key: 'course',
      metadata: {},
      goOn: 'resume when it is back',
      onProgress: (bytes) => setSent({ bytes, isPaused: false }),
      onProblem: (sentence, id) => {
        setSent((now) => (id && now ? { ...now, isPaused: true } : null));
        events.current.onProblem(sentence);
      },
      onArrived: (id) => {
        setSent(null);
        setArrived(id);
        events.current.onArrived(id);
      },
    });
    if (own === run.current) upload.current = sending;
    else void sending.abort(true).catch(() => {});
  };

  const pause = async () => {
    await upload.current?.abort();
    setSent((now) => now && { ...now, isPaused: true });
  };

  const resume = () => {
    setSent((now) => now && { ...now, isPaused: false });
    upload.current?.start();
  };

  const forget = () => {
    run.current += 1;
    upload.current = null;
    setSent(null);
    setArrived(null);
  };

  /** The server sweeps what this request misses. */
  const discard = () => {
    void upload.current?.abort(true).catch(() => {});
    forget();
  };

  return { sent, arrived, start, pause, resume, forget, discard };
}

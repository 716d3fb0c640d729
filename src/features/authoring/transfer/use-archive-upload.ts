import { useEffect, useRef, useState } from 'react';
import type { Upload } from 'tus-js-client';
import { useLatest } from '#src/components/use-latest.ts';
import { sendResumably } from '#src/features/authoring/media/resumable-upload.ts';
import { ARCHIVE_UPLOADS_PATH } from './course-files.ts';

/** How far an archive has come on its way. */
interface Sent {
  bytes: number;
  isPaused: boolean;
}

/**
 * Sends the archive of a course part by part; it waits for its sender when the connection is lost.
 *
 * @param onArrived gets the id of an upload of which every byte is there
 */
export function useArchiveUpload(onArrived: (id: string) => void, onProblem: (sentence: string) => void) {
  const [sent, setSent] = useState<Sent | null>(null);
  /** The id of an upload of which every byte is there. */
  const [arrived, setArrived] = useState<string | null>(null);
  const upload = useRef<Upload | null>(null);
  const run = useRef(0);
  const events = useLatest({ onArrived, onProblem });

  // The connection belongs to this page; what has arrived does not.
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

  /** Ends the connection; what has arrived is kept. */
  const pause = async () => {
    await upload.current?.abort();
    setSent((now) => now && { ...now, isPaused: true });
  };

  const resume = () => {
    setSent((now) => now && { ...now, isPaused: false });
    upload.current?.start();
  };

  /** Forgets the upload here. */
  const forget = () => {
    run.current += 1;
    upload.current = null;
    setSent(null);
    setArrived(null);
  };

  /** Forgets the upload, here and on the server; what cannot be told there is swept. */
  const discard = () => {
    void upload.current?.abort(true).catch(() => {});
    forget();
  };

  return { sent, arrived, start, pause, resume, forget, discard };
}

import { Upload } from 'lucide-react';
import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { buttonClass } from '#src/components/button.ts';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { ApiError, messageOf } from '#src/shared/api.ts';
import type { Contract } from '#src/shared/contract.ts';
import { upload } from '#src/shared/upload.ts';
import type { z } from 'zod';

/** Sends pasted or dropped files. */
export interface Uploader {
  send: (file: File) => Promise<void>;
  choose: () => void;
}

/** Chooses a file and sends it at once, with progress and a way to stop. */
export function UploadButton<O extends z.ZodType, P extends z.ZodType | undefined = undefined>({
  ref,
  contract,
  params,
  label,
  accept,
  maxBytes,
  onDone,
  onError,
}: {
  ref?: Ref<Uploader>;
  contract: Contract<P, undefined, undefined, O>;
  params?: Parameters<typeof upload<P, O>>[1]['params'];
  label: string;
  accept: string;
  maxBytes: number;
  onDone: (answer: z.output<O>) => void;
  onError: (message: string) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController | null>(null);
  const [share, setShare] = useState<number | null>(null);

  const send = async (file: File) => {
    onError('');
    if (file.size > maxBytes) {
      onError(`The file must not be larger than ${Math.floor(maxBytes / 1_048_576)} MB.`);
      return;
    }
    const form = new FormData();
    form.append('file', file);
    stop.current = new AbortController();
    setShare(0);
    try {
      onDone(await upload(contract, { params, form, onProgress: setShare, signal: stop.current.signal }));
    } catch (error) {
      if (!stop.current.signal.aborted) {
        const named = error instanceof ApiError ? Object.values(error.fields)[0] : undefined;
        onError(named ?? messageOf(error, 'The upload did not work. Please try again.'));
      }
    } finally {
      setShare(null);
    }
  };
  useImperativeHandle(ref, () => ({ send, choose: () => input.current?.click() }));

  if (share !== null) {
    return (
      <div className="flex min-h-11 items-center gap-3">
        <div className="min-w-32 flex-1">
          <ProgressBar value={Math.round(share * 100)} label="Upload" size="sm" />
        </div>
        <button
          type="button"
          className={buttonClass({ variant: 'secondary', size: 'sm' })}
          onClick={() => stop.current?.abort()}
        >
          Stop
        </button>
      </div>
    );
  }
  return (
    <span className="relative inline-flex">
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        className="peer absolute inset-0 cursor-pointer opacity-0"
        onChange={({ currentTarget: input }) => {
          const file = input.files?.[0];
          // Lets the same file be chosen again.
          input.value = '';
          if (file) void send(file);
        }}
      />
      <label
        htmlFor={id}
        className={buttonClass(
          { variant: 'secondary', size: 'sm' },
          'min-h-11 cursor-pointer peer-hover:border-ink peer-hover:bg-sunken peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
        )}
      >
        <Upload aria-hidden="true" /> {label}
      </label>
    </span>
  );
}

import { Upload } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { Field } from '#src/components/Field.tsx';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { sizeInKb } from '#src/features/lessons/addresses.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { upload } from '#src/shared/upload.ts';
import { draftOf } from '#src/shared/drafts.ts';
import {
  SUBMISSION_EXTENSIONS,
  SUBMISSION_FILE_MAX_BYTES,
  SUBMISSION_MAX,
} from '#src/features/learn/progress/learn.ts';
import {
  type AssignmentModel,
  type HandedIn,
  submitAssignmentCall,
  submitAssignmentFileCall,
} from '#src/features/learn/schema.ts';

const MAX_MB = SUBMISSION_FILE_MAX_BYTES / 1_048_576;

/** Hands in a text or a file (decision 37); what is typed is a draft. */
export function SubmissionForm({
  lessonId,
  userId,
  present,
  onDone,
  onCancel,
}: {
  lessonId: number;
  userId: number;
  present: AssignmentModel | null;
  onDone: (work: HandedIn) => void;
  onCancel: (() => void) | null;
}) {
  const [kind, setKind] = useState<'text' | 'file'>(present?.file ? 'file' : 'text');
  const [text, setText] = useState(present?.submission ?? '');
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string>();
  // The share of a file that has arrived; null while nothing is sent.
  const [sending, setSending] = useState<{ share: number | null } | null>(null);
  const stop = useRef<AbortController | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const draft = draftOf('assignment', userId, lessonId);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is opened
  useEffect(() => {
    const kept = draft.read();
    if (kept) {
      setText(kept);
      setKind('text');
    }
    return () => stop.current?.abort();
  }, []);

  function chooseFile(chosen: File | null) {
    setError(undefined);
    setFile(chosen);
    if (!chosen) return;
    const extension = chosen.name.split('.').at(-1)?.toLowerCase() ?? '';
    if (chosen.size > SUBMISSION_FILE_MAX_BYTES) setError(`The file must not be larger than ${MAX_MB} MB.`);
    else if (chosen.size === 0) setError('The file is empty');
    else if (!SUBMISSION_EXTENSIONS.includes(extension)) {
      setError(`This kind of file is not taken. Hand in one of: ${SUBMISSION_EXTENSIONS.join(', ')}`);
    }
  }

  async function send(): Promise<HandedIn> {
    if (kind === 'text') {
      return call(submitAssignmentCall, { params: { id: lessonId }, input: { submission: text } });
    }
    const form = new FormData();
    form.append('file', file!);
    stop.current = new AbortController();
    setSending({ share: 0 });
    return upload(submitAssignmentFileCall, {
      params: { id: lessonId },
      form,
      onProgress: (share) => setSending({ share }),
      signal: stop.current.signal,
    });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending) return;
    if (kind === 'text' && text.trim() === '') return setError('Write something before you hand it in');
    if (kind === 'file' && !file) return setError('Choose a file');
    if (kind === 'file' && error) return;
    setSending({ share: null });
    setError(undefined);
    try {
      const work = await send();
      draft.clear();
      onDone(work);
    } catch (problem) {
      const fields = problem instanceof ApiError ? Object.values(problem.fields) : [];
      setError(fields[0] ?? messageOf(problem, 'It could not be sent. Nothing is lost: please try again.'));
    } finally {
      setSending(null);
    }
  }

  const over = text.length > SUBMISSION_MAX;
  return (
    <form onSubmit={submit} noValidate className="mt-5 grid gap-4">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">How to hand in</legend>
        {(['text', 'file'] as const).map((one) => (
          <label
            key={one}
            className="inline-flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md border border-line-strong px-4 font-semibold transition-colors hover:border-ink has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="submission-kind"
              checked={kind === one}
              onChange={() => {
                setKind(one);
                setError(undefined);
              }}
              className="size-4.5 accent-accent outline-none"
            />
            {one === 'text' ? 'Write a text' : 'Upload a file'}
          </label>
        ))}
      </fieldset>
      {kind === 'text' ? (
        <Field
          label="Your text"
          required
          error={
            over ? `The text must be at most ${SUBMISSION_MAX.toLocaleString('en-US')} characters` : error
          }
          aside={
            <span className="text-ink-soft tabular-nums">
              {text.length.toLocaleString('en-US')} of {SUBMISSION_MAX.toLocaleString('en-US')}
            </span>
          }
        >
          <Textarea
            rows={8}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setError(undefined);
              draft.write(event.target.value);
            }}
          />
        </Field>
      ) : (
        <div>
          <button
            type="button"
            aria-describedby="submission-file-hint submission-file-error"
            onClick={() => input.current?.click()}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              chooseFile(event.dataTransfer.files[0] ?? null);
            }}
            className={classNames(
              'flex w-full flex-wrap items-center justify-center gap-x-3 gap-y-1 rounded-md border border-dashed px-4 py-7 transition-colors hover:border-ink hover:bg-sunken',
              error ? 'border-danger' : 'border-line-strong',
            )}
          >
            <Upload aria-hidden="true" className="size-5 text-ink-soft" />
            {file ? (
              <>
                <span className="max-w-full truncate font-semibold">{file.name}</span>
                <span className="text-sm text-ink-soft tabular-nums">{sizeInKb(file.size)}</span>
              </>
            ) : (
              <span className="font-semibold">Choose a file or drop it here</span>
            )}
          </button>
          <input
            ref={input}
            type="file"
            aria-label="File"
            tabIndex={-1}
            className="sr-only"
            accept={SUBMISSION_EXTENSIONS.map((extension) => `.${extension}`).join(',')}
            onChange={(event) => chooseFile(event.target.files?.[0] ?? null)}
          />
          <p id="submission-file-hint" className="mt-2 text-sm text-ink-soft">
            One file of at most {MAX_MB} MB: a document, table, picture, recording, text or ZIP.
          </p>
          <p
            id="submission-file-error"
            role="alert"
            className="mt-1.5 text-sm font-medium text-danger empty:hidden"
          >
            {error}
          </p>
          {sending?.share != null && (
            <ProgressBar value={sending.share * 100} label="Uploading" className="mt-3" />
          )}
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={sending !== null} disabled={over}>
          Hand in
        </Button>
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            Keep what I handed in
          </Button>
        )}
      </div>
    </form>
  );
}

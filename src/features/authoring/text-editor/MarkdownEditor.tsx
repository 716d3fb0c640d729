import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '#src/components/class-names.ts';
import { Field } from '#src/components/Field.tsx';
import {
  LibraryCourse,
  PictureLibrary,
  picturesOf,
  type Uploads,
} from '#src/features/authoring/media/PictureLibrary.tsx';
import { call } from '#src/shared/api.ts';
import { previewCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { TextField, type TextHandle } from './TextField.tsx';

/** Milliseconds from the last key to the preview. */
const PAUSE_MS = 350;

/** A Markdown text with the server's preview beside it. */
export function MarkdownEditor({
  name,
  label,
  hint,
  initial,
  initialHtml,
  required = false,
  short = false,
  maxLength,
  error,
  onText,
  className,
}: {
  name?: string;
  label: string;
  hint?: string | undefined;
  initial: string;
  /** Rendered; null renders it at once. */
  initialHtml: string | null;
  required?: boolean;
  short?: boolean;
  maxLength: number;
  error?: string | undefined;
  onText?: (text: string) => void;
  className?: string | undefined;
}) {
  const previewId = useId();
  const [text, setText] = useState(initial);
  const [html, setHtml] = useState(initialHtml ?? '');
  const [isStale, setIsStale] = useState(false);
  const shown = useRef(initialHtml === null ? '' : initial);
  const field = useRef<TextHandle>(null);
  const library = useRef<Uploads>(null);
  const courseId = useContext(LibraryCourse);

  const takePictures = (data: DataTransfer) => {
    const files = courseId === null ? [] : picturesOf(data);
    if (files.length > 0) library.current?.add(files);
    return files.length > 0;
  };

  // The preview follows the caret, also after rendering.
  const preview = useRef<HTMLDivElement>(null);
  const place = useRef(0);
  const follow = () => {
    const { scrollHeight, clientHeight } = preview.current!;
    preview.current!.scrollTop = place.current * (scrollHeight - clientHeight);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is rendered anew
  useLayoutEffect(follow, [html]);

  useEffect(() => {
    if (text === shown.current) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await call(previewCall, { input: { content: text }, signal: abort.signal });
        shown.current = text;
        setHtml(answer.html);
        setIsStale(false);
      } catch {
        if (!abort.signal.aborted) setIsStale(true);
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);

  return (
    <div className={classNames('grid gap-5 lg:grid-cols-2', className)}>
      <Field label={label} {...(hint ? { hint } : {})} required={required} optional={!required} error={error}>
        <TextField
          ref={field}
          name={name}
          initial={initial}
          maxLength={maxLength}
          short={short}
          onText={(typed) => {
            setText(typed);
            onText?.(typed);
          }}
          takeFiles={takePictures}
          onPicture={courseId === null ? null : () => library.current?.choose()}
          onMove={(share) => {
            place.current = share;
            follow();
          }}
        />
      </Field>
      <div className="flex min-w-0 flex-col gap-1.5">
        <p id={previewId} className="text-sm font-semibold">
          Preview
        </p>
        <p className="text-sm text-ink-soft" aria-live="polite">
          {isStale ? 'The preview could not be brought up to date.' : 'As learners will see it.'}
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; a landmark's name would have to be unique */}
        <div
          ref={preview}
          role="group"
          aria-labelledby={previewId}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and arrow keys must reach it
          tabIndex={0}
          className={classNames(
            'mt-auto overflow-y-auto rounded-md border border-line bg-surface px-5 py-4',
            short ? 'h-44' : 'h-96 lg:h-[30rem]',
          )}
        >
          {html ? (
            // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server's one Markdown renderer
            <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
          ) : (
            <p className="text-ink-soft">Nothing written yet.</p>
          )}
        </div>
      </div>
      {courseId !== null && (
        <PictureLibrary
          ref={library}
          courseId={courseId}
          onInsert={(...inserted) => field.current!.insert(...inserted)}
          className="lg:col-span-2"
        />
      )}
    </div>
  );
}

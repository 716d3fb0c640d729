import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { ImagePlus, Trash2 } from 'lucide-react';
import { createContext, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { classNames } from '#src/components/class-names.ts';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import { pictureFacts, pictureMarkdown, smallPicture } from '#src/shared/pictures.ts';
import { UploadButton, type Uploader } from '#src/features/authoring/lesson-editor/UploadButton.tsx';
import {
  ALT_MAX,
  describePictureCall,
  listPicturesCall,
  PICTURE_MAX_BYTES,
  type PictureModel,
  removePictureCall,
  uploadPictureCall,
} from './schema.ts';

/** The course whose pictures a text may show; null for a new one. */
export const LibraryCourse = createContext<number | null>(null);

/** For the text beside the library. */
export interface Uploads {
  add: (files: readonly File[]) => void;
  choose: () => void;
}

export function picturesOf(data: DataTransfer): File[] {
  return [...data.files].filter(({ type }) => type.startsWith('image/'));
}

/** The pictures of a course: adds, describes and inserts them. */
export function PictureLibrary({
  ref,
  courseId,
  onInsert,
  className = '',
}: {
  ref?: Ref<Uploads>;
  courseId: number;
  /** `instead` is replaced where the text has it. */
  onInsert: (markdown: string, instead?: string) => void;
  className?: string;
}) {
  const [open, setOpen] = useState(false);
  const [pictures, setPictures] = useState<PictureModel[] | null>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [problem, setProblem] = useState('');
  const uploader = useRef<Uploader>(null);
  const isForText = useRef(false);
  const panelId = useId();

  useEffect(() => {
    if (!open || isLoaded) return;
    const abort = new AbortController();
    call(listPicturesCall, { params: { id: courseId }, signal: abort.signal }).then(
      (found) => {
        // An upload meanwhile may be in both.
        setPictures((now) => [
          ...(now ?? []),
          ...found.filter(({ id }) => !now?.some((one) => one.id === id)),
        ]);
        setIsLoaded(true);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(messageOf(error, 'The pictures could not be loaded.'));
      },
    );
    return () => abort.abort();
  }, [open, isLoaded, courseId]);

  const add = async (files: readonly File[], toText = false) => {
    isForText.current = toText;
    setOpen(true);
    for (const file of files) await uploader.current?.send(file);
  };
  useImperativeHandle(ref, () => ({
    add: (files) => void add(files, true),
    choose() {
      flushSync(() => setOpen(true));
      uploader.current?.choose();
      isForText.current = true;
    },
  }));

  const put = (picture: PictureModel) =>
    setPictures((now) => [picture, ...(now ?? []).filter(({ id }) => id !== picture.id)]);
  const chosen = pictures?.find(({ id }) => id === chosenId) ?? null;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same files can be chosen by the button inside
    <div
      className={classNames('card', className)}
      // Not a change of the surrounding form.
      onInput={(event) => event.stopPropagation()}
      onClickCapture={() => {
        isForText.current = false;
      }}
      onPaste={(event) => void add(picturesOf(event.clipboardData))}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void add(picturesOf(event.dataTransfer));
      }}
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center gap-2 rounded-lg px-4 text-left font-semibold sm:px-6"
      >
        <ImagePlus aria-hidden="true" className="size-[1.125rem] shrink-0" /> Pictures of this course
      </button>
      <div id={panelId} hidden={!open} className="px-4 pb-5 sm:px-6">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <UploadButton
            ref={uploader}
            contract={uploadPictureCall}
            params={{ id: courseId }}
            label="Upload a picture"
            accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
            maxBytes={PICTURE_MAX_BYTES}
            onDone={(picture) => {
              put(picture);
              setChosenId(picture.id);
              if (isForText.current) onInsert(pictureMarkdown({ ...picture, caption: '' }));
            }}
            onError={setProblem}
          />
          <p className="text-sm text-ink-soft">
            Or paste or drop one here or into the text. PNG, JPEG, WebP, AVIF or GIF, at most{' '}
            {PICTURE_MAX_BYTES / 1_048_576} MB.
          </p>
        </div>
        <p role="alert" className="mt-2 text-sm font-medium text-danger empty:hidden">
          {problem}
        </p>
        {pictures?.length === 0 && <p className="mt-4 text-ink-soft">No pictures yet.</p>}
        {pictures && pictures.length > 0 && (
          <ul className="mt-4 grid max-h-72 grid-cols-3 gap-2 overflow-y-auto p-1 sm:grid-cols-5 lg:grid-cols-8">
            {pictures.map((picture) => (
              <li key={picture.id}>
                <button
                  type="button"
                  aria-pressed={picture.id === chosenId}
                  onClick={() => setChosenId(picture.id)}
                  className="block w-full rounded-md border-2 border-transparent bg-sunken aria-pressed:border-accent"
                >
                  <img
                    src={smallPicture(picture.path)}
                    alt={picture.alt || picture.name}
                    loading="lazy"
                    className="aspect-square w-full rounded-sm object-contain"
                  />
                </button>
              </li>
            ))}
          </ul>
        )}
        {chosen && (
          <ChosenPicture
            key={chosen.id}
            picture={chosen}
            onInsert={onInsert}
            onChange={(picture) =>
              setPictures((now) => now?.map((one) => (one.id === picture.id ? picture : one)) ?? null)
            }
            onRemoved={() => setPictures((now) => now?.filter(({ id }) => id !== chosen.id) ?? null)}
          />
        )}
      </div>
    </div>
  );
}

function ChosenPicture({
  picture,
  onInsert,
  onChange,
  onRemoved,
}: {
  picture: PictureModel;
  onInsert: (markdown: string, instead?: string) => void;
  onChange: (picture: PictureModel) => void;
  onRemoved: () => void;
}) {
  const [alt, setAlt] = useState(picture.alt);
  const [caption, setCaption] = useState('');
  const [isDecorative, setIsDecorative] = useState(false);
  const [error, setError] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const facts = pictureFacts(picture.path);

  // A new picture needs its description at once.
  useEffect(() => {
    if (!picture.alt) field.current?.focus();
  }, [picture.alt]);

  const insert = async () => {
    const words = isDecorative ? '' : alt.trim();
    if (!isDecorative && !words) {
      setError('Alternative text is required');
      field.current?.focus();
      return;
    }
    onInsert(
      pictureMarkdown({ path: picture.path, alt: words, caption }),
      pictureMarkdown({ ...picture, caption: '' }),
    );
    if (isDecorative || words === picture.alt) return;
    // Saved for the next use; the text has its words already.
    await call(describePictureCall, { params: { id: picture.id }, input: { alt: words } }).then(
      onChange,
      () => {},
    );
  };
  const remove = async () => {
    try {
      await call(removePictureCall, { params: { id: picture.id } });
      onRemoved();
    } catch (failure) {
      toastFailure(failure, 'The picture could not be removed.');
    }
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be part of the form around
    <div
      role="group"
      aria-label={`Picture ${picture.name}`}
      className="mt-4 grid gap-4 border-t border-line pt-4"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        void insert();
      }}
    >
      <p className="text-sm break-words text-ink-soft">
        {picture.name}
        {facts && `, ${facts.width} × ${facts.height} pixels`}
        {picture.usedIn.length > 0 && `, shown in: ${picture.usedIn.join(', ')}`}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Alternative text"
          required={!isDecorative}
          hint="What the picture shows, for those who cannot see it."
          error={error}
        >
          <Input
            ref={field}
            value={alt}
            maxLength={ALT_MAX}
            disabled={isDecorative}
            autoComplete="off"
            onChange={(event) => {
              setAlt(event.target.value);
              setError('');
            }}
          />
        </Field>
        <Field label="Caption" optional hint="Stands under the picture.">
          <Input
            value={caption}
            maxLength={ALT_MAX}
            autoComplete="off"
            onChange={(event) => setCaption(event.target.value)}
          />
        </Field>
      </div>
      <Checkbox
        checked={isDecorative}
        onCheckedChange={(checked) => {
          setIsDecorative(checked === true);
          setError('');
        }}
        label="Decoration only"
        hint="It says nothing that the text does not say; screen readers pass over it."
      />
      <div className="flex flex-wrap gap-3">
        <Button size="sm" className="min-h-11" onClick={() => void insert()}>
          Put into the text
        </Button>
        <Button variant="ghost" size="sm" className="min-h-11 text-danger!" onClick={() => void remove()}>
          <Trash2 aria-hidden="true" /> Remove from the library
        </Button>
      </div>
    </div>
  );
}

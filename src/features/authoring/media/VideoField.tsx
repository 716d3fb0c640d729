import { Upload as UploadIcon } from 'lucide-react';
import { useContext, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { buttonClass } from '#src/components/button.ts';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { LibraryCourse } from './PictureLibrary.tsx';
import { CONVERTED_ENDINGS, PLAYED_ENDINGS, VIDEO_MAX_BYTES, type VideoModel } from './schema.ts';
import { useVideoUpload } from './use-video-upload.ts';

const shownSize = (bytes: number) =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;

/** The address of a lesson's video, with a button that uploads one, and its progress. */
export function VideoField({
  initial,
  error,
  maxLength,
  onChange,
  onVideo,
}: {
  initial: string;
  error: string | undefined;
  maxLength: number;
  onChange: () => void;
  onVideo: (video: VideoModel) => void;
}) {
  const courseId = useContext(LibraryCourse);
  const [address, setAddress] = useState(initial);
  const inputId = useId();
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => setAddress(field.current!.value), []);

  const { converts, videos, sent, problem, start, pause, discard } = useVideoUpload(courseId, (video) => {
    setAddress(video.path!);
    onVideo(video);
    onChange();
  });
  const endings = converts ? CONVERTED_ENDINGS : PLAYED_ENDINGS;
  const shown = videos.filter(
    ({ status, path, name, size }) =>
      (status !== 'ready' || path === address) && !(sent?.file.name === name && sent.file.size === size),
  );

  return (
    <div>
      <Field
        label="File URL"
        required
        hint="An uploaded video, a YouTube or Vimeo link, or the https:// address of an MP4 or WebM file."
        error={error ?? (problem || undefined)}
      >
        <Input
          ref={field}
          name="fileUrl"
          value={address}
          maxLength={maxLength}
          onChange={(event) => {
            setAddress(event.target.value);
            onChange();
          }}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {courseId !== null && (
        <div className="mt-3 grid gap-3">
          {sent ? (
            <div className="flex min-h-11 flex-wrap items-end gap-3">
              <ProgressBar
                className="min-w-0 flex-1 basis-56 break-all"
                value={Math.floor((sent.bytes / sent.file.size) * 100)}
                label={`${sent.file.name}, ${shownSize(sent.file.size)}`}
              />
              <Button variant="secondary" size="sm" onClick={() => void pause()}>
                Pause
              </Button>
            </div>
          ) : (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <span className="relative inline-flex">
                <input
                  id={inputId}
                  type="file"
                  accept={[...endings.map((ending) => `.${ending}`), 'video/*'].join(',')}
                  className="peer absolute inset-0 cursor-pointer opacity-0"
                  onChange={({ currentTarget: input }) => {
                    const file = input.files?.[0];
                    // Lets the same file be chosen again.
                    input.value = '';
                    if (file) void start(file);
                  }}
                />
                <label
                  htmlFor={inputId}
                  className={buttonClass(
                    { variant: 'secondary', size: 'sm' },
                    'min-h-11 cursor-pointer peer-hover:border-ink peer-hover:bg-sunken peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
                  )}
                >
                  <UploadIcon aria-hidden="true" /> Upload a video
                </label>
              </span>
              <p className="text-sm text-ink-soft">
                {endings.join(', ')}; at most {VIDEO_MAX_BYTES / 1e9} GB.
              </p>
            </div>
          )}
          <ul aria-label="Uploaded videos" aria-live="polite" className="grid gap-3 empty:hidden">
            {shown.map((video) => (
              <li key={video.id} className="flex flex-wrap items-end gap-3">
                <VideoState video={video} />
                {video.status === 'arriving' && (
                  <Button variant="secondary" size="sm" onClick={() => void discard(video.id)}>
                    Discard
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function VideoState({ video: { name, size, status, arrived, percent, message } }: { video: VideoModel }) {
  const label = `${name}, ${shownSize(size)}`;
  switch (status) {
    case 'arriving':
      return (
        <div className="min-w-0 flex-1 basis-56">
          <ProgressBar className="break-all" value={Math.floor((arrived / size) * 100)} label={label} />
          <p className="mt-1 text-sm text-ink-soft">Not all of it is here. Choose the same file to go on.</p>
        </div>
      );
    case 'converting':
      return (
        <ProgressBar
          className="min-w-0 flex-1 basis-56 break-all"
          value={percent}
          label={`${label}: being converted. You can save the lesson meanwhile.`}
        />
      );
    default: {
      const words = { checking: 'being checked…', ready: 'ready.', failed: 'not usable.' }[status];
      return (
        <p className={`text-sm break-words ${status === 'failed' ? 'text-danger' : 'text-ink-soft'}`}>
          {label}: {words} {message}
        </p>
      );
    }
  }
}

import { useState } from 'react';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { sizeInKb } from '#src/features/catalogue/catalogue.ts';
import { LESSON_FILE_MAX_BYTES } from '#src/features/learn/progress/learn.ts';
import { uploadLessonFileCall } from '#src/features/learn/schema.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { LESSON_MAX } from './schema.ts';
import { UploadButton } from './UploadButton.tsx';

const ACCEPT = {
  video: 'video/mp4,video/webm',
  document: '.pdf,.txt,.md,.csv,.zip,.docx,.xlsx,.pptx,image/png,image/jpeg',
  captions: '.vtt,text/vtt',
};

type Files = { fileUrl: string; captionsUrl: string };

/** The file of a video or document lesson, and what belongs to a video beside it. */
export function LessonFileParts({
  type,
  files,
  durationSeconds,
  watchRequired,
  errors,
  onChange,
}: {
  type: 'video' | 'document';
  files: Files;
  durationSeconds: number | null;
  watchRequired: { defaultChecked: boolean; onCheckedChange: (checked: boolean | 'indeterminate') => void };
  errors: FieldErrors;
  onChange: (part: Partial<Files>) => void;
}) {
  const [uploaded, setUploaded] = useState('');
  const [uploadErrors, setUploadErrors] = useState({ file: '', captions: '' });
  return (
    <div className="grid gap-5 rounded-lg border border-line bg-surface px-4 py-5 sm:px-6">
      <div>
        <Field
          label="File URL"
          required
          hint={
            type === 'video'
              ? 'An uploaded video (MP4 or WebM), or an https:// address.'
              : 'An uploaded file, or an https:// address.'
          }
          error={errors.fileUrl ?? (uploadErrors.file || undefined)}
        >
          <Input
            name="fileUrl"
            value={files.fileUrl}
            maxLength={LESSON_MAX.fileUrl}
            onChange={(event) => onChange({ fileUrl: event.target.value })}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <UploadButton
            contract={uploadLessonFileCall}
            label={type === 'video' ? 'Upload a video' : 'Upload a file'}
            accept={ACCEPT[type]}
            maxBytes={LESSON_FILE_MAX_BYTES}
            onDone={({ fileUrl: address, name, fileSize }) => {
              onChange({ fileUrl: address });
              setUploaded(`${name}, ${sizeInKb(fileSize)}`);
            }}
            onError={(message) => setUploadErrors((all) => ({ ...all, file: message }))}
          />
          <p aria-live="polite" className="text-sm break-all text-ink-soft">
            {uploaded && `Uploaded: ${uploaded}. Save the lesson to use it.`}
          </p>
        </div>
      </div>
      {type === 'video' && (
        <>
          <div>
            <Field
              label="Captions URL"
              optional
              hint="A WebVTT file, for those who cannot hear the video."
              error={errors.captionsUrl ?? (uploadErrors.captions || undefined)}
            >
              <Input
                name="captionsUrl"
                value={files.captionsUrl}
                maxLength={LESSON_MAX.fileUrl}
                onChange={(event) => onChange({ captionsUrl: event.target.value })}
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
            <div className="mt-3">
              <UploadButton
                contract={uploadLessonFileCall}
                label="Upload captions"
                accept={ACCEPT.captions}
                maxBytes={LESSON_FILE_MAX_BYTES}
                onDone={({ fileUrl: address }) => {
                  onChange({ captionsUrl: address });
                }}
                onError={(message) => setUploadErrors((all) => ({ ...all, captions: message }))}
              />
            </div>
          </div>
          <Field
            label="Length in seconds"
            optional
            hint="Needed where the video must be watched."
            error={errors.durationSeconds}
            className="sm:max-w-60"
          >
            <Input
              name="durationSeconds"
              inputMode="numeric"
              autoComplete="off"
              defaultValue={durationSeconds ?? ''}
            />
          </Field>
          <Checkbox
            {...watchRequired}
            label="Must be watched"
            hint="Learners complete it once 90% of the video was played."
          />
        </>
      )}
    </div>
  );
}

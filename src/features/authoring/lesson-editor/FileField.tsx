import { useState } from 'react';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { sizeInKb } from '#src/features/lessons/addresses.ts';
import { LESSON_FILE_MAX_BYTES } from '#src/features/learn/progress/learn.ts';
import { uploadLessonFileCall } from '#src/features/learn/schema.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { UploadButton } from './UploadButton.tsx';

/** The address of a lesson's file, with a button that uploads one. */
export function FileField({
  name,
  label,
  required = false,
  hint,
  initial,
  error,
  uploadLabel,
  accept,
  onChange,
  tellsUpload = false,
}: {
  /** Without a name the caller holds the address. */
  name?: string;
  label: string;
  required?: boolean;
  hint: string;
  initial: string;
  error: string | undefined;
  uploadLabel: string;
  accept: string;
  onChange: (address: string) => void;
  tellsUpload?: boolean;
}) {
  const [address, setAddress] = useState(initial);
  const [uploaded, setUploaded] = useState('');
  const [uploadError, setUploadError] = useState('');
  const put = (value: string) => {
    setAddress(value);
    onChange(value);
  };
  return (
    <div>
      <Field
        label={label}
        required={required}
        optional={!required}
        hint={hint}
        error={error ?? (uploadError || undefined)}
      >
        <Input
          name={name}
          value={address}
          maxLength={LESSON_MAX.fileUrl}
          onChange={(event) => put(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <div className={tellsUpload ? 'mt-3 flex flex-wrap items-center gap-x-4 gap-y-2' : 'mt-3'}>
        <UploadButton
          contract={uploadLessonFileCall}
          label={uploadLabel}
          accept={accept}
          maxBytes={LESSON_FILE_MAX_BYTES}
          onDone={({ fileUrl, name: fileName, fileSize }) => {
            put(fileUrl);
            setUploaded(`${fileName}, ${sizeInKb(fileSize)}`);
          }}
          onError={setUploadError}
        />
        {tellsUpload && (
          <p aria-live="polite" className="text-sm break-all text-ink-soft">
            {uploaded && `Uploaded: ${uploaded}. Save the lesson to use it.`}
          </p>
        )}
      </div>
    </div>
  );
}

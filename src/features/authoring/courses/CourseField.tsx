import { useState } from 'react';
import { Field, type FieldProps } from '#src/components/Field.tsx';
import { typedNumber } from '#src/components/form-values.ts';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { Thumbnail } from '#src/features/catalogue/Thumbnail.tsx';
import { UploadButton } from '#src/features/authoring/lesson-editor/UploadButton.tsx';
import { MarkdownEditor } from '#src/features/authoring/text-editor/MarkdownEditor.tsx';
import { COURSE_FIELDS, type CourseForm, type FormPart, formPart } from './course-fields.ts';
import { THUMBNAIL_MAX_BYTES, uploadThumbnailCall } from './schema.ts';

interface Props {
  name: keyof CourseForm;
  error: string | undefined;
  categories: { id: number; name: string }[];
  isOptional: boolean | undefined;
  start: string;
  courseTitle?: string | undefined;
  /** An upload fires no form event. */
  onUpload?: () => void;
}

/** Typed fields of a course, for the calls. */
export const typedFields = <F extends keyof CourseForm>(
  names: readonly F[],
  typed: (name: string) => string,
) =>
  Object.fromEntries(
    names.map((name) => {
      const { kind } = formPart(name).control;
      return [name, kind === 'number' || kind === 'category' ? typedNumber(typed(name)) : typed(name)];
    }),
  ) as Record<F, string | number | undefined>;

/** One field of a course as `COURSE_FIELDS` describes it. */
export function CourseField({
  name,
  error,
  categories,
  isOptional,
  start,
  courseTitle = 'Course title',
  onUpload,
}: Props) {
  const { control, hint, half } = formPart(name);
  const said = {
    label: COURSE_FIELDS[name].label,
    // A choice always has a value.
    ...(!isOptional ? { required: true } : control.kind === 'choice' ? {} : { optional: true }),
    ...(hint ? { hint } : {}),
    className: half ? '' : 'col-span-full',
  };
  if (control.kind === 'picture') {
    return <PictureField {...{ said, name, error, start, onUpload }} title={courseTitle} max={control.max} />;
  }
  if (control.kind === 'markdown') {
    return (
      <MarkdownEditor
        {...said}
        {...{ name, error }}
        maxLength={control.max}
        short
        initial={start}
        initialHtml={null}
      />
    );
  }
  return (
    <Field {...said} error={error}>
      {control.kind === 'text' ? (
        <Textarea name={name} defaultValue={start} rows={5} maxLength={control.max} />
      ) : control.kind === 'category' || control.kind === 'choice' ? (
        <Select
          name={name}
          {...(start ? { defaultValue: start } : {})}
          options={
            control.kind === 'choice'
              ? control.choices
              : categories.map(({ id, name }) => ({ value: String(id), label: name }))
          }
        />
      ) : (
        <Input name={name} defaultValue={start} {...inputOf(control)} />
      )}
    </Field>
  );
}

function inputOf(control: FormPart['control']): React.ComponentProps<typeof Input> {
  if (control.kind === 'price') return { type: 'number', step: '0.01', min: '0', inputMode: 'decimal' };
  if (control.kind === 'number') return { inputMode: 'numeric', autoComplete: 'off' };
  return 'max' in control ? { maxLength: control.max, autoComplete: 'off' } : {};
}

function PictureField({
  said,
  title,
  name,
  start,
  error,
  max,
  onUpload,
}: {
  said: Omit<FieldProps, 'children'>;
  title: string;
  name: string;
  start: string;
  error: string | undefined;
  max: number;
  onUpload: (() => void) | undefined;
}) {
  const [address, setAddress] = useState(start);
  const [uploadError, setUploadError] = useState('');
  return (
    <div className="col-span-full grid gap-3 sm:grid-cols-[minmax(0,1fr)_11rem]">
      <div>
        <Field {...said} error={error ?? (uploadError || undefined)}>
          <Input
            name={name}
            value={address}
            maxLength={max}
            onChange={(event) => setAddress(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <div className="mt-3">
          <UploadButton
            contract={uploadThumbnailCall}
            label="Upload a picture"
            accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
            maxBytes={THUMBNAIL_MAX_BYTES}
            onDone={({ thumbnail }) => {
              onUpload?.();
              setAddress(thumbnail);
            }}
            onError={setUploadError}
          />
        </div>
      </div>
      <Thumbnail course={{ title, thumbnail: address }} className="self-start max-sm:max-w-60" />
    </div>
  );
}

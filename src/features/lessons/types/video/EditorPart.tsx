import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import type { EditorPartProps } from '#src/features/authoring/lesson-editor/lessons.ts';
import { FileField } from '#src/features/authoring/lesson-editor/FileField.tsx';

/** The file of a video lesson, its captions, its length, and whether it must be watched. */
export function VideoPart({ lesson, errors, onChange, tick }: EditorPartProps) {
  return (
    <div className="grid gap-5 rounded-lg border border-line bg-surface px-4 py-5 sm:px-6">
      <FileField
        name="fileUrl"
        label="File URL"
        required
        hint="An uploaded video (MP4 or WebM), or an https:// address."
        initial={lesson.fileUrl}
        error={errors.fileUrl}
        uploadLabel="Upload a video"
        accept="video/mp4,video/webm"
        tellsUpload
        onChange={() => onChange()}
      />
      <FileField
        name="captionsUrl"
        label="Captions URL"
        hint="A WebVTT file, for those who cannot hear the video."
        initial={lesson.captionsUrl}
        error={errors.captionsUrl}
        uploadLabel="Upload captions"
        accept=".vtt,text/vtt"
        onChange={() => onChange()}
      />
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
          defaultValue={lesson.durationSeconds ?? ''}
        />
      </Field>
      <Checkbox
        {...tick('watchRequired')}
        label="Must be watched"
        hint="Learners complete it once 90% of the video was played."
      />
    </div>
  );
}

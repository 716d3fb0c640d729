import { useState } from 'react';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import type { EditorPartProps } from '#src/features/authoring/lesson-editor/lessons.ts';
import { FileField } from '#src/features/authoring/lesson-editor/FileField.tsx';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { VideoField } from '#src/features/authoring/media/VideoField.tsx';

/** The file of a video lesson, its captions, its length, and whether it must be watched. */
export function VideoPart({ lesson, errors, onChange, tick }: EditorPartProps) {
  const [seconds, setSeconds] = useState(String(lesson.durationSeconds ?? ''));
  return (
    <div className="grid gap-5 rounded-lg border border-line bg-surface px-4 py-5 sm:px-6">
      <VideoField
        initial={lesson.fileUrl}
        error={errors.fileUrl}
        maxLength={LESSON_MAX.fileUrl}
        onChange={() => onChange()}
        onVideo={({ duration }) => {
          if (duration !== null) setSeconds(String(duration));
        }}
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
        label="Chapters"
        optional
        hint="One a line, each with the time at which it begins: 0:00 Welcome."
        error={errors.chapters}
      >
        <Textarea
          name="chapters"
          rows={4}
          spellCheck
          placeholder={'0:00 Welcome\n1:30 The first knot'}
          defaultValue={lesson.chapters}
        />
      </Field>
      <Field
        label="Length in seconds"
        optional
        hint="Read from an uploaded file. Needed where the video must be watched."
        error={errors.durationSeconds}
        className="sm:max-w-60"
      >
        <Input
          name="durationSeconds"
          inputMode="numeric"
          autoComplete="off"
          value={seconds}
          onChange={(event) => setSeconds(event.target.value)}
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

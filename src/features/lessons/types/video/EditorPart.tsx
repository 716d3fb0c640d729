import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select, type SelectOption } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { LANGUAGES, languageLabel, MORE_CAPTIONS_MAX, type MoreCaptions } from './captions.ts';
import type { EditorPartProps } from '#src/features/authoring/lesson-editor/lessons.ts';
import { FileField } from '#src/features/authoring/lesson-editor/FileField.tsx';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { useFocusAfterDraw } from '#src/components/use-focus-after-draw.ts';
import { VideoField } from '#src/features/authoring/media/VideoField.tsx';

export function VideoPart({ lesson, values, errors, onChange, tick }: EditorPartProps) {
  const [seconds, setSeconds] = useState(String(lesson.durationSeconds ?? ''));
  return (
    <div className="grid gap-5 card px-4 py-5 sm:px-6">
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
      <Field label="Language of these captions" error={errors.captionsLanguage} className="sm:max-w-80">
        <Select
          value={values.captionsLanguage}
          onValueChange={(captionsLanguage) => onChange(() => ({ captionsLanguage }))}
          options={languageOptions(values.captionsLanguage, languagesOf(values.moreCaptions))}
        />
      </Field>
      <MoreCaptionsPart values={values} errors={errors} onChange={onChange} />
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

const languagesOf = (all: readonly MoreCaptions[]) => all.map(({ language }) => language);

function languageOptions(chosen: string, taken: readonly string[]): SelectOption[] {
  // A lesson may have come with a language that the list does not offer.
  const offered = LANGUAGES.includes(chosen) || chosen === '' ? LANGUAGES : [...LANGUAGES, chosen];
  return offered
    .filter((language) => language === chosen || !taken.includes(language))
    .map((value) => ({ value, label: languageLabel(value) }));
}

function MoreCaptionsPart({
  values,
  errors,
  onChange,
}: Pick<EditorPartProps, 'values' | 'errors' | 'onChange'>) {
  const all = values.moreCaptions;
  const focus = useFocusAfterDraw(all);
  const [language, setLanguage] = useState('');
  const change = (changed: string, url: string) =>
    onChange(({ moreCaptions }) => ({
      moreCaptions: moreCaptions.map((one) => (one.language === changed ? { ...one, url } : one)),
    }));
  return (
    <section aria-labelledby="captions-heading">
      <h2 id="captions-heading" className="font-semibold">
        Captions in other languages
      </h2>
      <p className="text-sm text-ink-soft">
        Learners choose among them in the player, which remembers what they chose.
      </p>
      {errors.moreCaptions && (
        <div role="alert">
          <FieldProblem>{errors.moreCaptions}</FieldProblem>
        </div>
      )}
      <ul className="mt-4 space-y-5">
        {all.map((one, index) => (
          <li key={one.language} id={`captions-${one.language}`} className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <FileField
                label={`Captions in ${languageLabel(one.language)}`}
                required
                hint="A WebVTT file."
                initial={one.url}
                error={errors[`moreCaptions.${index}.url`] ?? errors[`moreCaptions.${index}.language`]}
                uploadLabel="Upload captions"
                accept=".vtt,text/vtt"
                onChange={(url) => change(one.language, url)}
              />
            </div>
            <Button
              variant="ghost"
              size="icon"
              className="mt-6.5"
              aria-label={`Remove the captions in ${languageLabel(one.language)}`}
              onClick={() => {
                focus('add-captions');
                onChange(({ moreCaptions }) => ({
                  moreCaptions: moreCaptions.filter((other) => other.language !== one.language),
                }));
              }}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {all.length < MORE_CAPTIONS_MAX && (
        <div className="mt-3 flex flex-wrap items-end gap-3">
          <Field label="Another language" className="min-w-48 flex-1 sm:max-w-80">
            <Select
              value={language}
              onValueChange={setLanguage}
              placeholder="Choose a language"
              options={languageOptions('', [values.captionsLanguage, ...languagesOf(all)])}
            />
          </Field>
          <Button
            id="add-captions"
            variant="ghost"
            className="min-h-11"
            aria-disabled={language === '' || undefined}
            onClick={() => {
              if (language === '') return;
              focus(`captions-${language}`);
              setLanguage('');
              onChange(({ moreCaptions }) => ({ moreCaptions: [...moreCaptions, { language, url: '' }] }));
            }}
          >
            <Plus aria-hidden="true" /> Add captions
          </Button>
        </div>
      )}
    </section>
  );
}

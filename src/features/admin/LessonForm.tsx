import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { useForm } from '#src/features/account/use-form.ts';
import { LEVELS, type Level, levelLabel, sizeInKb } from '#src/features/catalogue/catalogue.ts';
import { LESSON_FILE_MAX_BYTES } from '#src/features/learn/learn.ts';
import { uploadLessonFileCall } from '#src/features/learn/schema.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { formFor, typedNumber } from './form-values.ts';
import { isEditedType, type LessonFields } from './lessons.ts';
import { MarkdownEditor } from './MarkdownEditor.tsx';
import { NewerChange } from './NewerChange.tsx';
import { type DraftQuestion, draftOf, QuestionEditor } from './QuestionEditor.tsx';
import {
  type ChangedFields,
  changedFields,
  createLessonCall,
  LESSON_MAX,
  POINTS_MAX,
  updateLessonCall,
} from './schema.ts';
import { UploadButton } from './UploadButton.tsx';

type NewLesson = z.input<NonNullable<typeof createLessonCall.input>>;
type ChangedLesson = z.input<NonNullable<typeof updateLessonCall.input>>;

const ACCEPT = {
  video: 'video/mp4,video/webm',
  document: '.pdf,.txt,.md,.csv,.zip,.docx,.xlsx,.pptx,image/png,image/jpeg',
  captions: '.vtt,text/vtt',
};

/**
 * The form of a lesson of a course: new (`lessonId` null) or changed. Types that have a builder of their own show what
 * every lesson has.
 */
export function LessonForm({
  courseId,
  lessonId,
  lesson,
  lessonCount,
  sections,
  contentHtml,
}: {
  courseId: number;
  lessonId: number | null;
  lesson: LessonFields;
  /** Lessons of the course, this one included. */
  lessonCount: number;
  sections: string[];
  /** Its text, rendered. */
  contentHtml: string;
}) {
  const { type } = lesson;
  const [questions, setQuestions] = useState<DraftQuestion[]>(() => lesson.questions.map(draftOf));
  const [fileUrl, setFileUrl] = useState(lesson.fileUrl);
  const [captionsUrl, setCaptionsUrl] = useState(lesson.captionsUrl);
  const [uploaded, setUploaded] = useState('');
  const [uploadErrors, setUploadErrors] = useState({ file: '', captions: '' });
  const [newer, setNewer] = useState<ChangedFields | null>(null);
  const version = useRef(lesson.version);
  const isChanged = useRef(false);
  // The schema is made once and must see the questions as they are.
  const asked = useRef(questions);
  asked.current = questions;

  const changed = () => {
    isChanged.current = true;
  };

  // Kept here and not read from the form: its boxes and lists get their form fields only after they are drawn, which is
  // too late for a form that was sent while the page was still starting.
  const chosen = useRef({
    difficulty: lesson.difficulty,
    isPreview: lesson.isPreview,
    requiredToComplete: lesson.requiredToComplete,
    watchRequired: lesson.watchRequired,
    acceptsSubmission: lesson.acceptsSubmission,
  });
  const tick = (name: 'isPreview' | 'requiredToComplete' | 'watchRequired' | 'acceptsSubmission') => ({
    defaultChecked: lesson[name],
    onCheckedChange: (checked: boolean | 'indeterminate') => {
      changed();
      chosen.current[name] = checked === true;
    },
  });

  const read = (typed: (name: string) => string) => ({
    type,
    title: typed('title'),
    section: typed('section'),
    order: typed('order') === String(lesson.order) ? null : (typedNumber(typed('order')) ?? null),
    content: typed('content'),
    fileUrl: typed('fileUrl'),
    captionsUrl: typed('captionsUrl'),
    duration: typed('duration'),
    durationSeconds: typedNumber(typed('durationSeconds')) ?? null,
    ...chosen.current,
    points: typedNumber(typed('points')) ?? 0,
    questions: type === 'quiz' ? asked.current.map(({ key: _, ...question }) => question) : [],
  });
  const [schema] = useState<z.ZodType<NewLesson | ChangedLesson>>(() =>
    lessonId === null
      ? formFor(createLessonCall.input!, read)
      : formFor(updateLessonCall.input!, (typed) => ({ ...read(typed), version: version.current })),
  );

  const fail = (_message: string, error: unknown) => {
    const changed = changedFields.safeParse(error instanceof ApiError ? error.body : null);
    if (changed.success) {
      setNewer(changed.data);
      window.scrollTo({ top: 0 });
      return;
    }
    toast({
      title: 'Error',
      description: messageOf(
        error,
        lessonId === null ? 'Failed to create lesson' : 'Failed to update lesson',
      ),
      variant: 'destructive',
    });
  };

  const { errors, sending, ...form } = useForm(
    schema,
    async (input) => {
      const saved =
        lessonId === null
          ? await call(createLessonCall, { params: { id: courseId }, input: input as NewLesson })
          : await call(updateLessonCall, { params: { id: lessonId }, input: input as ChangedLesson });
      isChanged.current = false;
      toastOnNextPage({
        title: lessonId === null ? 'Lesson created' : 'Lesson saved',
        description: `“${saved.title}” is lesson ${saved.order}.`,
      });
      location.assign(`/admin/courses/${courseId}/content`);
      // The page is being left; the form stays busy until it is.
      await new Promise(() => {});
    },
    fail,
  );

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isChanged.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);

  const hasBody = isEditedType(type);

  return (
    <form
      {...form}
      noValidate
      data-island=""
      aria-busy={sending || undefined}
      className="grid gap-8"
      onInput={(event) => {
        changed();
        form.onInput(event);
      }}
    >
      {newer && (
        <NewerChange
          what="lesson"
          newer={newer}
          onOverwrite={() => {
            version.current = newer.version;
            setNewer(null);
            form.ref.current?.requestSubmit();
          }}
        />
      )}

      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_8rem]">
        <Field label="Lesson title" required error={errors.title} className="sm:col-span-2 lg:col-span-1">
          <Input name="title" defaultValue={lesson.title} maxLength={LESSON_MAX.title} />
        </Field>
        <Field label="Section" optional error={errors.section}>
          <Input
            name="section"
            defaultValue={lesson.section}
            maxLength={LESSON_MAX.section}
            list="sections"
            autoComplete="off"
          />
        </Field>
        <Field label="Order" error={errors.order}>
          <Input
            name="order"
            type="number"
            min="1"
            max={lessonCount}
            step="1"
            inputMode="numeric"
            defaultValue={lesson.order}
          />
        </Field>
        <datalist id="sections">
          {sections.map((section) => (
            <option key={section} value={section} />
          ))}
        </datalist>
      </div>

      {(type === 'video' || type === 'document') && (
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
                value={fileUrl}
                maxLength={LESSON_MAX.fileUrl}
                onChange={(event) => setFileUrl(event.target.value)}
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
                  changed();
                  setFileUrl(address);
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
                    value={captionsUrl}
                    maxLength={LESSON_MAX.fileUrl}
                    onChange={(event) => setCaptionsUrl(event.target.value)}
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
                      changed();
                      setCaptionsUrl(address);
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
                  defaultValue={lesson.durationSeconds ?? ''}
                />
              </Field>
              <Checkbox
                {...tick('watchRequired')}
                label="Must be watched"
                hint="Learners complete it once 90% of the video was played."
              />
            </>
          )}
        </div>
      )}

      {hasBody ? (
        <MarkdownEditor
          name="content"
          label={type === 'text' ? 'Content' : 'Description'}
          hint="Markdown: # heading, **bold**, - list, ```js code."
          required={type === 'text'}
          short={type !== 'text'}
          initial={lesson.content}
          initialHtml={contentHtml}
          maxLength={LESSON_MAX.content}
          error={errors.content}
        />
      ) : (
        <p className="rounded-lg border border-line bg-surface px-5 py-4 text-ink-soft">
          The exercise of this lesson stays as it is. Here you change what every lesson has.
        </p>
      )}

      {type === 'quiz' && (
        <>
          <input type="hidden" name="questions" />
          <QuestionEditor
            questions={questions}
            errors={errors}
            onChange={(next) => {
              changed();
              setQuestions(next);
            }}
          />
        </>
      )}

      <div className="grid gap-5 rounded-lg border border-line bg-surface px-4 py-5 sm:px-6">
        <div className="grid gap-5 sm:grid-cols-3">
          <Field label="Duration" optional hint="Such as 10 min." error={errors.duration}>
            <Input name="duration" defaultValue={lesson.duration} maxLength={LESSON_MAX.duration} />
          </Field>
          <Field label="Points" hint={`0 to ${POINTS_MAX.toLocaleString('en-US')}.`} error={errors.points}>
            <Input name="points" inputMode="numeric" autoComplete="off" defaultValue={lesson.points} />
          </Field>
          <Field label="Difficulty" hint="Of this lesson." error={errors.difficulty}>
            <Select
              defaultValue={lesson.difficulty}
              onValueChange={(value) => {
                changed();
                chosen.current.difficulty = value as Level;
              }}
              options={LEVELS.map((level) => ({ value: level, label: levelLabel(level) }))}
            />
          </Field>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Checkbox
            {...tick('requiredToComplete')}
            label="Required"
            hint="The course is complete when all required lessons are."
          />
          <Checkbox
            {...tick('isPreview')}
            label="Free preview"
            hint="Everybody can open it without buying the course."
          />
          {(type === 'text' || type === 'document') && (
            <Checkbox
              {...tick('acceptsSubmission')}
              label="Takes a submission"
              hint="Learners hand in a text or a file, which you grade."
            />
          )}
        </div>
      </div>

      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={sending}>
          {lessonId === null ? 'Add Content' : 'Save lesson'}
        </Button>
        <Button variant="secondary" href={`/admin/courses/${courseId}/content`}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

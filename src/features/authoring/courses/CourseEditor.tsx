import { Pencil, Plus } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import { LEVELS, levelLabel, shownThumbnail } from '#src/features/catalogue/catalogue.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import type { AdminCourse, CourseFields } from './courses.ts';
import { formFor, typedNumber } from '#src/components/form-values.ts';
import { NewerChange } from '#src/features/authoring/lesson-editor/NewerChange.tsx';
import {
  COURSE_MAX,
  type ChangedFields,
  changedFields,
  createCourseCall,
  THUMBNAIL_MAX_BYTES,
  updateCourseCall,
  uploadThumbnailCall,
} from './schema.ts';
import { UploadButton } from '#src/features/authoring/lesson-editor/UploadButton.tsx';

const FORM_ID = 'course-form';

const courseForm = formFor(createCourseCall.input!, (typed) => ({
  title: typed('title'),
  description: typed('description'),
  thumbnail: typed('thumbnail'),
  price: typed('price'),
  originalPrice: typed('originalPrice'),
  duration: typed('duration'),
  level: typed('level'),
  categoryId: typed('categoryId'),
  certificateMonths: typedNumber(typed('certificateMonths')),
}));

type Choices = { categories: { id: number; name: string }[] };

/** Opens the form of a new course. */
export function NewCourse({ categories }: Choices) {
  return (
    <CourseDialog
      categories={categories}
      course={null}
      trigger={
        <Button>
          <Plus aria-hidden="true" /> New course
        </Button>
      }
    />
  );
}

/** Opens the form of a course that exists. */
export function EditCourse({
  course,
  categories,
  className,
}: Choices & { course: AdminCourse; className?: string }) {
  return (
    <CourseDialog
      categories={categories}
      course={course}
      trigger={
        <Button variant="ghost" size="sm" className={className ?? ''} aria-label={`Edit ${course.title}`}>
          <Pencil aria-hidden="true" /> Edit
        </Button>
      }
    />
  );
}

function CourseDialog({
  course,
  categories,
  trigger,
}: Choices & { course: AdminCourse | null; trigger: React.ReactElement }) {
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  const [asking, setAsking] = useState(false);
  const changed = useRef(false);
  const close = () => {
    changed.current = false;
    setOpen(false);
  };
  return (
    <Dialog
      size="lg"
      title={course ? 'Edit course' : 'New course'}
      open={open}
      onOpenChange={(next) => {
        if (!next && sending) return;
        // Escape or a click beside the window must not throw away what was typed.
        if (!next && changed.current) setAsking(true);
        else setOpen(next);
      }}
      trigger={trigger}
      footer={
        <>
          <Button variant="secondary" onClick={() => !sending && close()}>
            Cancel
          </Button>
          <Button type="submit" form={FORM_ID} loading={sending}>
            {course ? 'Save course' : 'Create course'}
          </Button>
        </>
      }
    >
      <CourseForm course={course} categories={categories} onSending={setSending} changed={changed} />
      <AlertDialog
        title="Close without saving?"
        description="What you changed here is lost."
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        destructive
        open={asking}
        onOpenChange={setAsking}
        onConfirm={close}
      />
    </Dialog>
  );
}

const EMPTY: Omit<CourseFields, 'level' | 'categoryId' | 'version'> = {
  title: '',
  description: '',
  thumbnail: '',
  price: '',
  originalPrice: '',
  duration: '',
  certificateMonths: null,
};

function CourseForm({
  course,
  categories,
  onSending,
  changed,
}: Choices & {
  course: AdminCourse | null;
  onSending: (sending: boolean) => void;
  changed: RefObject<boolean>;
}) {
  const fields = course?.fields ?? EMPTY;
  const [thumbnail, setThumbnail] = useState(fields.thumbnail);
  const [uploadError, setUploadError] = useState('');
  const [conflict, setConflict] = useState<ChangedFields | null>(null);
  const version = useRef(course?.fields.version);

  const fail = (_message: string, error: unknown) => {
    const newer = changedFields.safeParse(error instanceof ApiError ? error.body : null);
    if (newer.success) {
      setConflict(newer.data);
      return;
    }
    const signedOut = error instanceof ApiError && error.status === 401;
    toast({
      title: 'Error',
      description:
        signedOut && !course
          ? 'You must be logged in to create courses'
          : messageOf(error, course ? 'Failed to update course' : 'Failed to create course'),
      variant: 'destructive',
    });
  };

  const { errors, sending, ...form } = useForm(
    courseForm,
    async (input) => {
      onSending(true);
      try {
        const saved = course
          ? await call(updateCourseCall, {
              params: { id: course.id },
              input: { ...input, version: version.current },
            })
          : await call(createCourseCall, { input });
        toastOnNextPage({
          title: course ? 'Course saved' : 'Course created',
          description: course ? `“${saved.title}” is up to date.` : `Add lessons to “${saved.title}” next.`,
        });
        if (course) location.reload();
        else location.assign(`/admin/courses/${saved.id}/content`);
        // The page is being left; the form stays busy until it is.
        await new Promise(() => {});
      } finally {
        onSending(false);
      }
    },
    fail,
  );

  return (
    <form
      {...form}
      id={FORM_ID}
      noValidate
      data-island=""
      aria-busy={sending || undefined}
      className="grid gap-5"
      onInput={(event) => {
        changed.current = true;
        form.onInput(event);
      }}
    >
      {conflict && (
        <NewerChange
          what="course"
          newer={conflict}
          onOverwrite={() => {
            version.current = conflict.version;
            setConflict(null);
            form.ref.current?.requestSubmit();
          }}
        />
      )}
      <Field label="Title" required error={errors.title}>
        <Input name="title" defaultValue={fields.title} maxLength={COURSE_MAX.title} />
      </Field>
      <Field label="Description" required error={errors.description}>
        <Textarea
          name="description"
          rows={5}
          defaultValue={fields.description}
          maxLength={COURSE_MAX.description}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Category" required error={errors.categoryId}>
          <Select
            name="categoryId"
            {...(course ? { defaultValue: String(course.fields.categoryId) } : {})}
            options={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
        <Field label="Level" required error={errors.level}>
          <Select
            name="level"
            {...(course ? { defaultValue: course.fields.level } : {})}
            options={LEVELS.map((level) => ({ value: level, label: levelLabel(level) }))}
          />
        </Field>
        <Field label="Price" required hint="US dollars; 0 for a free course." error={errors.price}>
          <Input
            name="price"
            type="number"
            step="0.01"
            min="0"
            inputMode="decimal"
            defaultValue={fields.price}
          />
        </Field>
        <Field
          label="Original price"
          optional
          hint="Struck through where it is higher."
          error={errors.originalPrice}
        >
          <Input
            name="originalPrice"
            type="number"
            step="0.01"
            min="0"
            inputMode="decimal"
            defaultValue={fields.originalPrice}
          />
        </Field>
        <Field label="Duration" required hint="As buyers read it, such as 12 hours." error={errors.duration}>
          <Input name="duration" defaultValue={fields.duration} maxLength={COURSE_MAX.duration} />
        </Field>
        <Field
          label="Certificate expires after"
          optional
          hint="Months; empty for never."
          error={errors.certificateMonths}
        >
          <Input
            name="certificateMonths"
            inputMode="numeric"
            autoComplete="off"
            defaultValue={fields.certificateMonths ?? ''}
          />
        </Field>
      </div>
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_11rem]">
        <div>
          <Field
            label="Thumbnail"
            required
            hint="An https:// address, or a picture that you upload: wide, 1280 by 720."
            error={errors.thumbnail ?? (uploadError || undefined)}
          >
            <Input
              name="thumbnail"
              value={thumbnail}
              maxLength={COURSE_MAX.thumbnail}
              onChange={(event) => setThumbnail(event.target.value)}
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
              onDone={({ thumbnail: address }) => {
                changed.current = true;
                setThumbnail(address);
              }}
              onError={setUploadError}
            />
          </div>
        </div>
        <div className="grid aspect-video place-items-center self-start overflow-hidden rounded-md border border-line bg-sunken text-sm text-ink-soft max-sm:max-w-60">
          {shownThumbnail(thumbnail) ? (
            <img
              src={shownThumbnail(thumbnail)!}
              alt="How the thumbnail looks"
              className="size-full object-cover"
            />
          ) : (
            'No picture'
          )}
        </div>
      </div>
      {!course && (
        <p className="text-sm text-ink-soft">
          The store lists a new course as soon as it has lessons and each of them is proven to work. Hide it
          if it should wait.
        </p>
      )}
    </form>
  );
}

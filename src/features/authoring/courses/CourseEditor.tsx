import { Pencil, Plus } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { $auth } from '#src/features/account/auth.store.ts';
import { LibraryCourse } from '#src/features/authoring/media/PictureLibrary.tsx';
import { CourseField, typedFields } from './CourseField.tsx';
import { StoreChoice } from './StoreChoice.tsx';
import { FORM_FIELDS, formPart } from './course-fields.ts';
import type { AdminCourse } from './courses.ts';
import { formFor } from '#src/components/form-values.ts';
import { NewerChange } from '#src/features/authoring/lesson-editor/NewerChange.tsx';
import { type ChangedFields, changedFields, createCourseCall, updateCourseCall } from './schema.ts';

const FORM_ID = 'course-form';

const courseForm = formFor(createCourseCall.input!, (typed) => typedFields(FORM_FIELDS, typed));

type Choices = {
  categories: { id: number; name: string }[];
  isProofRequired?: boolean;
  mayPrice?: boolean;
};
type EditedCourse = Pick<AdminCourse, 'id' | 'title' | 'isActive' | 'fields'>;

export function NewCourse(choices: Choices) {
  return (
    <CourseDialog
      {...choices}
      course={null}
      trigger={
        <Button>
          <Plus aria-hidden="true" /> New course
        </Button>
      }
    />
  );
}

interface Opened {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A button that opens the fields, unless `open` does. */
export function EditCourse({ course, ...rest }: Choices & Opened & { course: EditedCourse }) {
  return (
    <CourseDialog
      {...rest}
      course={course}
      trigger={
        rest.open === undefined && (
          <Button variant="ghost" size="sm" aria-label={`Edit ${course.title}`}>
            <Pencil aria-hidden="true" /> Edit
          </Button>
        )
      }
    />
  );
}

function CourseDialog({
  course,
  trigger,
  open: givenOpen,
  onOpenChange,
  ...choices
}: Choices & Opened & { course: EditedCourse | null; trigger: React.ReactNode }) {
  const [ownOpen, setOwnOpen] = useState(false);
  const open = givenOpen ?? ownOpen;
  const setOpen = (next: boolean) => {
    setOwnOpen(next);
    onOpenChange?.(next);
  };
  const [sending, setSending] = useState(false);
  const [asking, setAsking] = useState(false);
  const changed = useRef(false);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => changed.current && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  const close = () => {
    changed.current = false;
    setOpen(false);
  };
  return (
    <Dialog
      size="lg"
      title={course ? 'Edit course' : 'New course'}
      {...(course?.isActive && {
        description:
          'What you save here is in the store at once. Changes of its lessons wait to be published.',
      })}
      open={open}
      onOpenChange={(next) => {
        if (!next && sending) return;
        // Escape or a click outside must not lose what was typed.
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
      <LibraryCourse value={course?.id ?? null}>
        <CourseForm {...choices} course={course} onSending={setSending} changed={changed} />
      </LibraryCourse>
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

function CourseForm({
  course,
  categories,
  isProofRequired = false,
  mayPrice = true,
  onSending,
  changed,
}: Choices & {
  course: EditedCourse | null;
  onSending: (sending: boolean) => void;
  changed: RefObject<boolean>;
}) {
  const [conflict, setConflict] = useState<ChangedFields | null>(null);
  const [whenProven, setWhenProven] = useState(false);
  const read = useRef(course?.fields);

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
              input: { ...input, read: read.current },
            })
          : await call(createCourseCall, {
              input: {
                ...input,
                createdBy: $auth.get()?.user?.id,
                ...(whenProven && { isActive: false, activateWhenProven: true }),
              },
            });
        toastOnNextPage({
          title: course ? 'Course saved' : 'Course created',
          description: course ? `“${saved.title}” is up to date.` : `Add lessons to “${saved.title}” next.`,
        });
        changed.current = false;
        if (course) location.reload();
        else location.assign(`/admin/courses/${saved.id}/content`);
        // The form stays busy until the page is left.
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
      aria-busy={sending || undefined}
      className="grid gap-5"
      onInput={(event) => {
        changed.current = true;
        form.onInput(event);
      }}
      onChange={(event) => {
        changed.current = true;
        form.onChange(event);
      }}
    >
      {conflict && (
        <NewerChange
          what="course"
          newer={conflict}
          onOverwrite={() => {
            const seen = conflict.changed.flatMap(({ field, typed }) =>
              typed === undefined ? [] : [[field, typed]],
            );
            read.current = { ...read.current!, ...Object.fromEntries(seen) };
            setConflict(null);
            form.ref.current?.requestSubmit();
          }}
        />
      )}
      <div className="grid items-end gap-5 sm:grid-cols-2">
        {FORM_FIELDS.map((name) =>
          formPart(name).control.kind === 'price' && !mayPrice ? (
            <input key={name} type="hidden" name={name} value={course?.fields[name] ?? ''} />
          ) : (
            <CourseField
              key={name}
              name={name}
              start={course?.fields[name] ?? ''}
              courseTitle={course?.fields.title}
              isOptional={formPart(name).optional}
              error={errors[name]}
              categories={categories}
              onUpload={() => {
                changed.current = true;
              }}
            />
          ),
        )}
      </div>
      {!course && (
        <StoreChoice whenProven={whenProven} onChange={setWhenProven} isProofRequired={isProofRequired} />
      )}
    </form>
  );
}

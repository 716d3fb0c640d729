import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { ListTree } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { formFor, typedNumber } from '#src/components/form-values.ts';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import { createLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { publishHref } from '#src/features/authoring/publishing/publish-check.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { call } from '#src/shared/api.ts';
import { type AdminCourse, lessonsText } from './courses.ts';

const TYPES = [
  { value: 'text', label: 'Text' },
  { value: 'video', label: 'Video' },
  { value: 'document', label: 'Document' },
];

const lessonForm = formFor(createLessonCall.input!, (typed) => ({
  title: typed('title'),
  type: typed('type'),
  duration: typed('duration'),
  order: typedNumber(typed('order')),
  fileUrl: typed('fileUrl'),
  content: typed('content'),
}));

/** Adds a lesson with the specification's six fields, and links to the full editor. */
export function ContentDialog({
  course,
  className,
  onAdded,
}: {
  course: AdminCourse;
  className: string;
  onAdded: (waits: boolean) => void;
}) {
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  const formId = `content-${course.id}`;
  const editor = `/admin/courses/${course.id}/content`;
  return (
    <Dialog
      title="Manage content"
      description={`“${course.title}” has ${lessonsText(course)}.`}
      open={open}
      onOpenChange={(next) => !sending && setOpen(next)}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          className={className}
          aria-label={`Manage content of ${course.title}`}
        >
          <ListTree aria-hidden="true" /> Content
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" href={editor}>
            Open the whole editor
          </Button>
          <Button type="submit" form={formId} loading={sending}>
            Add Content
          </Button>
        </>
      }
    >
      <LessonForm
        id={formId}
        course={course}
        onSending={setSending}
        onAdded={(waits) => {
          setOpen(false);
          onAdded(waits);
        }}
      />
    </Dialog>
  );
}

function LessonForm({
  id,
  course,
  onSending,
  onAdded,
}: {
  id: string;
  course: AdminCourse;
  onSending: (sending: boolean) => void;
  onAdded: (waits: boolean) => void;
}) {
  const { errors, sending, ...form } = useForm(
    lessonForm,
    async (input) => {
      onSending(true);
      try {
        const { title, waits } = await call(createLessonCall, { params: { id: course.id }, input });
        toast({
          title: 'Content added',
          description: waits
            ? `“${title}” waits: learners of “${course.title}” have it once you publish it.`
            : `“${title}” is a lesson of “${course.title}”.`,
          ...(waits ? { action: { label: 'Publish changes', href: publishHref(course.id) } } : {}),
        });
        onAdded(waits);
      } finally {
        onSending(false);
      }
    },
    (_message, error) => toastFailure(error, 'The content could not be added'),
  );
  return (
    <form
      {...form}
      id={id}
      noValidate
      aria-busy={sending || undefined}
      className="grid items-end gap-5 sm:grid-cols-2"
    >
      <Field label="Lesson Title" error={errors.title} required className="col-span-full">
        <Input name="title" maxLength={LESSON_MAX.title} autoComplete="off" />
      </Field>
      <Field label="Content Type" error={errors.type} required>
        <Select name="type" defaultValue="text" options={TYPES} />
      </Field>
      <Field label="Duration" error={errors.duration} hint="Such as 15 min.">
        <Input name="duration" maxLength={LESSON_MAX.duration} autoComplete="off" />
      </Field>
      <Field label="Order" error={errors.order} hint="Its place in the course; empty for the end.">
        <Input name="order" inputMode="numeric" autoComplete="off" />
      </Field>
      <Field label="File URL" error={errors.fileUrl} hint="Of a video or a document.">
        <Input name="fileUrl" maxLength={LESSON_MAX.fileUrl} autoComplete="off" inputMode="url" />
      </Field>
      <Field
        label="Description"
        error={errors.content}
        hint="What learners read, in Markdown."
        className="col-span-full"
      >
        <Textarea name="content" rows={5} maxLength={LESSON_MAX.content} />
      </Field>
    </form>
  );
}

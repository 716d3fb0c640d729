import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Select } from '#src/components/Select.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { openingInput } from '#src/features/lessons/opening.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { type ListedLesson, severalDeletionNotice } from '../lessons.ts';
import { OpeningFields, openingOf, type OtherLesson, type TickedOpening } from '../opening/OpeningFields.tsx';
import { OtherCourse } from './OtherCourse.tsx';
import { sectionDragId } from './SectionHead.tsx';
import type { Section } from './sections.ts';
import { type SeveralAction, severalLessonsCall } from '../schema.ts';

interface Props {
  courseId: number;
  chosen: readonly ListedLesson[];
}

async function run({ courseId, chosen }: Props, action: SeveralAction, told: string, href?: string) {
  await call(severalLessonsCall, {
    params: { id: courseId },
    input: { lessonIds: chosen.map(({ id }) => id), action },
  });
  toastOnNextPage({ title: `${counted(chosen.length, 'lesson')} ${told}` });
  if (href) location.assign(href);
  else location.reload();
}

/** Actions for all chosen lessons at once. */
export function SeveralLessons({
  sections,
  courses,
  isPublished,
  onPut,
  onNone,
  ...props
}: Props & {
  sections: readonly Section<ListedLesson>[];
  courses: readonly { id: number; title: string }[];
  isPublished: boolean;
  onPut: (key: string) => void;
  onNone: () => void;
}) {
  const { chosen } = props;
  return (
    <section
      aria-label="Chosen lessons"
      className="sticky bottom-4 z-10 flex flex-wrap items-center gap-3 rounded-lg border border-line-strong bg-surface px-4 py-3 shadow-lg"
    >
      <p aria-live="polite" className="font-semibold tabular-nums">
        {counted(chosen.length, 'lesson')} chosen
      </p>
      <Select
        aria-label="Move them to a section"
        className="w-48!"
        value=""
        placeholder="To a section"
        onValueChange={onPut}
        options={sections.map(({ key, title }) => ({
          value: sectionDragId(key),
          label: title || 'No section',
        }))}
      />
      <Duplicate {...props} />
      <Move {...props} courses={courses} />
      <SetOpening
        {...props}
        others={sections.flatMap(({ lessons }) => lessons).filter((one) => !chosen.includes(one))}
      />
      <AlertDialog
        title={`Delete ${counted(chosen.length, 'lesson')}?`}
        description={severalDeletionNotice(chosen, isPublished)}
        confirmLabel="Delete"
        destructive
        onConfirm={async () => {
          try {
            await run(props, { do: 'delete' }, 'deleted');
            // The dialog stays busy until the page is left.
            await new Promise(() => {});
          } catch (error) {
            toastFailure(error, 'Nothing was deleted.');
          }
        }}
        trigger={
          <Button variant="secondary" size="sm" className="min-h-11 text-danger!">
            Delete
          </Button>
        }
      />
      <Button variant="ghost" size="sm" className="min-h-11" onClick={onNone}>
        Choose none
      </Button>
    </section>
  );
}

function Duplicate(props: Props) {
  const [working, setWorking] = useState(false);
  const duplicate = async () => {
    setWorking(true);
    try {
      await run(props, { do: 'copy' }, 'duplicated');
    } catch (error) {
      toastFailure(error, 'Nothing was duplicated.');
      setWorking(false);
    }
  };
  return (
    <Button
      variant="secondary"
      size="sm"
      className="min-h-11"
      loading={working}
      onClick={() => void duplicate()}
    >
      Duplicate
    </Button>
  );
}

function Move({ courses, ...props }: Props & { courses: readonly { id: number; title: string }[] }) {
  const [open, setOpen] = useState(false);
  return (
    <OtherCourse
      what={counted(props.chosen.length, 'lesson')}
      condition="Only while no learner has worked on any of them."
      confirmLabel="Move them there"
      courses={courses}
      onMove={(courseId) =>
        run(props, { do: 'move', courseId }, 'moved', `/admin/courses/${courseId}/content`)
      }
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="sm" className="min-h-11" disabled={courses.length === 0}>
          To another course
        </Button>
      }
    />
  );
}

function SetOpening({ others, ...props }: Props & { others: readonly OtherLesson[] }) {
  const [open, setOpen] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [refusal, setRefusal] = useState('');
  const ticked = useRef<TickedOpening>({});
  const save = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const parsed = openingInput.safeParse(openingOf((name) => String(data.get(name) ?? ''), ticked.current));
    if (!parsed.success) {
      return setErrors(
        Object.fromEntries(
          parsed.error.issues.map(({ path, message }) => [`opening.${path.join('.')}`, message]),
        ),
      );
    }
    setErrors({});
    try {
      await run(props, { do: 'open', opening: parsed.data }, 'open by the new rule');
    } catch (error) {
      const named = error instanceof ApiError ? Object.values(error.fields)[0] : undefined;
      setRefusal(named ?? messageOf(error, 'That did not work. Nothing has changed.'));
    }
  };
  return (
    <Dialog
      size="md"
      title={`When ${counted(props.chosen.length, 'lesson')} open`}
      description="This takes the place of what each of them says now. Empty fields: at once."
      open={open}
      onOpenChange={(next) => {
        setErrors({});
        setRefusal('');
        ticked.current = {};
        setOpen(next);
      }}
      trigger={
        <Button variant="secondary" size="sm" className="min-h-11">
          When they open
        </Button>
      }
      footer={
        <>
          <Button variant="ghost" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" form="opening-of-several">
            Save for all
          </Button>
        </>
      }
    >
      <form
        id="opening-of-several"
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        {refusal && (
          <Alert tone="danger" live>
            {refusal}
          </Alert>
        )}
        <OpeningFields
          opening={{}}
          others={others}
          errors={errors}
          onTick={(changed) => {
            ticked.current = { ...ticked.current, ...changed };
          }}
        />
      </form>
    </Dialog>
  );
}

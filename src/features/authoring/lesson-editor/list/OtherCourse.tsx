import { type ReactElement, useState } from 'react';
import { toldApart } from '#src/features/catalogue/catalogue.ts';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Select } from '#src/components/Select.tsx';
import { messageOf } from '#src/shared/api.ts';

/** Asks to which course lessons move. */
export function OtherCourse({
  what,
  condition,
  confirmLabel,
  courses,
  onMove,
  open,
  onOpenChange,
  trigger,
}: {
  what: string;
  condition: string;
  confirmLabel: string;
  courses: readonly { id: number; title: string }[];
  onMove: (courseId: number) => Promise<void>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  trigger?: ReactElement;
}) {
  const [courseId, setCourseId] = useState('');
  const [problem, setProblem] = useState('');
  const [working, setWorking] = useState(false);
  const submit = async () => {
    if (courseId === '') return setProblem('Choose a course');
    setWorking(true);
    setProblem('');
    try {
      await onMove(Number(courseId));
    } catch (error) {
      setProblem(messageOf(error, 'That did not work. Nothing has changed.'));
      setWorking(false);
    }
  };
  return (
    <Dialog
      size="sm"
      title={`Move ${what} to another course`}
      description={condition}
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
      footer={
        <>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button loading={working} onClick={() => void submit()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Field label="Course" required error={problem}>
        <Select
          value={courseId}
          onValueChange={(value) => {
            setCourseId(value);
            setProblem('');
          }}
          placeholder="Choose a course"
          options={toldApart(courses).map(({ id, title }) => ({ value: String(id), label: title }))}
        />
      </Field>
    </Dialog>
  );
}

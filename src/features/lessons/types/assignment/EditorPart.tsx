import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { NumberInput } from '#src/components/NumberInput.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { FileField } from '#src/features/authoring/lesson-editor/FileField.tsx';
import type { EditorPartProps } from '#src/features/authoring/lesson-editor/lessons.ts';
import { useFocusAfterDraw } from '#src/components/use-focus-after-draw.ts';
import { counted } from '#src/shared/counted.ts';
import { type AssignmentSettings, DUE_NOTE_MAX, type Rubric, RUBRIC_MAX } from './settings.ts';

const DUE = [
  { value: 'none', label: 'No due date' },
  { value: 'dueDays', label: 'Days after the start of the course' },
  { value: 'dueDay', label: 'A fixed day (UTC)' },
];

export function AssignmentEditor({ lesson, values, errors, onChange }: EditorPartProps) {
  const settings = values.assignmentSettings;
  const change = (update: Partial<AssignmentSettings>) =>
    onChange((before) => ({ assignmentSettings: { ...before.assignmentSettings, ...update } }));
  const { dueDays, dueDay } = settings;
  const due = dueDays !== undefined ? 'dueDays' : dueDay !== undefined ? 'dueDay' : 'none';
  return (
    <>
      <div className="grid gap-5 card px-4 py-5 sm:px-6">
        <FileField
          name="fileUrl"
          label="File URL"
          hint="What learners work with: an uploaded file, or an https:// address."
          initial={lesson.fileUrl}
          error={errors.fileUrl}
          uploadLabel="Upload a file"
          accept=".pdf,.txt,.md,.csv,.zip,.docx,.xlsx,.pptx,image/png,image/jpeg"
          tellsUpload
          onChange={() => onChange()}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Due" hint="Work that comes later is taken, and marked late.">
            <Select
              options={DUE}
              value={due}
              onValueChange={(kind) =>
                change({
                  dueDays: kind === 'dueDays' ? 14 : undefined,
                  dueDay: kind === 'dueDay' ? '' : undefined,
                } as AssignmentSettings)
              }
            />
          </Field>
          {due !== 'none' && (
            <Field
              label={due === 'dueDays' ? 'Due days' : 'Due day'}
              required
              error={errors[`assignmentSettings.${due}`]}
            >
              {due === 'dueDays' ? (
                <NumberInput value={dueDays} onChange={(days) => change({ dueDays: days ?? Number.NaN })} />
              ) : (
                <Input
                  type="date"
                  value={dueDay}
                  onChange={(event) => change({ dueDay: event.target.value })}
                />
              )}
            </Field>
          )}
          <Field
            label="Due note"
            optional
            hint="When it is wanted, such as: Hand it in within two weeks."
            error={errors['assignmentSettings.dueNote']}
          >
            <Input
              maxLength={DUE_NOTE_MAX}
              autoComplete="off"
              value={settings.dueNote ?? ''}
              onChange={(event) => change({ dueNote: event.target.value })}
            />
          </Field>
          <Field
            label="Complete from a grade of"
            optional
            hint="1 to 100. Empty: handing in completes the lesson."
            error={errors['assignmentSettings.completeFrom']}
          >
            <NumberInput
              value={settings.completeFrom}
              onChange={(completeFrom) => change({ completeFrom: completeFrom as number })}
            />
          </Field>
        </div>
      </div>
      <RubricEditor
        rubric={settings.rubric ?? []}
        error={(path) => errors[`assignmentSettings.rubric${path}`]}
        onChange={(rubric) => change({ rubric })}
      />
    </>
  );
}

function RubricEditor({
  rubric,
  error,
  onChange,
}: {
  rubric: Rubric;
  error: (path: string) => string | undefined;
  onChange: (rubric: Rubric) => void;
}) {
  const id = useId();
  const focus = useFocusAfterDraw(rubric.length);
  const change = (index: number, values: Partial<Rubric[number]>) =>
    onChange(rubric.with(index, { ...rubric[index]!, ...values }));
  const total = rubric.reduce((sum, { points }) => sum + (points || 0), 0);
  return (
    <fieldset className="card px-4 py-5 sm:px-6">
      <legend className="sr-only">Rubric</legend>
      <p>
        <span className="block font-semibold">Rubric</span>
        <span className="block text-sm text-ink-soft">
          What the grade is made of; learners see it before they begin. Without one you give a number from 0
          to 100.
        </span>
      </p>
      <ol className="mt-4 space-y-5">
        {rubric.map(({ name, description, points }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a criterion is its place until it is saved
          <li key={`${rubric.length} ${index}`} id={`${id}-${index}`} className="grid gap-3">
            <div className="flex flex-wrap items-start gap-3">
              <Field
                label={`Criterion ${index + 1}`}
                error={error(`.${index}.name`)}
                className="min-w-48 flex-1"
              >
                <Input
                  maxLength={RUBRIC_MAX.name}
                  autoComplete="off"
                  value={name}
                  onChange={(event) => change(index, { name: event.target.value })}
                />
              </Field>
              <Field label="Points" error={error(`.${index}.points`)} className="w-28">
                <NumberInput value={points} onChange={(next) => change(index, { points: next as number })} />
              </Field>
              <Button
                variant="ghost"
                size="icon"
                className="mt-6.5"
                aria-label={`Remove criterion ${index + 1}`}
                onClick={() => {
                  focus(`${id}-add`);
                  onChange(rubric.toSpliced(index, 1));
                }}
              >
                <Trash2 aria-hidden="true" />
              </Button>
            </div>
            <Field label="What it means" optional error={error(`.${index}.description`)}>
              <Textarea
                rows={2}
                maxLength={RUBRIC_MAX.description}
                value={description ?? ''}
                onChange={(event) => change(index, { description: event.target.value })}
              />
            </Field>
          </li>
        ))}
      </ol>
      {error('') && (
        <div role="alert">
          <FieldProblem>{error('')}</FieldProblem>
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-4">
        <Button
          id={`${id}-add`}
          variant="ghost"
          size="sm"
          className="min-h-11"
          disabled={rubric.length >= RUBRIC_MAX.criteria}
          onClick={() => {
            focus(`${id}-${rubric.length}`);
            onChange([...rubric, { name: '', points: 10 }]);
          }}
        >
          <Plus aria-hidden="true" /> Add a criterion
        </Button>
        {rubric.length > 0 && (
          <p className="text-sm text-ink-soft tabular-nums">
            {counted(total, 'point')} in all count as a grade of 100.
          </p>
        )}
      </div>
    </fieldset>
  );
}

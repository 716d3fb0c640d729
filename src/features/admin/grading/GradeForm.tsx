import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';
import { FEEDBACK_MAX } from '#src/features/learn/progress/learn.ts';
import { gradeInput } from '#src/features/learn/schema.ts';
import { call } from '#src/shared/api.ts';
import { formFor, typedNumber } from '#src/components/form-values.ts';
import { gradeAssignmentCall } from './schema.ts';

const gradeForm = formFor(gradeInput, (typed) => ({
  grade: typedNumber(typed('grade')),
  feedback: typed('feedback'),
}));

/** Grades a submission; its learner is told by mail (decision 37). */
export function GradeForm({
  id,
  learner,
  submittedAt,
}: {
  id: number;
  learner: string;
  submittedAt: string;
}) {
  const form = useForm(
    gradeForm,
    async (input) => {
      await call(gradeAssignmentCall, { params: { id }, input: { ...input, submittedAt } });
      toastOnNextPage({ title: 'Grade saved', description: `${learner} is told by email.` });
      location.reload();
      // The page is being left; the form stays busy until it is.
      await new Promise(() => {});
    },
    'The grade could not be saved. Please try again.',
  );
  return (
    <Form form={form} className="grid gap-4">
      <Field label="Grade" required hint="0 to 100." error={form.errors.grade} className="max-w-32">
        <Input name="grade" inputMode="numeric" autoComplete="off" />
      </Field>
      <Field label="Feedback" optional error={form.errors.feedback}>
        <Textarea name="feedback" rows={4} maxLength={FEEDBACK_MAX} />
      </Field>
      <div>
        <Button type="submit" loading={form.sending}>
          Save grade
        </Button>
      </div>
    </Form>
  );
}

import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
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
  const [refusal, setRefusal] = useState('');
  const { errors, sending, ...form } = useForm(
    gradeForm,
    async (input) => {
      setRefusal('');
      await call(gradeAssignmentCall, { params: { id }, input: { ...input, submittedAt } });
      toastOnNextPage({ title: 'Grade saved', description: `${learner} is told by email.` });
      location.reload();
      // The page is being left; the form stays busy until it is.
      await new Promise(() => {});
    },
    (message) => setRefusal(message || 'The grade could not be saved. Please try again.'),
  );
  return (
    <form {...form} noValidate data-island="" aria-busy={sending || undefined} className="grid gap-4">
      {refusal && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      <Field label="Grade" required hint="0 to 100." error={errors.grade} className="max-w-32">
        <Input name="grade" inputMode="numeric" autoComplete="off" />
      </Field>
      <Field label="Feedback" optional error={errors.feedback}>
        <Textarea name="feedback" rows={4} maxLength={FEEDBACK_MAX} />
      </Field>
      <div>
        <Button type="submit" loading={sending}>
          Save grade
        </Button>
      </div>
    </form>
  );
}

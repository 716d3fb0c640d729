import { useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Form } from '#src/components/Form.tsx';
import { formFor, typedNumber } from '#src/components/form-values.ts';
import { Input } from '#src/components/Input.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import { MarkdownEditor } from '#src/features/authoring/text-editor/MarkdownEditor.tsx';
import { FEEDBACK_MAX } from '#src/features/learn/progress/learn.ts';
import { gradeInput } from '#src/features/learn/schema.ts';
import type { Rubric } from '#src/features/lessons/types/assignment/settings.ts';
import { call } from '#src/shared/api.ts';
import { gradeAssignmentCall } from './schema.ts';

/** By the rubric where there is one; mails the learner (decision 37). */
export function GradeForm({
  id,
  learner,
  submittedAt,
  submission,
  rubric,
}: {
  id: number;
  learner: string;
  submittedAt: string;
  /** '' for a file. */
  submission: string;
  rubric: Rubric | null;
}) {
  const [gradeForm] = useState(() =>
    formFor(gradeInput, (typed) => ({
      ...(rubric
        ? { points: rubric.map((_, index) => typedNumber(typed(`points.${index}`))) }
        : { grade: typedNumber(typed('grade')) }),
      feedback: typed('feedback'),
    })),
  );
  const form = useForm(
    gradeForm,
    async (input) => {
      await call(gradeAssignmentCall, { params: { id }, input: { ...input, submittedAt } });
      toastOnNextPage({ title: 'Grade saved', description: `${learner} is told by email.` });
      location.reload();
      // Busy until the page has gone.
      await new Promise(() => {});
    },
    'The grade could not be saved. Please try again.',
  );
  const [feedback, setFeedback] = useState('');
  const area = useRef<HTMLDivElement>(null);

  // After the typed text.
  const annotate = () => {
    const typed = area.current?.querySelector<HTMLTextAreaElement>('textarea[name="feedback"]')?.value.trim();
    setFeedback([typed, quoted(submission)].filter(Boolean).join('\n\n'));
  };

  return (
    <Form form={form} className="grid gap-5">
      {rubric ? (
        <fieldset className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <legend className="mb-3 font-semibold">Points by the rubric</legend>
          {rubric.map(({ name, description, points }, index) => (
            <Field
              key={name}
              label={name}
              required
              hint={`0 to ${points}.${description ? ` ${description}` : ''}`}
              error={form.errors[`points.${index}`]}
            >
              <Input name={`points.${index}`} inputMode="numeric" autoComplete="off" className="max-w-32" />
            </Field>
          ))}
        </fieldset>
      ) : (
        <Field label="Grade" required hint="0 to 100." error={form.errors.grade} className="max-w-32">
          <Input name="grade" inputMode="numeric" autoComplete="off" />
        </Field>
      )}
      <div ref={area}>
        <MarkdownEditor
          key={feedback}
          name="feedback"
          label="Feedback"
          hint="Markdown, as in a lesson."
          short
          initial={feedback}
          initialHtml={null}
          maxLength={FEEDBACK_MAX}
          error={form.errors.feedback}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={form.sending}>
          Save grade
        </Button>
        {submission && (
          <Button variant="ghost" onClick={annotate}>
            Quote the text to annotate it
          </Button>
        )}
      </div>
    </Form>
  );
}

/** Paragraph by paragraph, for remarks in between. */
function quoted(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/^/gm, '> '))
    .join('\n\n');
}

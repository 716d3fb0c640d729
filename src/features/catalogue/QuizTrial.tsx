import { RotateCcw } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import type { Answers, MarkedAnswer, ShownQuestion } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { missingAnswers } from '#src/features/lessons/types/quiz/kinds/kinds.ts';
import { QuizQuestions } from '#src/features/lessons/types/quiz/QuizQuestions.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import { tryQuizCall } from './schema.ts';

export function QuizTrial({
  lessonId,
  title,
  questions,
}: {
  lessonId: number;
  title: string;
  questions: ShownQuestion[];
}) {
  const [answers, setAnswers] = useState<Answers>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [marked, setMarked] = useState<MarkedAnswer[] | null>(null);
  const [said, setSaid] = useState('');
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const focusOn = (id: number | undefined) =>
    form.current
      ?.querySelector(`[data-question="${id}"]`)
      ?.querySelector<HTMLElement>('input:enabled, select, button')
      ?.focus();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sending) return;
    const missing = missingAnswers(questions, answers);
    setErrors(missing);
    if (Object.keys(missing).length > 0) {
      setSaid('Choose an answer to each question.');
      focusOn(questions.find(({ id }) => missing[`answers.${id}`])?.id);
      return;
    }
    setSending(true);
    try {
      const result = await call(tryQuizCall, { params: { id: lessonId }, input: { answers } });
      setMarked(
        result.answers.map((one) => ({ ...one, chosen: one.chosen ?? chosenOf(answers[one.questionId]) })),
      );
      setSaid(`${result.right} of ${result.answers.length} right.`);
    } catch (error) {
      setSaid(messageOf(error, 'Your answers could not be checked. Please try again.'));
    } finally {
      setSending(false);
    }
  };

  return (
    <form ref={form} className="grid max-w-prose gap-5" aria-label={title} noValidate onSubmit={submit}>
      <QuizQuestions
        questions={questions}
        answers={answers}
        errors={errors}
        marked={marked}
        onAnswer={(id, answer) => setAnswers({ ...answers, [id]: answer })}
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {marked ? (
          <Button
            variant="secondary"
            onClick={() => {
              setAnswers({});
              setMarked(null);
              setSaid('');
              requestAnimationFrame(() => focusOn(questions[0]?.id));
            }}
          >
            <RotateCcw aria-hidden="true" />
            Try again
          </Button>
        ) : (
          <Button type="submit" loading={sending}>
            Check answers
          </Button>
        )}
        <p role="status" className="font-semibold">
          {said}
        </p>
      </div>
      <p className="text-sm text-ink-soft">Just for trying: nothing is kept.</p>
    </form>
  );
}

const chosenOf = (answer: Answers[string] | undefined) => (typeof answer === 'number' ? answer : null);

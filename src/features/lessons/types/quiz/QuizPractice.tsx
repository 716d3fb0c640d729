import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { ApiError, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import type { Answers, MarkedAnswer, ShownQuestion } from './kinds/kind.ts';
import { missingAnswers } from './kinds/kinds.ts';
import { isRight, QuizQuestions } from './QuizQuestions.tsx';
import { afterPractice } from './quiz-steps.ts';

export function QuizPractice({
  questions,
  score,
  onCheck,
  onDone,
}: {
  questions: readonly ShownQuestion[];
  score: number;
  onCheck: (answers: Answers) => Promise<MarkedAnswer>;
  onDone: () => void;
}) {
  const [queue, setQueue] = useState(() => questions.map(({ id }) => id));
  const [answers, setAnswers] = useState<Answers>({});
  const [marked, setMarked] = useState<MarkedAnswer | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [sending, setSending] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const asked = questions.find(({ id }) => id === queue[0]);

  useEffect(() => heading.current?.focus(), []);

  function goOn() {
    const next = afterPractice(queue, isRight(marked!));
    if (next.length === 0) return onDone();
    setQueue(next);
    setAnswers({});
    setMarked(null);
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('input:enabled, select, button')?.focus(),
    );
  }

  async function check(event: FormEvent) {
    event.preventDefault();
    if (sending || !asked) return;
    if (marked) return goOn();
    const missing = missingAnswers([asked], answers);
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    setSending(true);
    try {
      setMarked(await onCheck(answers));
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) setErrors(error.fields);
      else setErrors({ '': messageOf(error, 'Your answer could not be checked. Please try again.') });
    } finally {
      setSending(false);
    }
  }

  if (!asked) return null;
  const isOver = marked !== null && isRight(marked) && queue.length === 1;
  return (
    <section aria-labelledby="quiz-practice" className="mt-6">
      <h2 id="quiz-practice" ref={heading} tabIndex={-1} className="text-subheading outline-none">
        Once more: the {questions.length === 1 ? 'one' : questions.length} that{' '}
        {questions.length === 1 ? 'was' : 'were'} wrong
      </h2>
      <p className="mt-1 text-ink-soft">
        For practice alone: your score stays {score}%. {counted(queue.length, 'question')} to go.
      </p>
      <form ref={form} onSubmit={check} noValidate className="mt-6 grid gap-6">
        <QuizQuestions
          questions={[asked]}
          answers={answers}
          errors={errors}
          marked={marked && [marked]}
          says={marked ? (isRight(marked) ? 'Right.' : 'Not right yet. It comes back.') : ''}
          onAnswer={(id, answer) => {
            setAnswers({ [id]: answer });
            setErrors({});
          }}
        />
        {errors[''] && <Alert tone="danger" live title={errors['']} />}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" loading={sending}>
            {!marked ? 'Check' : isOver ? 'See the result' : 'Next question'}
          </Button>
          {!isOver && (
            <Button variant="ghost" onClick={onDone}>
              Skip to the result
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}

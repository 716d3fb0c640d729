import { CircleAlert, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { errorClass } from '#src/components/field.ts';
import { Input } from '#src/components/Input.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import type { EditorPartProps, QuestionFields } from '#src/features/authoring/lesson-editor/lessons.ts';
import {
  LESSON_MAX,
  OPTIONS_MAX,
  OPTIONS_MIN,
  QUESTIONS_MAX,
} from '#src/features/authoring/lesson-editor/schema.ts';
import { useFocusAfterDraw } from '#src/features/authoring/lesson-editor/use-focus-after-draw.ts';
import { RowTools } from '#src/features/authoring/lesson-editor/RowTools.tsx';

/** A question in the editor; `key` stays while it is moved. */
type DraftQuestion = QuestionFields & { key: string };

let made = 0;

/** Gives a question its key. */
function draftOf(question: QuestionFields): DraftQuestion {
  made += 1;
  return { ...question, key: `question-${made}` };
}

const blank = () =>
  draftOf({ id: null, question: '', options: ['', ''], correctAnswer: -1, explanation: '' });

/** The questions of a quiz: text, options with the correct one, and what is explained after a submit (decision 36). */
export function QuizPart({ values, errors, onChange: tell }: EditorPartProps) {
  const [questions, setQuestions] = useState(() => values.questions.map(draftOf));
  const onChange = (next: DraftQuestion[]) => {
    setQuestions(next);
    tell(() => ({ questions: next.map(({ key: _, ...question }) => question) }));
  };
  const focus = useFocusAfterDraw(questions);
  const add = () => {
    const added = blank();
    focus(added.key);
    onChange([...questions, added]);
  };
  const change = (index: number, values: Partial<QuestionFields>) =>
    onChange(questions.with(index, { ...questions[index]!, ...values }));
  const move = (index: number, by: 1 | -1) => {
    const other = questions[index + by];
    if (other) onChange(questions.with(index, other).with(index + by, questions[index]!));
  };
  return (
    <section aria-labelledby="questions-heading">
      <input type="hidden" name="questions" />
      <h2 id="questions-heading" className="text-subheading">
        Questions
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        Learners pass with 70% correct answers; their best try counts.
      </p>
      {errors.questions && (
        <p className={`${errorClass} mt-2`} role="alert">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>{errors.questions}</span>
        </p>
      )}
      <ol className="mt-4 space-y-4">
        {questions.map((question, index) => (
          <li key={question.key} id={question.key}>
            <Question
              question={question}
              number={index + 1}
              isFirst={index === 0}
              isLast={index === questions.length - 1}
              error={(path) => errors[`questions.${index}.${path}`]}
              onChange={(values) => change(index, values)}
              onMove={(by) => move(index, by)}
              onRemove={() => {
                focus('add-question');
                onChange(questions.toSpliced(index, 1));
              }}
            />
          </li>
        ))}
      </ol>
      {questions.length < QUESTIONS_MAX && (
        <Button id="add-question" variant="secondary" className="mt-4" onClick={add}>
          <Plus aria-hidden="true" /> Add question
        </Button>
      )}
    </section>
  );
}

function Question({
  question,
  number,
  isFirst,
  isLast,
  error,
  onChange,
  onMove,
  onRemove,
}: {
  question: DraftQuestion;
  number: number;
  isFirst: boolean;
  isLast: boolean;
  error: (path: string) => string | undefined;
  onChange: (values: Partial<QuestionFields>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}) {
  const { options, correctAnswer } = question;
  const focus = useFocusAfterDraw(options);
  const optionId = (index: number) => `${question.key}-choice-${index}`;
  const addOption = () => {
    focus(optionId(options.length));
    onChange({ options: [...options, ''] });
  };
  const removeOption = (index: number) => {
    focus(optionId(Math.min(index, options.length - 2)));
    onChange({
      options: options.toSpliced(index, 1),
      correctAnswer: correctAnswer === index ? -1 : correctAnswer > index ? correctAnswer - 1 : correctAnswer,
    });
  };
  const optionsError = error('correctAnswer') ?? error('options');
  return (
    <fieldset className="rounded-lg border border-line bg-surface px-4 pt-3 pb-5 sm:px-6">
      <legend className="sr-only">Question {number}</legend>
      <div className="flex items-center justify-between gap-3">
        <p aria-hidden="true" className="font-semibold">
          Question {number}
        </p>
        <RowTools
          name={`question ${number}`}
          isFirst={isFirst}
          isLast={isLast}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
      <div className="mt-2 grid gap-5">
        <Field label="Question" required error={error('question')}>
          <Textarea
            rows={2}
            maxLength={LESSON_MAX.question}
            value={question.question}
            onChange={(event) => onChange({ question: event.target.value })}
          />
        </Field>
        <fieldset>
          <legend className="text-sm font-semibold">Options</legend>
          <p className="text-sm text-ink-soft">Mark the correct one.</p>
          <ul className="mt-2 space-y-2.5">
            {options.map((option, index) => {
              const problem = error(`options.${index}`);
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place; two may read the same while typing
                <li key={index}>
                  <div className="flex items-center gap-2">
                    <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
                      <input
                        type="radio"
                        name={`correct-${question.key}`}
                        checked={correctAnswer === index}
                        onChange={() => onChange({ correctAnswer: index })}
                        aria-label={`Option ${index + 1} is correct`}
                        className="size-5 accent-accent"
                      />
                    </label>
                    <Input
                      id={optionId(index)}
                      aria-label={`Option ${index + 1}`}
                      aria-invalid={problem ? true : undefined}
                      aria-describedby={problem ? `${question.key}-option-${index}` : undefined}
                      maxLength={LESSON_MAX.option}
                      value={option}
                      onChange={(event) => onChange({ options: options.with(index, event.target.value) })}
                    />
                    <Button
                      variant="ghost"
                      size="icon"
                      aria-label={`Remove option ${index + 1}`}
                      aria-disabled={options.length <= OPTIONS_MIN || undefined}
                      onClick={() => options.length > OPTIONS_MIN && removeOption(index)}
                    >
                      <Trash2
                        aria-hidden="true"
                        className={options.length <= OPTIONS_MIN ? 'opacity-35' : ''}
                      />
                    </Button>
                  </div>
                  {problem && (
                    <p id={`${question.key}-option-${index}`} className={`${errorClass} mt-1 ml-13`}>
                      {problem}
                    </p>
                  )}
                </li>
              );
            })}
          </ul>
          {optionsError && (
            <p className={`${errorClass} mt-2`} role="alert">
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              <span>{optionsError}</span>
            </p>
          )}
          {options.length < OPTIONS_MAX && (
            <Button variant="ghost" size="sm" className="mt-2 min-h-11" onClick={addOption}>
              <Plus aria-hidden="true" /> Add option
            </Button>
          )}
        </fieldset>
        <Field label="Explanation" optional hint="Shown after a submit." error={error('explanation')}>
          <Textarea
            rows={2}
            maxLength={LESSON_MAX.explanation}
            value={question.explanation}
            onChange={(event) => onChange({ explanation: event.target.value })}
          />
        </Field>
      </div>
    </fieldset>
  );
}

import { CircleAlert, Plus, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { errorClass } from '#src/components/field.ts';
import { Select } from '#src/components/Select.tsx';
import type { EditorPartProps } from '#src/features/authoring/lesson-editor/lessons.ts';
import type { QuestionFields } from '#src/features/lessons/types/quiz/question.ts';
import { QUESTIONS_MAX } from './question.ts';
import { ExportQuestions } from '#src/features/authoring/question-files/ExportQuestions.tsx';
import { ImportQuestions } from '#src/features/authoring/question-files/ImportQuestions.tsx';
import { useFocusAfterDraw } from '#src/components/use-focus-after-draw.ts';
import { KIND_NAMES, type KindName } from './kinds/kind.ts';
import { KINDS } from './kinds/kinds.ts';
import { blankQuestion, QuestionEditor } from './QuestionEditorPart.tsx';
import { SettingsEditor } from './SettingsEditorPart.tsx';
import { QUIZ_PASS_PERCENT } from './settings.ts';

type DraftQuestion = { key: string; question: QuestionFields };

let made = 0;

function draftOf(question: QuestionFields): DraftQuestion {
  made += 1;
  return { question, key: `question-${made}` };
}

/** The questions of a quiz and how they are asked (decisions 36 and 70). */
export function QuizPart({ values, errors, onChange: tell }: EditorPartProps) {
  const [questions, setQuestions] = useState(() => values.questions.map(draftOf));
  const [kind, setKind] = useState<KindName>('single_choice');
  const [open, setOpen] = useState(questions[0]?.key);
  const [removed, setRemoved] = useState<{ at: number; question: DraftQuestion } | null>(null);
  const onChange = (next: DraftQuestion[]) => {
    setQuestions(next);
    tell(() => ({ questions: next.map(({ question }) => question) }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened
  useEffect(() => {
    const place = /^#question-([1-9]\d{0,3})$/.exec(location.hash)?.[1];
    const key = place && questions[Number(place) - 1]?.key;
    if (!key) return;
    setOpen(key);
    // Once the others are folded.
    setTimeout(() => document.getElementById(key)?.scrollIntoView());
  }, []);
  const focus = useFocusAfterDraw(questions);
  const insert = (at: number, added: DraftQuestion) => {
    focus(added.key);
    setOpen(added.key);
    onChange(questions.toSpliced(at, 0, added));
  };
  const move = (index: number, by: 1 | -1) => {
    const other = questions[index + by];
    if (other) onChange(questions.with(index, other).with(index + by, questions[index]!));
  };
  const wrong = new Set(Object.keys(errors).map((path) => /^questions\.(\d+)/.exec(path)?.[1]));
  const isFull = questions.length >= QUESTIONS_MAX;
  return (
    <>
      <section aria-labelledby="questions-heading">
        <input type="hidden" name="questions" />
        <h2 id="questions-heading" className="text-subheading">
          Questions
        </h2>
        <p className="mt-1 text-sm text-ink-soft">
          Learners pass with {values.quizSettings.passPercent ?? QUIZ_PASS_PERCENT}% correct answers; their
          best try counts.
        </p>
        {errors.questions && (
          <p className={`${errorClass} mt-2`} role="alert">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span>{errors.questions}</span>
          </p>
        )}
        <ol className="mt-4 space-y-4">
          {questions.map(({ key, question }, index) => (
            <li key={key} id={key}>
              <QuestionEditor
                question={question}
                name={key}
                number={index + 1}
                isFirst={index === 0}
                isLast={index === questions.length - 1}
                isOpen={key === open || wrong.has(String(index))}
                onToggle={(isOpen) => setOpen((now) => (isOpen ? key : now === key ? undefined : now))}
                error={(path) => errors[`questions.${index}.${path}`]}
                onChange={(next) => onChange(questions.with(index, { key, question: next }))}
                onMove={(by) => move(index, by)}
                onDuplicate={isFull ? null : () => insert(index + 1, draftOf({ ...question, id: null }))}
                onRemove={() => {
                  focus('restore-question');
                  setRemoved({ at: index, question: questions[index]! });
                  onChange(questions.toSpliced(index, 1));
                }}
              />
            </li>
          ))}
        </ol>
        {removed && (
          <p role="status" className="mt-4 flex flex-wrap items-center gap-x-3">
            Question {removed.at + 1} is removed.
            <Button
              id="restore-question"
              variant="link"
              disabled={isFull}
              onClick={() => {
                setRemoved(null);
                insert(Math.min(removed.at, questions.length), removed.question);
              }}
            >
              <Undo2 aria-hidden="true" className="size-4" /> Undo
            </Button>
          </p>
        )}
        {!isFull && (
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <div className="w-full sm:w-52">
              <Select
                aria-label="Kind of the new question"
                value={kind}
                onValueChange={(value) => setKind(value as KindName)}
                options={KIND_NAMES.map((name) => ({ value: name, label: KINDS[name].label }))}
              />
            </div>
            <Button
              id="add-question"
              variant="secondary"
              onClick={() => insert(questions.length, draftOf(blankQuestion(kind)))}
            >
              <Plus aria-hidden="true" /> Add question
            </Button>
          </div>
        )}
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <ImportQuestions
            present={questions.length}
            onAdd={(added) =>
              onChange([...questions, ...added.map((question) => draftOf({ ...question, id: null }))])
            }
          />
          {questions.length > 0 && <ExportQuestions questions={questions.map(({ question }) => question)} />}
        </div>
      </section>
      <SettingsEditor
        settings={values.quizSettings}
        questions={questions.map(({ question }) => question)}
        error={(path) => errors[`quizSettings.${path}`]}
        onChange={(quizSettings) => tell(() => ({ quizSettings }))}
      />
    </>
  );
}

import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { More } from '#src/components/More.tsx';
import { NumberInput } from '#src/components/NumberInput.tsx';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { counted } from '#src/shared/counted.ts';
import { QUESTION_MAX } from './kinds/kind.ts';
import type { Question } from './question.ts';
import { drawnFrom, QUIZ_PASS_PERCENT, type QuizSettings } from './settings.ts';

export function SettingsEditor({
  settings,
  questions,
  error,
  onChange,
}: {
  settings: QuizSettings;
  questions: readonly Question[];
  error: (path: string) => string | undefined;
  onChange: (settings: QuizSettings) => void;
}) {
  const [isSet] = useState(Object.keys(settings).length > 0);
  const change = (values: Partial<QuizSettings>) => onChange({ ...settings, ...values });
  return (
    <More open={isSet} label="How it is asked">
      <div className="grid gap-5 card px-4 py-5 sm:px-6">
        <div className="grid gap-5 sm:grid-cols-3">
          <Field label="Pass mark in percent" hint="1 to 100." error={error('passPercent')}>
            <NumberInput
              value={settings.passPercent}
              placeholder={String(QUIZ_PASS_PERCENT)}
              onChange={(passPercent) => change({ passPercent })}
            />
          </Field>
          <Field
            label="Attempts"
            optional
            hint="Empty for any number. Who has used them up cannot pass any more."
            error={error('attempts')}
          >
            <NumberInput value={settings.attempts} onChange={(attempts) => change({ attempts })} />
          </Field>
          <Field
            label="Minutes between attempts"
            optional
            hint="1,440 are a day."
            error={error('waitMinutes')}
          >
            <NumberInput value={settings.waitMinutes} onChange={(waitMinutes) => change({ waitMinutes })} />
          </Field>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Checkbox
            label="Shuffle the questions"
            hint="In another order for each attempt."
            checked={settings.shuffleQuestions ?? false}
            onCheckedChange={(checked) => change({ shuffleQuestions: checked === true })}
          />
          <Checkbox
            label="Shuffle the options"
            hint="True and false stay in their order."
            checked={settings.shuffleOptions ?? false}
            onCheckedChange={(checked) => change({ shuffleOptions: checked === true })}
          />
          <Checkbox
            label="Feedback after each question"
            hint="The first answer counts; wrong ones come back at the end for practice."
            checked={settings.feedback === 'each'}
            onCheckedChange={(checked) => change({ feedback: checked === true ? 'each' : undefined })}
          />
        </div>
        <DrawEditor
          settings={settings}
          questions={questions}
          error={error}
          onChange={(draw) => change({ draw })}
        />
      </div>
    </More>
  );
}

type Draw = NonNullable<QuizSettings['draw']>;

function DrawEditor({
  settings,
  questions,
  error,
  onChange,
}: {
  settings: QuizSettings;
  questions: readonly Question[];
  error: (path: string) => string | undefined;
  onChange: (draw: Draw) => void;
}) {
  const draw = settings.draw ?? [];
  const found = drawnFrom(questions, settings);
  const change = (index: number, values: Partial<Draw[number]>) =>
    onChange(draw.with(index, { ...draw[index]!, ...values }));
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Drawn by tag</legend>
      <p className="text-sm text-ink-soft">
        Of the questions with a tag, each attempt asks so many. Questions without one of these tags are always
        asked. The quizzes of a course are its bank: drawn from all of them, a question comes with its answer
        and explanation from wherever it stands.
      </p>
      <ul className="mt-2 space-y-3">
        {draw.map(({ tag, count, from }, index) => {
          const problem =
            error(`draw.${index}`) ?? error(`draw.${index}.tag`) ?? error(`draw.${index}.count`);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <li key={index}>
              <div className="flex flex-wrap items-end gap-2">
                <Field label="Questions" className="w-24">
                  <NumberInput value={count} onChange={(next) => change(index, { count: next as number })} />
                </Field>
                <Field label="with the tag" className="min-w-32 flex-1">
                  <Input
                    maxLength={QUESTION_MAX.tag}
                    autoComplete="off"
                    value={tag}
                    onChange={(event) => change(index, { tag: event.target.value.toLowerCase() })}
                  />
                </Field>
                <p className="content-center text-sm text-ink-soft tabular-nums max-sm:order-last max-sm:w-full sm:min-h-11">
                  of {counted(found[index]?.among.length ?? 0, 'question')}
                  {from === 'course' && ' here and those of other quizzes'}
                </p>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove drawing ${index + 1}`}
                  onClick={() => onChange(draw.toSpliced(index, 1))}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              </div>
              <Checkbox
                className="mt-2"
                label="From all quizzes of the course"
                checked={from === 'course'}
                onCheckedChange={(checked) =>
                  change(index, { from: checked === true ? 'course' : undefined })
                }
              />
              {problem && (
                <div role="alert">
                  <FieldProblem>{problem}</FieldProblem>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {error('draw') && (
        <div role="alert">
          <FieldProblem>{error('draw')}</FieldProblem>
        </div>
      )}
      <Button
        variant="ghost"
        size="sm"
        className="mt-2 min-h-11"
        onClick={() => onChange([...draw, { tag: '', count: 1 }])}
      >
        <Plus aria-hidden="true" /> Draw from a tag
      </Button>
    </fieldset>
  );
}

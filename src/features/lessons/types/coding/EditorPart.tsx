import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import type { EditorHandle } from '#src/features/practice/editor-host.ts';
import { CODING_LANGUAGES, type CodingLanguage, codingLanguage, languageLabel } from './languages.ts';
import type { EditorPartProps } from '#src/features/authoring/lesson-editor/lessons.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { stepItem } from '#src/components/row-tools.ts';
import { EXERCISE_MAX } from './limits.ts';
import type { Exercise } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { CodeBox } from '#src/features/authoring/lesson-editor/CodeBox.tsx';
import { TryAsLearner, type TryHandle } from '#src/features/authoring/lesson-editor/TryAsLearner.tsx';
import { useFocusAfterDraw } from '#src/components/use-focus-after-draw.ts';
import { RowTools } from '#src/components/RowTools.tsx';
import { LimitFields } from './LimitFields.tsx';
import { ExpectedMistakes } from './MistakesEditorPart.tsx';
import { TestCases } from './TestsEditorPart.tsx';

const mono = 'font-mono text-[0.875rem]! leading-relaxed';

/** The form of a coding lesson (decisions 44–49). */
export function CodingPart({ values: { exercise, content: fixture }, errors, onChange }: EditorPartProps) {
  const starter = useRef<EditorHandle>(null);
  const solution = useRef<EditorHandle>(null);
  const attempt = useRef<TryHandle>(null);
  const language = exercise.codingLanguage;
  const facts = codingLanguage(language).fixture;
  const change = (part: Partial<Exercise>) =>
    onChange(({ exercise: before }) => ({ exercise: { ...before, ...part } }));
  return (
    <section aria-labelledby="exercise-heading" className="grid gap-6">
      <div>
        <h2 id="exercise-heading" className="text-subheading">
          Exercise
        </h2>
        <p className="mt-1 text-sm text-ink-soft max-md:hidden">
          In an editor, Ctrl + Enter runs the tests, and Escape lets Tab move on.
        </p>
      </div>
      <div className="grid grid-cols-1 items-start gap-8 xl:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <div className="grid min-w-0 gap-8">
          <Field label="Language" required error={errors.codingLanguage} className="sm:w-60">
            <Select
              value={language}
              onValueChange={(chosen) => change({ codingLanguage: chosen as CodingLanguage })}
              options={CODING_LANGUAGES.map((one) => ({ value: one, label: languageLabel(one) }))}
            />
          </Field>
          {facts && (
            <Field label={facts.label} hint={facts.hint} error={errors.content}>
              <Textarea
                name="content"
                rows={7}
                className={mono}
                value={fixture}
                maxLength={LESSON_MAX.content}
                onChange={({ target }) => onChange(() => ({ content: target.value }))}
                spellCheck={false}
                autoCapitalize="off"
                autoComplete="off"
              />
            </Field>
          )}
          <CodeBox
            ref={starter}
            id="starter-code"
            label="Starter code"
            hint="What learners begin with. It should not pass yet."
            language={language}
            initialCode={exercise.starterCode}
            error={errors.starterCode}
            onChange={(starterCode) => change({ starterCode })}
            onRun={() => attempt.current?.run('starter')}
          />
          <CodeBox
            ref={solution}
            id="reference-solution"
            label="Reference solution"
            hint="Your own answer. It must pass before the course goes live. Learners see it once they have passed; before that, a failed run that is replayed tells them one value of it."
            language={language}
            initialCode={exercise.solution}
            error={errors.solution}
            onChange={(text) => change({ solution: text })}
            onRun={() => attempt.current?.run('solution')}
          />
          <Field
            label="What to notice in the solution"
            optional
            hint="Read beside the solution by learners who have passed. Markdown."
            error={errors.solutionNotes}
          >
            <Textarea
              name="solutionNotes"
              rows={4}
              value={exercise.solutionNotes}
              maxLength={EXERCISE_MAX.solutionNotes}
              onChange={({ target }) => change({ solutionNotes: target.value })}
            />
          </Field>
          <Checkbox
            name="showsPrograms"
            label="Show learners who have passed the programs of others, without names"
            hint="Those that are handed in from then on, without their comments. Learners are told, and may keep theirs out."
            error={errors.showsPrograms}
            checked={exercise.showsPrograms}
            onCheckedChange={(checked) => change({ showsPrograms: checked === true })}
          />
          <TestCases
            exercise={exercise}
            fixture={fixture}
            errors={errors}
            onChange={(testCases) => change({ testCases })}
          />
          <Field
            label="Expected output"
            optional
            hint={
              exercise.testCases.length > 0
                ? 'Shown to learners as an example; the test cases decide.'
                : 'Without test cases, the program must print exactly this.'
            }
            error={errors.expectedOutput}
          >
            <Textarea
              rows={3}
              className={mono}
              value={exercise.expectedOutput}
              maxLength={EXERCISE_MAX.expectedOutput}
              onChange={(event) => change({ expectedOutput: event.target.value })}
              spellCheck={false}
            />
          </Field>
          <Hints hints={exercise.hints} errors={errors} onChange={(hints) => change({ hints })} />
          <ExpectedMistakes
            mistakes={exercise.expectedMistakes}
            errors={errors}
            onChange={(expectedMistakes) => change({ expectedMistakes })}
          />
          <LimitFields
            limits={exercise.codeLimits}
            language={language}
            errors={errors}
            onChange={(codeLimits) => change({ codeLimits })}
          />
        </div>
        <TryAsLearner
          ref={attempt}
          exercise={exercise}
          fixture={fixture}
          onJump={(which, line, column) =>
            (which === 'starter' ? starter : solution).current?.goTo(line, column)
          }
        />
      </div>
    </section>
  );
}

function Hints({
  hints,
  errors,
  onChange,
}: {
  hints: string[];
  errors: FieldErrors;
  onChange: (hints: string[]) => void;
}) {
  const focus = useFocusAfterDraw(hints);
  const [blank, setBlank] = useState(false);
  const add = () => {
    // A hint is added only once the one before it says something (spec 5).
    const unwritten = hints.findIndex((hint) => !hint.trim());
    setBlank(unwritten !== -1);
    if (unwritten !== -1) {
      document.getElementById(`hint-${unwritten}`)?.querySelector('textarea')?.focus();
      return;
    }
    focus(`hint-${hints.length}`);
    onChange([...hints, '']);
  };
  return (
    <section aria-labelledby="hints-heading">
      <h3 id="hints-heading" className="text-subheading">
        Hints
      </h3>
      <p className="mt-1 text-sm text-ink-soft">
        Learners reveal them one at a time, in this order. Blank hints are left out.
      </p>
      {errors.hints && <FieldProblem>{errors.hints}</FieldProblem>}
      <ol className="mt-3 space-y-3">
        {hints.map((hint, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a hint is its place; two may read the same while typing
          <li key={index} id={`hint-${index}`} className="flex flex-wrap items-start gap-x-2 sm:flex-nowrap">
            <Field
              label={`Hint ${index + 1}`}
              className="min-w-0 flex-1 basis-full sm:basis-0"
              error={
                errors[`hints.${index}`] ?? (blank && !hint.trim() ? 'Write this hint first' : undefined)
              }
            >
              <Textarea
                rows={2}
                value={hint}
                maxLength={EXERCISE_MAX.hint}
                onChange={(event) => onChange(hints.with(index, event.target.value))}
              />
            </Field>
            <div className="sm:pt-7">
              <RowTools
                name={`hint ${index + 1}`}
                isFirst={index === 0}
                isLast={index === hints.length - 1}
                onMove={(by) => onChange(stepItem(hints, index, by))}
                onRemove={() => {
                  focus('add-hint');
                  onChange(hints.toSpliced(index, 1));
                }}
              />
            </div>
          </li>
        ))}
      </ol>
      {hints.length < EXERCISE_MAX.hints && (
        <Button id="add-hint" variant="secondary" className="mt-3" onClick={add}>
          <Plus aria-hidden="true" /> Add hint
        </Button>
      )}
    </section>
  );
}

import { EyeOff, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { useLatest } from '#src/components/use-latest.ts';
import { type CodingLanguage, codingLanguage } from './languages.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { counted } from '#src/shared/counted.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { stepItem } from '#src/components/row-tools.ts';
import { EXERCISE_MAX } from './limits.ts';
import {
  emptyTest,
  mayBeStrict,
  nextTest,
  type TestFields,
  type TestMode,
  unfinishedTest,
} from '#src/features/authoring/lesson-editor/exercise.ts';
import type { Exercise } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { useFocusAfterDraw } from '#src/components/use-focus-after-draw.ts';
import { RowTools } from '#src/components/RowTools.tsx';
import { FindingLine, spokenFinding } from '#src/features/authoring/lesson-editor/test-help/FindingLine.tsx';
import { InsertExample } from '#src/features/authoring/lesson-editor/test-help/InsertExample.tsx';
import { examplesOf } from '#src/features/authoring/lesson-editor/test-help/test-examples.ts';
import { useFindings } from '#src/features/authoring/lesson-editor/test-help/use-findings.ts';

const mono = 'font-mono text-[0.875rem]! leading-relaxed';

const MODES: { value: TestMode; label: string }[] = [
  { value: 'call', label: 'Expression' },
  { value: 'stdin', label: 'Typed lines' },
];

const inSentence = (label: string) => `${label[0]!.toLowerCase()}${label.slice(1)}`;

export function TestCases({
  exercise,
  fixture,
  errors,
  onChange,
}: {
  exercise: Exercise;
  fixture: string;
  errors: FieldErrors;
  onChange: (tests: TestFields[]) => void;
}) {
  const { testCases: tests, codingLanguage: language } = exercise;
  const findings = useFindings(exercise, fixture);
  const [edited, setEdited] = useState<number | null>(null);
  const latest = useLatest({ tests, onChange });
  const focus = useFocusAfterDraw(tests);
  const [unfinished, setUnfinished] = useState<ReturnType<typeof unfinishedTest>>(null);
  const loose = tests.filter((test) => mayBeStrict(language, test) && !test.strict);
  const add = () => {
    const found = unfinishedTest(tests);
    setUnfinished(found);
    if (found) {
      document.getElementById(`test-${found.index}-${found.field}`)?.focus();
      return;
    }
    focus(`test-${tests.length}`);
    onChange([...tests, nextTest(tests, language)]);
  };
  const insert = (index: number, asked: TestFields, example: Partial<TestFields>) => {
    const now = latest.current.tests;
    if (now[index]?.input !== asked.input) return;
    setEdited(isUnwritten(asked) ? index : index + 1);
    const filled = { ...(isUnwritten(asked) ? now[index] : emptyTest()), ...example, expectsEmpty: false };
    latest.current.onChange(
      isUnwritten(asked) ? now.with(index, filled) : now.toSpliced(index + 1, 0, filled),
    );
  };
  const said = edited === null ? undefined : findings.byTest.get(edited);
  return (
    <section aria-labelledby="tests-heading">
      <h3 id="tests-heading" className="text-subheading">
        Test cases
      </h3>
      <p className="mt-1 text-sm text-ink-soft">
        All of them must pass. Input for this language: {inSentence(codingLanguage(language).input.label)},
        such as <code className="font-mono">{codingLanguage(language).input.example}</code>
      </p>
      {examplesOf(language).length > 0 &&
        tests.length > 0 &&
        (findings.trouble || isBlank(exercise.solution)) && (
          <p className="mt-2 text-sm text-ink-soft">
            {findings.trouble ??
              'Once there is a reference solution, each test says here what it finds in it.'}
          </p>
        )}
      {/* One voice for all tests: of the one that was changed last. */}
      <p aria-live="polite" className="sr-only">
        {edited !== null && said && `Test ${edited + 1}, in the reference: ${spokenFinding(said)}`}
      </p>
      {loose.length > 1 && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-soft">
          {counted(loose.length, 'test')} would take <code className="font-mono">"3"</code>, or a printed 3,
          for the number 3.
          <Button
            variant="secondary"
            size="sm"
            onClick={() =>
              onChange(tests.map((test) => (loose.includes(test) ? { ...test, strict: true } : test)))
            }
          >
            Compare all with the type
          </Button>
        </p>
      )}
      {errors.testCases && <FieldProblem>{errors.testCases}</FieldProblem>}
      <ol className="mt-3 space-y-4">
        {tests.map((test, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a test is its place; two may read the same while typing
          <li key={index} id={`test-${index}`}>
            <Test
              test={test}
              index={index}
              language={language}
              example={
                examplesOf(language).length > 0 &&
                (isUnwritten(test) || tests.length < EXERCISE_MAX.tests) && (
                  <InsertExample
                    exercise={exercise}
                    fixture={fixture}
                    name={`into test ${index + 1}`}
                    isWritten={!isUnwritten(test)}
                    onInsert={(example) => insert(index, test, example)}
                  />
                )
              }
              finding={
                <FindingLine
                  finding={findings.byTest.get(index)}
                  isAsking={findings.asking && !isBlank(test.input)}
                />
              }
              isLast={index === tests.length - 1}
              error={(field) =>
                errors[`testCases.${index}.${field}`] ??
                (unfinished?.index === index && unfinished.field === field && !test[unfinished.field].trim()
                  ? unfinished.message
                  : undefined)
              }
              onChange={(part) => {
                setEdited(index);
                onChange(tests.with(index, { ...test, ...part }));
              }}
              onMove={(by) => {
                setEdited(null);
                onChange(stepItem(tests, index, by));
              }}
              onRemove={() => {
                setEdited(null);
                focus('add-test');
                onChange(tests.toSpliced(index, 1));
              }}
            />
          </li>
        ))}
      </ol>
      {tests.length < EXERCISE_MAX.tests && (
        <Button id="add-test" variant="secondary" className="mt-3" onClick={add}>
          <Plus aria-hidden="true" /> Add test case
        </Button>
      )}
    </section>
  );
}

const isUnwritten = ({ input, expectedOutput }: TestFields) => isBlank(input) && isBlank(expectedOutput);

function Test({
  test,
  index,
  language,
  example,
  finding,
  isLast,
  error,
  onChange,
  onMove,
  onRemove,
}: {
  test: TestFields;
  index: number;
  language: CodingLanguage;
  example: ReactNode;
  finding: ReactNode;
  isLast: boolean;
  error: (field: keyof TestFields) => string | undefined;
  onChange: (part: Partial<TestFields>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}) {
  const isLines = test.mode === 'stdin';
  // A test may have been written for another language.
  const showsMode = codingLanguage(language).takesLines || isLines;
  return (
    <fieldset className="card px-4 pt-2.5 pb-5 sm:px-5">
      <legend className="sr-only">Test {index + 1}</legend>
      <div className="flex items-center justify-between gap-3">
        <p aria-hidden="true" className="flex items-center gap-2.5 font-semibold">
          Test {index + 1}
          {test.hidden && (
            <span className="inline-flex items-center gap-1 text-xs font-normal text-ink-soft">
              <EyeOff className="size-3.5" /> Hidden
            </span>
          )}
        </p>
        <RowTools
          name={`test ${index + 1}`}
          isFirst={index === 0}
          isLast={isLast}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
      {example && <div className="mt-1">{example}</div>}
      <div className="mt-2 grid gap-4 sm:grid-cols-2">
        <Field
          id={`test-${index}-input`}
          label={isLines ? 'Typed lines' : 'Input'}
          required
          error={error('input')}
        >
          <Textarea
            rows={isLines ? 3 : 2}
            className={mono}
            value={test.input}
            maxLength={EXERCISE_MAX.testText}
            onChange={(event) => onChange({ input: event.target.value })}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
          />
        </Field>
        <Field
          id={`test-${index}-expectedOutput`}
          label="Expected output"
          required={!test.expectsEmpty}
          error={error('expectedOutput')}
        >
          <Textarea
            rows={isLines ? 3 : 2}
            disabled={test.expectsEmpty}
            className={mono}
            value={test.expectedOutput}
            maxLength={EXERCISE_MAX.testText}
            onChange={(event) => onChange({ expectedOutput: event.target.value })}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
          />
        </Field>
        {finding}
        <Field
          label="Description"
          optional={!test.hidden}
          required={test.hidden}
          error={error('description')}
          className={showsMode ? '' : 'sm:col-span-2'}
        >
          <Input
            value={test.description}
            maxLength={EXERCISE_MAX.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        </Field>
        {showsMode && (
          <Field label="The input is" error={error('mode')}>
            <Select
              value={test.mode}
              onValueChange={(mode) => onChange({ mode: mode as TestMode })}
              options={MODES}
            />
          </Field>
        )}
        <Checkbox
          className="sm:col-span-2"
          label="Expects an empty text"
          hint="Nothing, or white space alone, is the right answer."
          checked={test.expectsEmpty}
          onCheckedChange={(checked) =>
            onChange(checked === true ? { expectsEmpty: true, expectedOutput: '' } : { expectsEmpty: false })
          }
        />
        {mayBeStrict(language, test) && (
          <Checkbox
            className="sm:col-span-2"
            label="Compare with the type"
            hint={
              <>
                The returned value counts, and nothing printed. Quotes make a text: <code>"3"</code> is a
                text, <code>3</code> a number. Without it,{' '}
                {language === 'python' ? (
                  <>
                    what <code>==</code> calls equal is right.
                  </>
                ) : (
                  'types do not count.'
                )}
              </>
            }
            checked={test.strict === true}
            onCheckedChange={(strict) => onChange({ strict: strict === true })}
          />
        )}
        <Checkbox
          className="sm:col-span-2"
          label="Hidden from learners"
          hint="They read its description only, so it cannot be answered by heart."
          checked={test.hidden}
          onCheckedChange={(hidden) => onChange({ hidden: hidden === true })}
        />
      </div>
    </fieldset>
  );
}

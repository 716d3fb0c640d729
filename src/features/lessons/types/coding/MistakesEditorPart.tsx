import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { RowTools } from '#src/components/RowTools.tsx';
import { stepItem } from '#src/components/row-tools.ts';
import { Textarea } from '#src/components/Textarea.tsx';
import { useFocusAfterDraw } from '#src/components/use-focus-after-draw.ts';
import type { FieldErrors } from '#src/shared/errors.ts';
import { emptyMistake, lacksOf, type MistakeFields } from './expected-mistakes.ts';
import { EXERCISE_MAX } from './limits.ts';

const asCode = {
  className: 'font-mono text-[0.875rem]! leading-relaxed',
  spellCheck: false,
  autoCapitalize: 'off',
  autoComplete: 'off',
} as const;

/** The form of expected mistakes (decision 121). */
export function ExpectedMistakes({
  mistakes,
  errors,
  onChange,
}: {
  mistakes: MistakeFields[];
  errors: FieldErrors;
  onChange: (mistakes: MistakeFields[]) => void;
}) {
  const focus = useFocusAfterDraw(mistakes);
  const [unfinished, setUnfinished] = useState<number | null>(null);
  const add = () => {
    // As with tests, one is added only once those before it are whole.
    const at = mistakes.findIndex((mistake) => Object.keys(lacksOf(mistake)).length > 0);
    setUnfinished(at === -1 ? null : at);
    if (at !== -1) {
      const [field] = Object.keys(lacksOf(mistakes[at]!));
      document.getElementById(`mistake-${at}-${field}`)?.focus();
      return;
    }
    focus(`mistake-${mistakes.length}`);
    onChange([...mistakes, emptyMistake()]);
  };
  const change = (next: MistakeFields[]) => {
    setUnfinished(null);
    onChange(next);
  };
  return (
    <section aria-labelledby="mistakes-heading">
      <h3 id="mistakes-heading" className="text-subheading">
        Expected mistakes
      </h3>
      <p className="mt-1 text-sm text-ink-soft">
        What you say to a learner whose program goes wrong in a way that you know. The first that fits is read
        before anything else.
      </p>
      {errors.expectedMistakes && <FieldProblem>{errors.expectedMistakes}</FieldProblem>}
      <ol className="mt-3 space-y-4">
        {mistakes.map((mistake, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a mistake is its place; two may read the same while typing
          <li key={index} id={`mistake-${index}`}>
            <Mistake
              mistake={mistake}
              index={index}
              isLast={index === mistakes.length - 1}
              error={(field) => {
                const lack = unfinished === index ? lacksOf(mistake)[field] : undefined;
                return (
                  errors[`expectedMistakes.${index}.${field}`] ??
                  (lack && `Expected mistake ${index + 1}: ${lack}`)
                );
              }}
              onChange={(part) => onChange(mistakes.with(index, { ...mistake, ...part }))}
              onMove={(by) => change(stepItem(mistakes, index, by))}
              onRemove={() => {
                focus('add-mistake');
                change(mistakes.toSpliced(index, 1));
              }}
            />
          </li>
        ))}
      </ol>
      {mistakes.length < EXERCISE_MAX.mistakes && (
        <Button id="add-mistake" variant="secondary" className="mt-3" onClick={add}>
          <Plus aria-hidden="true" /> Add expected mistake
        </Button>
      )}
    </section>
  );
}

function Mistake({
  mistake,
  index,
  isLast,
  error,
  onChange,
  onMove,
  onRemove,
}: {
  mistake: MistakeFields;
  index: number;
  isLast: boolean;
  error: (field: keyof MistakeFields) => string | undefined;
  onChange: (part: Partial<MistakeFields>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}) {
  const field = (name: keyof MistakeFields) => ({ id: `mistake-${index}-${name}`, error: error(name) });
  return (
    <fieldset className="card px-4 pt-2.5 pb-5 sm:px-5">
      <legend className="sr-only">Expected mistake {index + 1}</legend>
      <div className="flex items-center justify-between gap-3">
        <p aria-hidden="true" className="font-semibold">
          Expected mistake {index + 1}
        </p>
        <RowTools
          name={`expected mistake ${index + 1}`}
          isFirst={index === 0}
          isLast={isLast}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
      <div className="mt-2 grid gap-4 sm:grid-cols-2">
        <Field {...field('code')} label="If the code contains" hint="Spaces and line breaks do not count.">
          <Textarea
            {...asCode}
            rows={2}
            value={mistake.code}
            maxLength={EXERCISE_MAX.mark}
            onChange={({ target }) => onChange({ code: target.value })}
          />
        </Field>
        <Field
          {...field('lacks')}
          label="If the code does not contain"
          hint="With several lines: none of them."
        >
          <Textarea
            {...asCode}
            rows={2}
            value={mistake.lacks}
            maxLength={EXERCISE_MAX.mark}
            onChange={({ target }) => onChange({ lacks: target.value })}
          />
        </Field>
        <Field
          {...field('result')}
          label="If the result is"
          className="sm:col-span-2"
          hint="What a test that learners see got, or printed; an error such as ReferenceError; time_limit; or pass: then the program is wrong although the tests pass."
        >
          <Textarea
            {...asCode}
            rows={2}
            value={mistake.result}
            maxLength={EXERCISE_MAX.mark}
            onChange={({ target }) => onChange({ result: target.value })}
          />
        </Field>
        <Field
          {...field('say')}
          label="Say"
          required
          hint="Plain text; `backticks` mark code."
          className="sm:col-span-2"
        >
          <Textarea
            rows={2}
            value={mistake.say}
            maxLength={EXERCISE_MAX.say}
            onChange={({ target }) => onChange({ say: target.value })}
          />
        </Field>
        <Field
          {...field('program')}
          label="A program that makes it"
          required
          hint="The publish check runs it: it must fail, and this must be what is said of it."
          className="sm:col-span-2"
        >
          <Textarea
            {...asCode}
            rows={5}
            value={mistake.program}
            maxLength={EXERCISE_MAX.code}
            onChange={({ target }) => onChange({ program: target.value })}
          />
        </Field>
      </div>
    </fieldset>
  );
}

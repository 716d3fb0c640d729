import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { RightSign, WrongSign } from './ChoiceOption.tsx';
import { type AnswerProps, QUESTION_MAX } from './kind.ts';

export function TypedAnswer({
  name,
  value,
  marked,
  onChange,
  label,
  unit,
  numeric = false,
}: AnswerProps & { label: string; unit?: string | undefined; numeric?: boolean }) {
  const isRight = marked?.credit === 1;
  return (
    <div className="grid gap-3">
      <Field id={`${name}-typed`} label={label} className="max-w-md">
        <span className="flex items-center gap-3">
          <Input
            aria-describedby={unit ? `${name}-unit` : undefined}
            name={name}
            value={String((marked ? marked.given : value) ?? '')}
            readOnly={marked !== null}
            inputMode={numeric ? 'decimal' : 'text'}
            maxLength={QUESTION_MAX.answer}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
          />
          {unit && <span id={`${name}-unit`}>{unit}</span>}
        </span>
      </Field>
      {marked && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {isRight ? <RightSign>Right</RightSign> : <WrongSign>Not right</WrongSign>}
          {!isRight && (
            <span>
              Right answer: <strong className="font-semibold">{marked.solutionText}</strong>
            </span>
          )}
        </p>
      )}
    </div>
  );
}

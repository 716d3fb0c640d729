import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { NumberInput } from '#src/components/NumberInput.tsx';
import type { KindEditorProps } from '../LinesEditorPart.tsx';
import type { NumberQuestion } from './definition.ts';

export function NumberEditor({ question, error, onChange }: KindEditorProps<NumberQuestion>) {
  return (
    <div className="grid gap-5 sm:grid-cols-3">
      <Field label="Right number" required error={error('value')}>
        <NumberInput
          inputMode="decimal"
          value={question.value}
          onChange={(value) => onChange({ value: value as number })}
        />
      </Field>
      <Field label="Tolerance" hint="So far off is still right." error={error('tolerance')}>
        <NumberInput
          inputMode="decimal"
          value={question.tolerance}
          onChange={(tolerance) => onChange({ tolerance: tolerance as number })}
        />
      </Field>
      <Field label="Unit" optional hint="Such as kg." error={error('unit')}>
        <Input
          maxLength={20}
          value={question.unit}
          onChange={(event) => onChange({ unit: event.target.value })}
        />
      </Field>
    </div>
  );
}

import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { counted } from '#src/shared/counted.ts';
import { ComparisonEditor } from '../ComparisonEditorPart.tsx';
import { QUESTION_MAX } from '../kind.ts';
import type { KindEditorProps } from '../LinesEditorPart.tsx';
import { type Gaps, gapsOf, numberInGap } from './definition.ts';

export function GapsEditor({ question, error, onChange }: KindEditorProps<Gaps>) {
  const { gaps } = gapsOf(question.text);
  const numbers = gaps.filter((accepted) => accepted.some(numberInGap)).length;
  return (
    <>
      <Field
        label="Text with gaps"
        required
        hint="Put each missing word into [[brackets]], further right answers behind a bar: [[two|2]]. A number begins with =, as [[=2.50]] or [[=2.5±0.1]]: 2.5 is right too."
        error={error('text')}
      >
        <Textarea
          rows={4}
          maxLength={QUESTION_MAX.gapText}
          value={question.text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      </Field>
      <p className="-mt-3 text-sm text-ink-soft tabular-nums">
        {counted(gaps.length, 'gap')}
        {numbers > 0 && `, ${counted(numbers, 'number')} among them`}.
      </p>
      <ComparisonEditor {...question} onChange={onChange} />
    </>
  );
}

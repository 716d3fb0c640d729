import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { counted } from '#src/shared/counted.ts';
import { ComparisonEditor } from '../ComparisonEditorPart.tsx';
import { QUESTION_MAX } from '../kind.ts';
import type { KindEditorProps } from '../LinesEditorPart.tsx';
import { type Gaps, gapsOf } from './definition.ts';

export function GapsEditor({ question, error, onChange }: KindEditorProps<Gaps>) {
  const { gaps } = gapsOf(question.text);
  return (
    <>
      <Field
        label="Text with gaps"
        required
        hint="Put each missing word into [[brackets]], further right answers behind a bar: [[two|2]]."
        error={error('text')}
      >
        <Textarea
          rows={4}
          maxLength={QUESTION_MAX.gapText}
          value={question.text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      </Field>
      <p className="-mt-3 text-sm text-ink-soft tabular-nums">{counted(gaps.length, 'gap')}.</p>
      <ComparisonEditor {...question} onChange={onChange} />
    </>
  );
}

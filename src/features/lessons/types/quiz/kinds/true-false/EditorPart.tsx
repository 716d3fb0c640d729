import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { RadioGroup } from '#src/components/RadioGroup.tsx';
import { QUESTION_MAX } from '../kind.ts';
import type { KindEditorProps } from '../LinesEditorPart.tsx';
import { TRUE_FALSE, type TrueFalse } from './definition.ts';

export function TrueFalseEditor({ question, error, onChange }: KindEditorProps<TrueFalse>) {
  const { isTrue, feedback = [] } = question;
  return (
    <>
      <RadioGroup
        label="The statement is"
        inline
        options={[
          { value: 'true', label: 'True' },
          { value: 'false', label: 'False' },
        ]}
        value={String(isTrue)}
        onValueChange={(value) => onChange({ isTrue: value === 'true' })}
        error={error('isTrue')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        {TRUE_FALSE.map((option, index) => (
          <Field key={option} label={`Feedback to “${option}”`} optional error={error(`feedback.${index}`)}>
            <Input
              maxLength={QUESTION_MAX.feedback}
              value={feedback[index] ?? ''}
              onChange={(event) =>
                onChange({
                  feedback: [feedback[0] ?? '', feedback[1] ?? ''].with(index, event.target.value),
                })
              }
            />
          </Field>
        ))}
      </div>
    </>
  );
}

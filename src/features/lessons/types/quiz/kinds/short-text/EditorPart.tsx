import { ComparisonEditor } from '../ComparisonEditorPart.tsx';
import { QUESTION_MAX } from '../kind.ts';
import { type KindEditorProps, LinesEditor } from '../LinesEditorPart.tsx';
import type { ShortText } from './definition.ts';

export function ShortTextEditor({ question, name, error, onChange }: KindEditorProps<ShortText>) {
  return (
    <>
      <LinesEditor
        legend="Accepted answers"
        hint="Spaces around and between words do not count."
        one="accepted answer"
        name={name}
        lines={question.accepted}
        min={1}
        max={QUESTION_MAX.acceptedAnswers}
        length={QUESTION_MAX.accepted}
        error={(index) => error(index === '' ? 'accepted' : `accepted.${index}`)}
        onChange={(accepted) => onChange({ accepted })}
      />
      <ComparisonEditor {...question} onChange={onChange} />
    </>
  );
}

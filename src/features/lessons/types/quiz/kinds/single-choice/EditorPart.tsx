import { ChoiceEditor } from '../ChoiceEditorPart.tsx';
import type { KindEditorProps } from '../LinesEditorPart.tsx';
import type { SingleChoice } from './definition.ts';

export function SingleChoiceEditor({ question, name, error, onChange }: KindEditorProps<SingleChoice>) {
  return (
    <ChoiceEditor
      type="radio"
      name={name}
      options={question.options}
      correct={[question.correctAnswer]}
      feedback={question.feedback}
      isFormatted={question.format === 'markdown'}
      error={error}
      correctError={error('correctAnswer')}
      onChange={(options, [correctAnswer = -1], feedback) => onChange({ options, correctAnswer, feedback })}
    />
  );
}

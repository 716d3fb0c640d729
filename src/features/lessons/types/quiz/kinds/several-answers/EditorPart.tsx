import { ChoiceEditor } from '../ChoiceEditorPart.tsx';
import type { KindEditorProps } from '../LinesEditorPart.tsx';
import type { SeveralAnswers } from './definition.ts';

export function SeveralAnswersEditor({ question, name, error, onChange }: KindEditorProps<SeveralAnswers>) {
  return (
    <ChoiceEditor
      type="checkbox"
      name={name}
      options={question.options}
      correct={question.correctAnswers}
      feedback={question.feedback}
      isFormatted={question.format === 'markdown'}
      error={error}
      correctError={error('correctAnswers')}
      onChange={(options, correctAnswers, feedback) => onChange({ options, correctAnswers, feedback })}
    />
  );
}

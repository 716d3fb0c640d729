import { ChoiceOption } from '../ChoiceOption.tsx';
import type { AnswerProps } from '../kind.ts';

export function SingleChoiceAnswer({ question, name, value, marked, onChange }: AnswerProps) {
  const answerOf = (option: string, at: number) => (question.shuffled ? option : at);
  const given = marked ? (question.shuffled ? marked.given : marked.chosen) : value;
  const right = marked && (question.shuffled ? marked.solution : marked.correctAnswer);
  return (
    <div className="grid gap-2.5">
      {question.options.map((option, at) => (
        <ChoiceOption
          key={option}
          type="radio"
          text={option}
          html={question.optionsHtml?.[at]}
          name={name}
          value={at}
          isChosen={given === answerOf(option, at)}
          isRight={marked && right === answerOf(option, at)}
          onChoose={() => onChange(answerOf(option, at))}
        />
      ))}
    </div>
  );
}

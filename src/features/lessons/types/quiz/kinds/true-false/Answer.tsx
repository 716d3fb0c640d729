import { ChoiceOption } from '../ChoiceOption.tsx';
import type { AnswerProps } from '../kind.ts';

export function TrueFalseAnswer({ question, name, value, marked, onChange }: AnswerProps) {
  const given = marked ? marked.given : value;
  return (
    <div className="grid gap-2.5 sm:grid-cols-2">
      {question.options.map((option, at) => (
        <ChoiceOption
          key={option}
          type="radio"
          text={option}
          name={name}
          value={at}
          isChosen={given === (at === 0)}
          isRight={marked && marked.solution === (at === 0)}
          onChoose={() => onChange(at === 0)}
        />
      ))}
    </div>
  );
}

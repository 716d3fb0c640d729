import { ChoiceOption } from '../ChoiceOption.tsx';
import { type AnswerProps, textsOf } from '../kind.ts';

export function SeveralAnswersAnswer({ question, name, value, marked, onChange }: AnswerProps) {
  const chosen = textsOf(marked ? (marked.given ?? undefined) : value);
  return (
    <div className="grid gap-2.5">
      <p className="text-sm text-ink-soft">Choose all that are right.</p>
      {question.options.map((option, at) => (
        <ChoiceOption
          key={option}
          type="checkbox"
          text={option}
          html={question.optionsHtml?.[at]}
          name={name}
          value={at}
          isChosen={chosen.includes(option)}
          isRight={marked && textsOf(marked.solution).includes(option)}
          onChoose={() =>
            onChange(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])
          }
        />
      ))}
    </div>
  );
}

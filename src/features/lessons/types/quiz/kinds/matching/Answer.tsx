import { InlineCode } from '#src/components/InlineCode.tsx';
import { NativeSelect } from '#src/components/NativeSelect.tsx';
import { RightSign, WrongSign } from '../ChoiceOption.tsx';
import { type AnswerProps, textsOf } from '../kind.ts';

export function MatchingAnswer({ question, name, value, marked, onChange }: AnswerProps) {
  const given = textsOf(marked ? (marked.given ?? undefined) : value);
  const right = textsOf(marked?.solution);
  const choices = question.choices ?? [];
  const all = question.options.map((_, at) => given[at] ?? '');
  return (
    <ul className="grid gap-4 sm:gap-3">
      {question.options.map((prompt, at) => (
        <li key={prompt} className="grid items-center gap-x-5 gap-y-1.5 sm:grid-cols-2">
          <label htmlFor={`${name}-match-${at}`} className="wrap-anywhere">
            <InlineCode text={prompt} />
          </label>
          {marked ? (
            <p id={`${name}-match-${at}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>{all[at] || 'Nothing chosen'}</span>
              {marked.rightParts?.[at] ? (
                <RightSign>Right</RightSign>
              ) : (
                <>
                  <WrongSign>Not right</WrongSign>
                  <span className="text-sm">
                    Right answer: <strong className="font-semibold">{right[at]}</strong>
                  </span>
                </>
              )}
            </p>
          ) : (
            <NativeSelect
              id={`${name}-match-${at}`}
              value={all[at]}
              onChange={(event) => onChange(all.with(at, event.target.value))}
              options={[
                { value: '', label: 'Choose one' },
                ...choices.map((choice) => ({ value: choice, label: choice })),
              ]}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

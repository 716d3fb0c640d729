import { Input } from '#src/components/Input.tsx';
import { OPTIONS_MIN, QUESTION_MAX } from './kind.ts';
import { LinesEditor } from './LinesEditorPart.tsx';

export function ChoiceEditor({
  type,
  name,
  options,
  correct,
  feedback = [],
  isFormatted,
  error,
  correctError,
  onChange,
}: {
  type: 'radio' | 'checkbox';
  name: string;
  options: string[];
  correct: number[];
  feedback: string[] | undefined;
  isFormatted: boolean;
  error: (path: string) => string | undefined;
  correctError: string | undefined;
  onChange: (options: string[], correct: number[], feedback: string[]) => void;
}) {
  const texts = options.map((_, index) => feedback[index] ?? '');
  const toggle = (index: number) =>
    type === 'radio'
      ? [index]
      : correct.includes(index)
        ? correct.filter((one) => one !== index)
        : [...correct, index].toSorted((a, b) => a - b);
  return (
    <LinesEditor
      legend="Options"
      hint={`Mark the correct ${type === 'radio' ? 'one' : 'ones'}. Feedback is shown to whoever chooses the option.`}
      one="option"
      name={name}
      lines={options}
      min={OPTIONS_MIN}
      max={QUESTION_MAX.options}
      length={QUESTION_MAX.choice}
      isFormatted={isFormatted}
      error={(index) => (index === '' ? (correctError ?? error('options')) : error(`options.${index}`))}
      onChange={(next) =>
        onChange(
          next,
          correct,
          next.map((_, index) => texts[index] ?? ''),
        )
      }
      onRemove={(index) =>
        onChange(
          options.toSpliced(index, 1),
          correct.flatMap((one) => (one === index ? [] : [one > index ? one - 1 : one])),
          texts.toSpliced(index, 1),
        )
      }
      mark={(index) => (
        <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
          <input
            type={type}
            name={`correct-${name}`}
            checked={correct.includes(index)}
            onChange={() => onChange(options, toggle(index), texts)}
            aria-label={`Option ${index + 1} is correct`}
            className="size-5 accent-accent"
          />
        </label>
      )}
      below={(index) => (
        <div className="mt-1.5 mr-13 ml-13">
          <Input
            aria-label={`Feedback on choice ${index + 1}`}
            placeholder="Feedback (optional)"
            maxLength={QUESTION_MAX.feedback}
            value={texts[index]}
            onChange={(event) => onChange(options, correct, texts.with(index, event.target.value))}
            className="text-sm!"
          />
        </div>
      )}
    />
  );
}

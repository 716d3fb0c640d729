import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#src/components/class-names.ts';
import { InlineCode } from '#src/components/InlineCode.tsx';

export function RightSign({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-sm font-semibold text-success">
      <CircleCheck aria-hidden="true" className="size-4.5" />
      {children}
    </span>
  );
}

export function WrongSign({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-sm font-semibold text-danger">
      <CircleX aria-hidden="true" className="size-4.5" />
      {children}
    </span>
  );
}

export function ChoiceOption({
  type,
  text,
  html,
  name,
  value,
  isChosen,
  isRight,
  onChoose,
}: {
  type: 'radio' | 'checkbox';
  text: string;
  html?: string | undefined;
  name: string;
  value: number;
  isChosen: boolean;
  isRight: boolean | null;
  onChoose: () => void;
}) {
  const isAnswered = isRight !== null;
  return (
    <label
      className={classNames(
        'choice',
        !isAnswered && 'choice-open',
        isRight && 'border-success-line bg-success-soft',
        isAnswered && !isRight && isChosen && 'border-danger-line bg-danger-soft',
        isAnswered && !isRight && !isChosen && 'border-line',
      )}
    >
      <input
        type={type}
        name={name}
        value={value}
        checked={isChosen}
        disabled={isAnswered}
        onChange={onChoose}
      />
      {html === undefined ? (
        <span>
          <InlineCode text={text} />
        </span>
      ) : (
        <span
          className="prose block text-ink wrap-anywhere"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server's one Markdown renderer
          dangerouslySetInnerHTML={{ __html: html }}
        />
      )}
      {isRight && <RightSign>{isChosen ? 'Right' : 'Right answer'}</RightSign>}
      {isAnswered && !isRight && isChosen && <WrongSign>Your answer</WrongSign>}
    </label>
  );
}

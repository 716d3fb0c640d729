import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { InlineCode } from '#src/components/InlineCode.tsx';
import { RightSign, WrongSign } from '../ChoiceOption.tsx';
import { type AnswerProps, sameTexts, textsOf } from '../kind.ts';

/** Buttons, which pointers, keys and screen readers all reach. */
export function OrderingAnswer({ question, name, value, marked, onChange }: AnswerProps) {
  const given = textsOf(marked ? (marked.given ?? undefined) : value);
  const isAnswered = sameTexts(given, question.options);
  const items = isAnswered ? given : question.options;
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const pressed = useRef<string | null>(null);

  // The button that was pressed moves with its item, and keeps the focus; at the edge its neighbor takes it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move
  useEffect(() => {
    if (pressed.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-move="${CSS.escape(pressed.current)}"]`)?.focus();
    pressed.current = null;
  }, [value]);

  const move = (from: number, by: 1 | -1) => {
    const [item, other] = [items[from], items[from + by]];
    if (item === undefined || other === undefined) return;
    pressed.current = `${by} ${item}`;
    setSaid(`${item}: now ${from + by + 1} of ${items.length}`);
    onChange(items.with(from, other).with(from + by, item));
  };

  if (marked) return <MarkedOrder marked={marked} given={items} />;
  return (
    <div className="grid gap-2.5">
      <p id={`${name}-how`} className="text-sm text-ink-soft">
        Put them into order with the arrows, first to last.
      </p>
      <ol ref={list} className="grid gap-2" aria-describedby={`${name}-how`}>
        {items.map((item, at) => (
          <li
            key={item}
            className="flex items-center gap-3 rounded-md border border-line-strong py-1 pr-1 pl-3.5"
          >
            <span className="w-5 shrink-0 text-ink-soft tabular-nums" aria-hidden="true">
              {at + 1}
            </span>
            <span className="min-w-0 flex-1 py-1.5 wrap-anywhere">
              <InlineCode text={item} />
            </span>
            {([-1, 1] as const).map((by) => {
              const isEdge = items[at + by] === undefined;
              return (
                <Button
                  key={by}
                  variant="ghost"
                  size="icon"
                  data-move={`${by} ${item}`}
                  aria-label={`Move ${item} ${by < 0 ? 'up' : 'down'}`}
                  aria-disabled={isEdge || undefined}
                  onClick={() => move(at, by)}
                >
                  {by < 0 ? (
                    <ArrowUp aria-hidden="true" className={isEdge ? 'opacity-35' : ''} />
                  ) : (
                    <ArrowDown aria-hidden="true" className={isEdge ? 'opacity-35' : ''} />
                  )}
                </Button>
              );
            })}
          </li>
        ))}
      </ol>
      {!isAnswered && (
        <Button
          variant="secondary"
          size="sm"
          className="min-h-11 justify-self-start"
          onClick={() => onChange([...items])}
        >
          This order is right
        </Button>
      )}
      <p className="sr-only" aria-live="polite">
        {said}
      </p>
    </div>
  );
}

function MarkedOrder({ marked, given }: { marked: NonNullable<AnswerProps['marked']>; given: string[] }) {
  const right = textsOf(marked.solution);
  const isRight = marked.credit === 1;
  return (
    <div className={classNames('grid gap-4', !isRight && 'sm:grid-cols-2')}>
      <div>
        {isRight ? <RightSign>Right</RightSign> : <WrongSign>Your order</WrongSign>}
        <ol className="mt-2 list-decimal space-y-1 pl-6">
          {given.map((item) => (
            <li key={item}>
              <InlineCode text={item} />
            </li>
          ))}
        </ol>
      </div>
      {!isRight && (
        <div>
          <RightSign>Right order</RightSign>
          <ol className="mt-2 list-decimal space-y-1 pl-6">
            {right.map((item) => (
              <li key={item}>
                <InlineCode text={item} />
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

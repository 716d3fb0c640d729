import { Fragment } from 'react';
import { classNames } from '#src/components/class-names.ts';
import { controlClass } from '#src/components/field.ts';
import { InlineCode } from '#src/components/InlineCode.tsx';
import { RightSign, WrongSign } from '../ChoiceOption.tsx';
import { type AnswerProps, QUESTION_MAX, textsOf } from '../kind.ts';

export function GapsAnswer({ question, name, value, marked, onChange }: AnswerProps) {
  const parts = question.parts ?? [];
  const given = textsOf(marked ? (marked.given ?? undefined) : value);
  const right = textsOf(marked?.solution);
  const all = parts.slice(1).map((_, at) => given[at] ?? '');
  return (
    <div className="leading-[3.25rem] whitespace-pre-line">
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
        <Fragment key={at}>
          <InlineCode text={part} />
          {at < all.length && (
            <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 align-middle leading-normal">
              <input
                name={`${name}-gap-${at}`}
                aria-label={`Gap ${at + 1} of ${all.length}`}
                value={all[at]}
                readOnly={marked !== null}
                maxLength={QUESTION_MAX.answer}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                className={classNames(controlClass, 'inline-block! w-44!')}
                onChange={(event) => onChange(all.with(at, event.target.value))}
              />
              {marked &&
                (marked.rightParts?.[at] ? (
                  <RightSign>Right</RightSign>
                ) : (
                  <WrongSign>
                    <span>
                      Right answer: <strong>{right[at]}</strong>
                    </span>
                  </WrongSign>
                ))}
            </span>
          )}
        </Fragment>
      ))}
    </div>
  );
}

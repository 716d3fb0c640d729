import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { KeptMarkdown } from '#src/features/authoring/text-editor/KeptMarkdown.tsx';

type Props = Pick<
  ComponentProps<typeof KeptMarkdown>,
  'label' | 'hint' | 'required' | 'value' | 'maxLength' | 'error' | 'onChange'
>;

export function FormattedField({ isFormatted, ...field }: Props & { isFormatted: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const selected = useRef<[number, number]>([0, 0]);
  const shows = isFormatted && isOpen;
  if (isOpen && !isFormatted) setIsOpen(false);
  useEffect(() => {
    const box = shows ? place.current?.querySelector('textarea') : null;
    box?.focus();
    // What was selected in the plain field is so in this one.
    box?.setSelectionRange(...selected.current);
  }, [shows]);
  const { label, hint, required = false, value, maxLength, error, onChange } = field;
  return (
    <div ref={place}>
      {shows ? (
        <KeptMarkdown {...field} />
      ) : (
        <Field label={label} hint={hint} required={required} optional={!required} error={error}>
          <Textarea
            rows={2}
            maxLength={maxLength}
            value={value}
            onFocus={({ currentTarget: { selectionStart, selectionEnd } }) => {
              selected.current = [selectionStart, selectionEnd];
              setIsOpen(isFormatted);
            }}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      )}
    </div>
  );
}

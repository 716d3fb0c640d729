import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { KeptMarkdown } from '#src/features/authoring/text-editor/KeptMarkdown.tsx';

type Props = Pick<
  ComponentProps<typeof KeptMarkdown>,
  'label' | 'hint' | 'required' | 'value' | 'maxLength' | 'error' | 'onChange'
>;

/**
 * A text of a question: plain, or in the editor of formatted texts. That one comes when somebody goes into the field, since
 * a quiz may have a thousand of them.
 */
export function FormattedField({ isFormatted, ...field }: Props & { isFormatted: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const shows = isFormatted && isOpen;
  useEffect(() => {
    if (shows) place.current?.querySelector('textarea')?.focus();
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
            onFocus={() => setIsOpen(isFormatted)}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      )}
    </div>
  );
}

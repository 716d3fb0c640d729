import { useState } from 'react';
import { typedNumber } from './form-values.ts';
import { Input } from './Input.tsx';

/**
 * A field of a number that its parent keeps. It shows what was typed as it was typed; what is no number is NaN to the
 * parent, which every schema refuses by name.
 */
export function NumberInput({
  value,
  placeholder,
  inputMode = 'numeric',
  onChange,
}: {
  value: number | undefined;
  placeholder?: string;
  /** `decimal` where parts of a whole are taken: some keyboards of phones then have a point. */
  inputMode?: 'numeric' | 'decimal';
  onChange: (value: number | undefined) => void;
}) {
  const [typed, setTyped] = useState(value === undefined ? '' : String(value));
  return (
    <Input
      inputMode={inputMode}
      autoComplete="off"
      placeholder={placeholder}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(typedNumber(event.target.value));
      }}
    />
  );
}

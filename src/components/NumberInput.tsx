import { useState } from 'react';
import { typedNumber } from './form-values.ts';
import { Input } from './Input.tsx';

/** Shows the typed text; what is no number is NaN, which schemas refuse by name. */
export function NumberInput({
  value,
  placeholder,
  inputMode = 'numeric',
  onChange,
}: {
  value: number | undefined;
  placeholder?: string;
  /** `decimal` gives phones a point. */
  inputMode?: 'numeric' | 'decimal';
  onChange: (value: number | undefined) => void;
}) {
  const [typed, setTyped] = useState(Number.isFinite(value) ? String(value) : '');
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

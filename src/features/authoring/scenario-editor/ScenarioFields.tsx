import { Plus, Trash2 } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { errorClass } from '#src/components/field.ts';
import { Input } from '#src/components/Input.tsx';
import { NativeSelect } from '#src/components/NativeSelect.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { LibraryCourse } from '#src/features/authoring/media/PictureLibrary.tsx';
import { KeptMarkdown } from '#src/features/authoring/text-editor/KeptMarkdown.tsx';
import type { Json } from '#src/features/scenario/scenario.ts';
import type { ScenarioCheck } from './schema.ts';
import { sameJson } from './scenario-conditions.ts';
import type { Variable } from './scenario-draft.ts';

export type PlacedFinding = ScenarioCheck['findings'][number] & { place: (string | number)[] };

interface EditorLink {
  variables: Variable[];
  findings: PlacedFinding[];
  removed: (message: string, restore: () => void) => void;
  target: { key: string; count: number } | null;
}

const EditorContext = createContext<EditorLink>({
  variables: [],
  findings: [],
  removed: () => {},
  target: null,
});
export const EditorProvider = EditorContext.Provider;
export const useEditor = () => useContext(EditorContext);

function useErrorAt(at: string): string | undefined {
  return useEditor().findings.find(({ place }) => place.join('.') === at)?.message;
}

export function useErrorWithin(at: string): string | undefined {
  return useEditor().findings.find(({ place }) => `${place.join('.')}.`.startsWith(`${at}.`))?.message;
}

function useTyped<T>(
  value: T,
  format: (value: T) => string,
  parse: (text: string) => T | undefined,
  onChange: (value: T) => void,
): { text: string; unread: boolean; type: (text: string) => void } {
  const [known, setKnown] = useState(value);
  const [text, setText] = useState(() => format(value));
  if (!sameJson(known, value)) {
    setKnown(value);
    setText(format(value));
  }
  return {
    text,
    unread: parse(text) === undefined,
    type: (next) => {
      setText(next);
      const read = parse(next);
      if (read === undefined) return;
      setKnown(read);
      onChange(read);
    },
  };
}

export interface Labeled {
  at: string;
  label: string;
  hint?: string;
  optional?: boolean;
  required?: boolean;
  className?: string;
}

function Placed({
  at,
  error,
  className,
  children,
  ...field
}: Labeled & {
  error?: string | undefined;
  children: ReactNode;
}) {
  const told = useErrorAt(at);
  return (
    <div data-at={at} className={className}>
      <Field {...field} error={error ?? told}>
        {children}
      </Field>
    </div>
  );
}

export function LineField({
  value,
  max = 200,
  onChange,
  onBlur,
  ...field
}: Labeled & {
  value: string;
  max?: number;
  onChange: (value: string) => void;
  onBlur?: () => void;
}) {
  return (
    <Placed {...field}>
      <Input
        value={value}
        maxLength={max}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    </Placed>
  );
}

export function BlockField({
  value,
  max,
  rows = 3,
  onChange,
  ...field
}: Labeled & { value: string; max: number; rows?: number; onChange: (value: string) => void }) {
  return (
    <Placed {...field}>
      <Textarea
        value={value}
        rows={rows}
        maxLength={max}
        onChange={(event) => onChange(event.target.value)}
      />
    </Placed>
  );
}

/** Without pictures, which are not shown to everybody who may run a scenario. */
export function MarkdownField({
  at,
  className,
  label,
  hint,
  required = false,
  value,
  max,
  onChange,
}: Labeled & { value: string; max: number; onChange: (value: string) => void }) {
  const error = useErrorAt(at);
  return (
    <div data-at={at} className={className}>
      <LibraryCourse value={null}>
        <KeptMarkdown {...{ label, hint, required, value, onChange, error }} maxLength={max} />
      </LibraryCourse>
    </div>
  );
}

export function NumberField({
  value,
  onChange,
  ...field
}: Labeled & { value: number; onChange: (value: number) => void }) {
  const { text, type } = useTyped(
    value,
    (number) => (Number.isFinite(number) ? String(number) : ''),
    (typed) => (/^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN),
    onChange,
  );
  return (
    <Placed {...field} error={Number.isFinite(value) ? undefined : 'Enter a whole number'}>
      <Input
        value={text}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => type(event.target.value)}
      />
    </Placed>
  );
}

const partsOf = (text: string, separator: string) =>
  text
    .split(separator)
    .map((one) => one.trim())
    .filter(Boolean);

export function LinesField({
  value,
  rows = 3,
  onChange,
  ...field
}: Labeled & { value: string[]; rows?: number; onChange: (value: string[]) => void }) {
  const { text, type } = useTyped(
    value,
    (list) => list.join('\n'),
    (typed) => partsOf(typed, '\n'),
    onChange,
  );
  const whole = useErrorAt(field.at);
  const inside = useErrorWithin(field.at);
  return (
    <Placed {...field} error={whole ?? inside}>
      <Textarea
        value={text}
        rows={Math.max(rows, Math.min(8, text.split('\n').length))}
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
      />
    </Placed>
  );
}

export function CommaInput({
  label,
  value,
  invalid,
  onChange,
}: {
  label: string;
  value: string[];
  invalid?: boolean;
  onChange: (value: string[]) => void;
}) {
  const { text, type } = useTyped(
    value,
    (list) => list.join(', '),
    (typed) => partsOf(typed, ','),
    onChange,
  );
  return (
    <Input
      aria-label={label}
      aria-invalid={invalid || undefined}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => type(event.target.value)}
    />
  );
}

export function JsonField({
  label,
  value,
  rows = 3,
  onChange,
}: {
  label: string;
  value: Json;
  rows?: number;
  onChange: (value: Json) => void;
}) {
  const id = useId();
  const { text, unread, type } = useTyped(
    value,
    (json) => (JSON.stringify(json).length > 70 ? JSON.stringify(json, null, 2) : JSON.stringify(json)),
    (typed) => {
      try {
        return JSON.parse(typed) as Json;
      } catch {
        return undefined;
      }
    },
    onChange,
  );
  return (
    <div className="min-w-0 flex-1">
      <textarea
        aria-label={label}
        aria-invalid={unread || undefined}
        aria-describedby={unread ? id : undefined}
        value={text}
        rows={Math.max(Math.min(rows, 3), Math.min(12, text.split('\n').length))}
        spellCheck={false}
        className="block w-full rounded-md border border-line-strong bg-surface px-3.5 py-2 font-mono text-sm text-ink shadow-xs aria-invalid:border-danger"
        onChange={(event) => type(event.target.value)}
      />
      <p id={id} aria-live="polite" className={unread ? `${errorClass} mt-1` : 'hidden'}>
        {unread && 'This is not JSON yet; what was there before still holds.'}
      </p>
    </div>
  );
}

export function Choice({
  label,
  onChange,
  invalid,
  ...rest
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  className?: string;
  invalid?: boolean;
}) {
  return (
    <NativeSelect
      aria-label={label}
      aria-invalid={invalid || undefined}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    />
  );
}

export function ChoiceField({
  at,
  label,
  value,
  options,
  onChange,
}: Labeled & {
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  const error = useErrorAt(at);
  const isKnown = options.some((option) => option.value === value);
  return (
    <div data-at={at} className="flex flex-col gap-1.5">
      <p aria-hidden="true" className="text-sm font-semibold">
        {label}
      </p>
      <Choice
        label={label}
        value={value}
        options={isKnown ? options : [{ value, label: `${value} (unknown)` }, ...options]}
        onChange={onChange}
        invalid={Boolean(error)}
      />
      {error && <p className={errorClass}>{error}</p>}
    </div>
  );
}

export function VariableChoice({
  label,
  value,
  clock = false,
  onChange,
  className,
}: {
  label: string;
  value: string;
  clock?: boolean;
  onChange: (value: string) => void;
  className?: string;
}) {
  const { variables } = useEditor();
  const names = variables.map(({ name }) => name);
  const known = names.includes(value) || (clock && value === 'minutes');
  return (
    <Choice
      label={label}
      value={value}
      className={className}
      invalid={!known}
      onChange={onChange}
      options={[
        ...(known ? [] : [{ value, label: value ? `${value} (not defined)` : 'Choose a variable' }]),
        ...names.map((name) => ({ value: name, label: name })),
        ...(clock ? [{ value: 'minutes', label: 'minutes (the clock)' }] : []),
      ]}
    />
  );
}

const NUMBER = /^-?\d+(\.\d+)?$/;

export function ValueInput({
  label,
  value,
  like,
  onChange,
}: {
  label: string;
  value: Json;
  like: Json | undefined;
  onChange: (value: Json) => void;
}) {
  const kind = like ?? value;
  const isNumber = typeof kind === 'number';
  const { text, type } = useTyped<Json>(
    value,
    (one) => (typeof one === 'string' ? one : JSON.stringify(one)),
    (typed) => (isNumber && NUMBER.test(typed.trim()) ? Number(typed) : typed),
    onChange,
  );
  if (typeof kind === 'boolean' && typeof value === 'boolean')
    return (
      <Choice
        label={label}
        value={String(value)}
        options={[
          { value: 'true', label: 'yes' },
          { value: 'false', label: 'no' },
        ]}
        onChange={(next) => onChange(next === 'true')}
      />
    );
  if (typeof value === 'object')
    return <JsonField label={label} value={value} rows={1} onChange={onChange} />;
  const mismatch = isNumber && !NUMBER.test(text.trim());
  return (
    <Input
      aria-label={mismatch ? `${label}, a number` : label}
      aria-invalid={mismatch || undefined}
      value={text}
      inputMode={isNumber ? 'decimal' : undefined}
      autoComplete="off"
      onChange={(event) => type(event.target.value)}
    />
  );
}

export function AddButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Button variant="secondary" size="sm" className="min-h-11" onClick={onClick}>
      <Plus aria-hidden="true" /> {children}
    </Button>
  );
}

export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="ghost" size="icon" className="shrink-0" aria-label={label} onClick={onClick}>
      <Trash2 aria-hidden="true" />
    </Button>
  );
}

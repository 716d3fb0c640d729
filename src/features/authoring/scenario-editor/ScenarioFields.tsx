import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  ChevronRight,
  Copy,
  EllipsisVertical,
  Plus,
  Trash2,
} from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { useLatest } from '#src/components/use-latest.ts';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { Field } from '#src/components/Field.tsx';
import { errorClass, nativeSelectClass } from '#src/components/field.ts';
import { Input } from '#src/components/Input.tsx';
import { Menu, MenuItem } from '#src/components/Menu.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import type { Json } from '#src/features/scenario/scenario.ts';
import type { ScenarioCheck } from './schema.ts';
import { sameJson } from './scenario-conditions.ts';
import type { Variable } from './scenario-draft.ts';
import { counted } from '#src/shared/counted.ts';

export type PlacedFinding = ScenarioCheck['findings'][number] & { place: (string | number)[] };

interface EditorLink {
  variables: Variable[];
  /** What the last check said. */
  findings: PlacedFinding[];
  /** Tells what was just deleted or replaced, and offers to bring it back. */
  removed: (message: string, restore: () => void) => void;
  /** The item that a finding leads to, such as `rules.3`; it opens. */
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

/** What the last check said of exactly this place. */
export function useErrorAt(at: string): string | undefined {
  const { findings } = useEditor();
  return findings.find(({ place }) => place.join('.') === at)?.message;
}

/**
 * The text of a field whose value is not text. What cannot be read stays in the field; a value that changes from outside
 * replaces it.
 *
 * @param parse gives undefined where the text means nothing
 */
export function useTyped<T>(
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

interface Labeled {
  /** Its place in the draft, such as `rules.3.title`: where a finding leads. */
  at: string;
  label: string;
  hint?: string;
  optional?: boolean;
  required?: boolean;
  className?: string;
}

export function LineField({
  at,
  value,
  max = 200,
  onChange,
  onBlur,
  list,
  ...field
}: Labeled & {
  value: string;
  max?: number;
  onChange: (value: string) => void;
  onBlur?: () => void;
  list?: string;
}) {
  return (
    <div data-at={at} className={field.className}>
      <Field {...field} error={useErrorAt(at)} className="">
        <Input
          value={value}
          maxLength={max}
          autoComplete="off"
          list={list}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      </Field>
    </div>
  );
}

export function BlockField({
  at,
  value,
  max,
  rows = 3,
  onChange,
  ...field
}: Labeled & { value: string; max: number; rows?: number; onChange: (value: string) => void }) {
  return (
    <div data-at={at} className={field.className}>
      <Field {...field} error={useErrorAt(at)} className="">
        <Textarea
          value={value}
          rows={rows}
          maxLength={max}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </div>
  );
}

/** A whole number; while the text is none, the value is NaN, which no check lets pass. */
export function NumberField({
  at,
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
  const told = useErrorAt(at);
  return (
    <div data-at={at} className={field.className}>
      <Field {...field} error={Number.isFinite(value) ? told : 'Enter a whole number'} className="">
        <Input
          value={text}
          inputMode="numeric"
          autoComplete="off"
          onChange={(event) => type(event.target.value)}
        />
      </Field>
    </div>
  );
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean);

/** A list of texts, one in each line. */
export function LinesField({
  at,
  value,
  rows = 3,
  onChange,
  ...field
}: Labeled & { value: string[]; rows?: number; onChange: (value: string[]) => void }) {
  const { text, type } = useTyped(value, (list) => list.join('\n'), lines, onChange);
  const { findings } = useEditor();
  const inside = findings.find(({ place }) => place.join('.').startsWith(`${at}.`));
  const told = useErrorAt(at);
  return (
    <div data-at={at} className={field.className}>
      <Field {...field} error={told ?? inside?.message} className="">
        <Textarea
          value={text}
          rows={Math.max(rows, Math.min(8, text.split('\n').length))}
          spellCheck={false}
          onChange={(event) => type(event.target.value)}
        />
      </Field>
    </div>
  );
}

/** A list of texts in one line, separated by commas. */
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
    (typed) =>
      typed
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
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

/** A value as JSON. What cannot be read stays in the field and is named; the value stays as it was. */
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

/** A list to choose from that costs little, for rows that there are many of. */
export function Choice({
  label,
  value,
  options,
  onChange,
  className,
  invalid,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  className?: string;
  invalid?: boolean;
}) {
  return (
    <span className={classNames('relative block min-w-0', className)}>
      <select
        aria-label={label}
        aria-invalid={invalid || undefined}
        value={value}
        className={nativeSelectClass}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-ink-soft"
      />
    </span>
  );
}

/** A labeled `Choice`, for a field of its own. */
export function ChoiceField({
  at,
  label,
  hint,
  value,
  options,
  onChange,
}: Labeled & {
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  const error = useErrorAt(at);
  return (
    <div data-at={at} className="flex flex-col gap-1.5">
      <p aria-hidden="true" className="text-sm font-semibold">
        {label}
      </p>
      {hint && <p className="text-sm text-ink-soft">{hint}</p>}
      <Choice label={label} value={value} options={options} onChange={onChange} invalid={Boolean(error)} />
      {error && <p className={errorClass}>{error}</p>}
    </div>
  );
}

/** The variables to choose from; one that is not defined stays to be seen. */
export function VariableChoice({
  label,
  value,
  clock = false,
  onChange,
  className,
}: {
  label: string;
  value: string;
  /** Whether the situation's clock is among them. */
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

/** A value as a person writes it, of the kind that `like` is of. */
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

/** The steps that a list of the draft can take; every item keeps its key while others move. */
export interface Items<T> {
  items: readonly T[];
  keys: readonly string[];
  /** The key of the item that was added last: it opens and takes the focus. */
  fresh: string | null;
  change: (index: number, item: T) => void;
  /** Adds after the item of this index, or at the end; gives the new item's key. */
  add: (item: T, after?: number) => string;
  move: (index: number, by: 1 | -1) => void;
  remove: (index: number, label: string) => void;
}

let made = 0;
const newKey = () => {
  made += 1;
  return `item-${made}`;
};

export function useItems<T>(items: readonly T[], onChange: (items: T[]) => void): Items<T> {
  const { removed } = useEditor();
  const [known, setKnown] = useState(() => items.map(newKey));
  // Another length means another list, as after an import.
  const keys = known.length === items.length ? known : items.map((_, index) => known[index] ?? newKey());
  if (keys !== known) setKnown(keys);
  const [fresh, setFresh] = useState<string | null>(null);
  // Several steps may be taken before the page is drawn again, and a deleted item may come back later.
  const now = useLatest({ items, keys, onChange });
  const set = (nextItems: T[], nextKeys: string[]) => {
    now.current = { ...now.current, items: nextItems, keys: nextKeys };
    setKnown(nextKeys);
    now.current.onChange(nextItems);
  };
  const insert = (item: T, index: number, key: string) =>
    set(now.current.items.toSpliced(index, 0, item), now.current.keys.toSpliced(index, 0, key));
  return {
    items,
    keys,
    fresh,
    change: (index, item) => set(now.current.items.with(index, item), now.current.keys),
    add: (item, after = now.current.items.length - 1) => {
      const key = newKey();
      setFresh(key);
      insert(item, after + 1, key);
      return key;
    },
    move: (index, by) => {
      const { items: all, keys: names } = now.current;
      const [item, other] = [all[index], all[index + by]];
      if (item === undefined || other === undefined) return;
      set(
        all.with(index, other).with(index + by, item),
        names.with(index, names[index + by]!).with(index + by, names[index]!),
      );
    },
    remove: (index, label) => {
      const { items: all, keys: names } = now.current;
      const item = all[index];
      if (item === undefined) return;
      const key = names[index]!;
      set(all.toSpliced(index, 1), names.toSpliced(index, 1));
      removed(`“${label}” was deleted.`, () => insert(item, Math.min(index, now.current.items.length), key));
    },
  };
}

/**
 * An item of a list that opens and closes, with its steps. Its body stays in the page once it was open, so that what was
 * typed into it stays.
 */
export function ItemCard({
  at,
  kind,
  title,
  note,
  fresh,
  isFirst,
  isLast,
  canMove = true,
  onMove,
  onDuplicate,
  onRemove,
  children,
}: {
  at: string;
  /** "Rule 3". */
  kind: string;
  title: string;
  note?: ReactNode;
  /** Just added: it is open from the start and takes the focus. */
  fresh: boolean;
  isFirst: boolean;
  isLast: boolean;
  canMove?: boolean;
  onMove: (by: 1 | -1) => void;
  onDuplicate?: () => void;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { findings, target } = useEditor();
  const [open, setOpen] = useState(fresh);
  const [wasOpen, setWasOpen] = useState(fresh);
  const id = useId();
  const head = useRef<HTMLButtonElement>(null);
  const wanted = target?.key === at ? target.count : 0;
  useEffect(() => {
    if (wanted > 0) setOpen(true);
  }, [wanted]);
  const [takesFocus] = useState(fresh);
  useEffect(() => {
    if (takesFocus) head.current?.focus();
  }, [takesFocus]);
  if (open && !wasOpen) setWasOpen(true);
  const own = findings.filter(({ place }) => place.slice(0, 2).join('.') === at);
  const whole = own.filter(({ place }) => place.length === 2);
  const errors = own.filter(({ level }) => level === 'error').length;
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-1 py-1.5 pr-1.5 pl-2">
        <h4 className="min-w-0 flex-1">
          <button
            ref={head}
            type="button"
            data-at={at}
            aria-expanded={open}
            aria-controls={id}
            className="flex min-h-11 w-full items-center gap-2 rounded-sm px-1.5 text-left"
            onClick={() => setOpen(!open)}
          >
            <ChevronRight
              aria-hidden="true"
              className={classNames(
                'size-4 shrink-0 text-ink-soft transition-transform',
                open && 'rotate-90',
              )}
            />
            <span className="min-w-0 flex-1">
              <span className="block text-xs text-ink-soft">{kind}</span>
              <span className="block font-semibold break-words">{title || 'Without a title'}</span>
            </span>
            {errors > 0 ? (
              <Badge tone="danger">{counted(errors, 'error')}</Badge>
            ) : own.length > 0 ? (
              <Badge tone="warning">{counted(own.length, 'warning')}</Badge>
            ) : null}
            {note && <span className="shrink-0 text-sm text-ink-soft max-sm:hidden">{note}</span>}
          </button>
        </h4>
        <Menu
          align="end"
          trigger={
            <Button
              variant="ghost"
              size="icon-sm"
              className="size-11 shrink-0"
              aria-label={`${kind}: move, copy or delete`}
            >
              <EllipsisVertical aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem
            icon={<ArrowUp aria-hidden="true" />}
            disabled={isFirst || !canMove}
            onSelect={() => onMove(-1)}
          >
            Move up
          </MenuItem>
          <MenuItem
            icon={<ArrowDown aria-hidden="true" />}
            disabled={isLast || !canMove}
            onSelect={() => onMove(1)}
          >
            Move down
          </MenuItem>
          {onDuplicate && (
            <MenuItem icon={<Copy aria-hidden="true" />} onSelect={onDuplicate}>
              Duplicate
            </MenuItem>
          )}
          <MenuItem icon={<Trash2 aria-hidden="true" />} danger onSelect={onRemove}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <div id={id} hidden={!open} className="border-t border-line px-4 pt-4 pb-5 sm:px-5">
        {(open || wasOpen) && (
          <>
            {whole.length > 0 && (
              <ul className="mb-4 grid gap-1.5">
                {whole.map(({ code, level, message }) => (
                  <li
                    key={`${code} ${message}`}
                    className={level === 'error' ? errorClass : 'text-sm font-medium text-warning'}
                  >
                    {message}
                  </li>
                ))}
              </ul>
            )}
            {children}
          </>
        )}
      </div>
    </div>
  );
}

export function AddButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Button variant="secondary" size="sm" className="min-h-11" onClick={onClick}>
      <Plus aria-hidden="true" /> {children}
    </Button>
  );
}

/** A small button that takes one row away. */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="ghost" size="icon" className="shrink-0" aria-label={label} onClick={onClick}>
      <Trash2 aria-hidden="true" />
    </Button>
  );
}

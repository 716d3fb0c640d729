import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#src/components/Button.tsx';
import { errorClass } from '#src/components/field.ts';
import { Input } from '#src/components/Input.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { useFocusAfterDraw } from '#src/components/use-focus-after-draw.ts';

export interface KindEditorProps<Q> {
  question: Q;
  name: string;
  error: (path: string) => string | undefined;
  onChange: (values: Partial<Q>) => void;
}

export function LinesEditor({
  legend,
  hint,
  one,
  name,
  lines,
  min,
  max,
  length,
  error,
  onChange,
  onRemove,
  canMove = false,
  isFormatted = false,
  mark,
  below,
}: {
  legend: string;
  hint?: string;
  one: string;
  name: string;
  lines: readonly string[];
  min: number;
  max: number;
  length: number;
  error: (index: number | '') => string | undefined;
  onChange: (lines: string[]) => void;
  onRemove?: (index: number) => void;
  canMove?: boolean;
  isFormatted?: boolean;
  mark?: (index: number) => ReactNode;
  below?: (index: number) => ReactNode;
}) {
  const focus = useFocusAfterDraw(lines);
  const idOf = (index: number) => `${name}-${one.replaceAll(' ', '-')}-${index}`;
  const remove = (index: number) => {
    if (lines.length <= min) return;
    focus(lines.length === 1 ? `${name}-add-${one}` : idOf(Math.min(index, lines.length - 2)));
    if (onRemove) onRemove(index);
    else onChange(lines.toSpliced(index, 1));
  };
  const move = (index: number, by: 1 | -1) => {
    const other = lines[index + by];
    if (other === undefined) return;
    focus(idOf(index + by));
    onChange(lines.with(index, other).with(index + by, lines[index]!));
  };
  const listError = error('');
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-semibold">{legend}</legend>
      {hint && <p className="text-sm text-ink-soft">{hint}</p>}
      <ul className="mt-2 space-y-2.5">
        {lines.map((line, index) => {
          const problem = error(index);
          const field = {
            id: idOf(index),
            'aria-label': `${one[0]!.toUpperCase()}${one.slice(1)} ${index + 1}`,
            'aria-invalid': problem ? true : undefined,
            'aria-describedby': problem ? `${idOf(index)}-problem` : undefined,
            maxLength: length,
            value: line,
            onChange: ({ target }: { target: { value: string } }) =>
              onChange(lines.with(index, target.value)),
          };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; two may read the same while typing
            <li key={index}>
              <div className="flex items-center gap-2">
                {mark?.(index)}
                {isFormatted ? (
                  <Textarea
                    {...field}
                    rows={1}
                    className="field-sizing-content max-h-96 min-w-0 resize-none"
                  />
                ) : (
                  <Input {...field} />
                )}
                {canMove &&
                  ([-1, 1] as const).map((by) => (
                    <Button
                      key={by}
                      variant="ghost"
                      size="icon"
                      aria-label={`Move ${one} ${index + 1} ${by < 0 ? 'up' : 'down'}`}
                      aria-disabled={lines[index + by] === undefined || undefined}
                      onClick={() => move(index, by)}
                    >
                      {by < 0 ? (
                        <ArrowUp aria-hidden="true" className={index === 0 ? 'opacity-35' : ''} />
                      ) : (
                        <ArrowDown
                          aria-hidden="true"
                          className={index === lines.length - 1 ? 'opacity-35' : ''}
                        />
                      )}
                    </Button>
                  ))}
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove ${one} ${index + 1}`}
                  aria-disabled={lines.length <= min || undefined}
                  onClick={() => remove(index)}
                >
                  <Trash2 aria-hidden="true" className={lines.length <= min ? 'opacity-35' : ''} />
                </Button>
              </div>
              {problem && (
                <p id={`${idOf(index)}-problem`} className={`${errorClass} mt-1 ${mark ? 'ml-13' : ''}`}>
                  {problem}
                </p>
              )}
              {below?.(index)}
            </li>
          );
        })}
      </ul>
      {listError && (
        <div role="alert">
          <FieldProblem>{listError}</FieldProblem>
        </div>
      )}
      {lines.length < max && (
        <Button
          id={`${name}-add-${one}`}
          variant="ghost"
          size="sm"
          className="mt-2 min-h-11"
          onClick={() => {
            focus(idOf(lines.length));
            onChange([...lines, '']);
          }}
        >
          <Plus aria-hidden="true" /> Add {one}
        </Button>
      )}
    </fieldset>
  );
}

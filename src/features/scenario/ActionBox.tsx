import { CornerDownLeft } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { ACTION_MAX_CHARACTERS } from './limits.ts';

/**
 * The box in which an action is written. Enter sends it; arrow up and down bring back earlier ones.
 *
 * @param onAct gives true when the box may be emptied
 */
export function ActionBox({
  busy,
  history,
  nearest,
  label = 'Your action',
  onAct,
}: {
  busy: boolean;
  history: string[];
  /** Known actions near to what was not understood. */
  nearest: string[];
  label?: string;
  onAct: (action: string) => Promise<boolean>;
}) {
  const [text, setText] = useState('');
  /** How many steps back in the history the box stands; 0 is what is being written. */
  const [back, setBack] = useState(0);
  const draft = useRef('');
  const box = useRef<HTMLFormElement>(null);
  const focus = () => box.current?.querySelector('input')?.focus();

  const recall = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const next = Math.max(0, Math.min(history.length, back + (event.key === 'ArrowUp' ? 1 : -1)));
    if (next === back) return;
    event.preventDefault();
    if (back === 0) draft.current = text;
    setBack(next);
    setText(next === 0 ? draft.current : history[history.length - next]!);
  };

  const send = async () => {
    if (busy) return;
    if (await onAct(text)) setText('');
    setBack(0);
    focus();
  };

  return (
    <form
      ref={box}
      noValidate
      className="mt-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field label={label} hint="One action at a time, in your own words or as a command.">
        <Input
          name="action"
          value={text}
          maxLength={ACTION_MAX_CHARACTERS}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={recall}
        />
      </Field>
      {nearest.length > 0 && (
        <div className="mt-3">
          <p className="text-sm text-ink-soft">Did you mean:</p>
          <ul className="mt-1.5 flex flex-wrap gap-2">
            {nearest.map((name) => (
              <li key={name}>
                <Button
                  variant="secondary"
                  size="sm"
                  onClick={() => {
                    setText(name);
                    focus();
                  }}
                >
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Button type="submit" className="mt-3" loading={busy}>
        <CornerDownLeft aria-hidden="true" />
        Do it
      </Button>
    </form>
  );
}

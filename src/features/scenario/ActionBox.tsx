import { CornerDownLeft } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { ACTION_MAX_CHARACTERS } from './limits.ts';

export function ActionBox({
  busy,
  history,
  asked,
  aside,
  label = 'Your action',
  onAct,
}: {
  busy: boolean;
  history: string[];
  asked: string[];
  aside?: ReactNode;
  label?: string;
  onAct: (action: string) => Promise<boolean>;
}) {
  const [text, setText] = useState('');
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

  const answer = async (title: string) => {
    if (busy) return;
    await onAct(title);
    focus();
  };

  return (
    <form
      ref={box}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {asked.length > 0 && (
        <ul aria-label="Did you mean" className="mb-3 flex flex-wrap gap-2">
          {asked.map((title) => (
            <li key={title}>
              <Button variant="secondary" size="sm" disabled={busy} onClick={() => void answer(title)}>
                {asked.length === 1 ? `Yes: ${title}` : title}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Field label={label} aside={aside} hint="One action at a time, in your own words or as a command.">
        <div className="flex gap-2">
          <Input
            name="action"
            className="min-w-0 flex-1"
            value={text}
            maxLength={ACTION_MAX_CHARACTERS}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="send"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={recall}
          />
          <Button type="submit" loading={busy}>
            <CornerDownLeft aria-hidden="true" />
            Do it
          </Button>
        </div>
      </Field>
    </form>
  );
}

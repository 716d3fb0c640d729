import { Lightbulb } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import type { OfferedHint } from '../groups/schema.ts';

interface Props {
  hints: readonly OfferedHint[];
  onOpen: (id: number) => Promise<void>;
}

export function GroupHints({ hints, onOpen }: Props) {
  return (
    <ul aria-live="polite" className="grid gap-2 px-5 pt-4 empty:hidden">
      {hints.map((hint) => (
        <li key={hint.id} className="rounded-md border border-warning-line bg-warning-soft px-4 py-3">
          <p className="text-sm font-semibold">Others were here</p>
          {hint.html === null ? (
            <Closed onOpen={() => onOpen(hint.id)} />
          ) : (
            <div
              className="prose text-[0.9375rem]"
              // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server
              dangerouslySetInnerHTML={{ __html: hint.html }}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function Closed({ onOpen }: { onOpen: () => Promise<void> }) {
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await onOpen();
    setOpening(false);
  };
  return (
    <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-56 text-[0.9375rem]">
        There is a hint for programs that fail as yours did. It counts as one more hint.
      </p>
      <Button
        size="sm"
        variant="secondary"
        className="max-sm:min-h-11"
        loading={opening}
        onClick={() => void open()}
      >
        <Lightbulb aria-hidden="true" />
        Show this hint
      </Button>
    </div>
  );
}

import { Footprints } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { laterPart } from '#src/components/later-part.tsx';
import type { RanProgram } from './walk.ts';

// Who does not ask loads none of it.
const Replay = laterPart(async () => (await import('./Replay.tsx')).Replay);

export function ShowMe({ program, test, name }: { program: RanProgram; test: number; name: string }) {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  return (
    <div className="mt-2 pl-6.5">
      <Button
        size="sm"
        variant="secondary"
        className="max-sm:min-h-11"
        onClick={() => {
          setAsked(true);
          setOpen(true);
        }}
      >
        <Footprints aria-hidden="true" />
        Show me
        <span className="sr-only"> step by step: {name}</span>
      </Button>
      {asked && <Replay program={program} test={test} name={name} open={open} onOpenChange={setOpen} />}
    </div>
  );
}

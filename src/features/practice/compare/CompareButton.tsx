import { Columns2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { laterPart } from '#src/components/later-part.tsx';

// Who has not passed, or does not look, loads none of it.
const CompareDialog = laterPart(async () => (await import('./CompareDialog.tsx')).CompareDialog);

export function CompareButton({ lessonId }: { lessonId: number }) {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  return (
    <div className="px-4 pb-4 sm:px-5">
      <Button
        size="sm"
        variant="secondary"
        className="max-sm:min-h-11"
        onClick={() => {
          setAsked(true);
          setOpen(true);
        }}
      >
        <Columns2 aria-hidden="true" />
        Compare
      </Button>
      {asked && <CompareDialog lessonId={lessonId} open={open} onOpenChange={setOpen} />}
    </div>
  );
}

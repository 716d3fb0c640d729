import { Columns2 } from 'lucide-react';
import { laterPart } from '#src/components/later-part.tsx';
import { OpensLater } from './OpensLater.tsx';

const CompareDialog = laterPart(async () => (await import('./CompareDialog.tsx')).CompareDialog);

export function CompareButton({ lessonId }: { lessonId: number }) {
  return (
    <OpensLater
      className="px-4 pb-4 sm:px-5"
      dialog={(opened) => <CompareDialog lessonId={lessonId} {...opened} />}
    >
      <Columns2 aria-hidden="true" />
      Compare
    </OpensLater>
  );
}

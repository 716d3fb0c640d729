import { Footprints } from 'lucide-react';
import { laterPart } from '#src/components/later-part.tsx';
import { OpensLater } from '../compare/OpensLater.tsx';
import type { RanProgram } from './walk.ts';

const Replay = laterPart(async () => (await import('./Replay.tsx')).Replay);

export function ShowMe(shown: { program: RanProgram; test: number; name: string }) {
  return (
    <OpensLater className="mt-2 pl-6.5" dialog={(opened) => <Replay {...shown} {...opened} />}>
      <Footprints aria-hidden="true" />
      Show me
      <span className="sr-only"> step by step: {shown.name}</span>
    </OpensLater>
  );
}

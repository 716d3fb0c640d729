import { useEffect, useState } from 'react';
import { draftAt } from '#src/shared/drafts.ts';

const keptOf = (courseId: number) => draftAt(`folded-sections:${courseId}`);

/** A course's folded sections, stored in this browser. */
export function useFolded(courseId: number): [ReadonlySet<string>, (title: string) => void] {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  // After the first drawing, which is the server's.
  useEffect(() => {
    try {
      const names: unknown = JSON.parse(keptOf(courseId).read() ?? '[]');
      if (Array.isArray(names)) setFolded(new Set(names.map(String)));
    } catch {
      // Not this site's format.
    }
  }, [courseId]);
  const fold = (title: string) => {
    const next = new Set(folded);
    if (!next.delete(title)) next.add(title);
    setFolded(next);
    if (next.size > 0) keptOf(courseId).write(JSON.stringify([...next]));
    else keptOf(courseId).clear();
  };
  return [folded, fold];
}

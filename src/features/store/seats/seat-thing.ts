import { parseCount } from '#src/shared/list-query.ts';

export type SeatThing = { courseId?: number | undefined; bundleId?: number | undefined };

export type SeatThingRow = { courseId?: number | null | undefined; bundleId?: number | null | undefined };

/** "course-12" or "bundle-3". */
export const thingName = ({ courseId, bundleId }: SeatThingRow): string =>
  bundleId == null ? `course-${courseId}` : `bundle-${bundleId}`;

export function parseThing(name: string | null): { courseId: number } | { bundleId: number } | null {
  const [, kind, digits] = /^(course|bundle)-(\d+)$/.exec(name ?? '') ?? [];
  const id = parseCount(digits ?? null);
  if (id === null) return null;
  return kind === 'bundle' ? { bundleId: id } : { courseId: id };
}

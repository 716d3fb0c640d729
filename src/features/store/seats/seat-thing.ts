import { parseCount } from '#src/shared/list-query.ts';

/** What seats are of: a course, or a bundle, of which one seat opens all courses. Exactly one of the two is named. */
export type SeatThing = { courseId?: number | undefined; bundleId?: number | undefined };

/** The same as a row of the database has it. */
export type SeatThingRow = { courseId?: number | null | undefined; bundleId?: number | null | undefined };

/** "course-12" or "bundle-3": how addresses name it. */
export const thingName = ({ courseId, bundleId }: SeatThingRow): string =>
  bundleId == null ? `course-${courseId}` : `bundle-${bundleId}`;

/** Null for anything that is no such name. */
export function parseThing(name: string | null): { courseId: number } | { bundleId: number } | null {
  const [, kind, digits] = /^(course|bundle)-(\d+)$/.exec(name ?? '') ?? [];
  const id = parseCount(digits ?? null);
  if (id === null) return null;
  return kind === 'bundle' ? { bundleId: id } : { courseId: id };
}

import { z } from 'zod';

const keptSteps = z.record(
  z.string().regex(/^\d{1,10}$/),
  z.object({ code: z.string(), language: z.string() }),
);
type KeptSteps = z.output<typeof keptSteps>;
export type KeptProgram = KeptSteps[string];

const PREFIX = 'kept_steps:';
const keyOf = (courseId: number) => `${PREFIX}${courseId}`;

export function readKept(courseId: number): Map<number, KeptProgram> {
  try {
    const kept = keptSteps.safeParse(JSON.parse(localStorage.getItem(keyOf(courseId)) ?? '{}'));
    return new Map(kept.success ? Object.entries(kept.data).map(([id, one]) => [Number(id), one]) : []);
  } catch {
    // Storage may be switched off, and hold anything: the steps can be played without.
    return new Map();
  }
}

function write(courseId: number, kept: ReadonlyMap<number, KeptProgram>): void {
  try {
    if (kept.size === 0) localStorage.removeItem(keyOf(courseId));
    else localStorage.setItem(keyOf(courseId), JSON.stringify(Object.fromEntries(kept)));
  } catch {}
}

export function keepStep(courseId: number, lessonId: number, program: KeptProgram): void {
  write(courseId, readKept(courseId).set(lessonId, program));
}

export function forgetStep(courseId: number, lessonId: number, { code }: KeptProgram): void {
  const kept = readKept(courseId);
  if (kept.get(lessonId)?.code !== code) return;
  kept.delete(lessonId);
  write(courseId, kept);
}

export const forgetSteps = (courseId: number): void => write(courseId, new Map());

export function keptCourses(): number[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => Number(key.slice(PREFIX.length)))
      .filter((id) => Number.isSafeInteger(id) && id > 0);
  } catch {
    return [];
  }
}

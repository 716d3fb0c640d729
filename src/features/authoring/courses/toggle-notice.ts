import { standingOf } from '#src/features/authoring/publishing/publish-check.ts';
import type { Toggled } from './schema.ts';

export function toggleNotice({ id, title }: { id: number; title: string }, now: Omit<Toggled, 'version'>) {
  const toMend = standingOf({ ...now, id }).find(({ href }) => href !== null);
  const further = toMend?.href ? { action: { label: 'See what', href: toMend.href } } : {};
  if (now.activateWhenProven) {
    const description = `“${title}” comes into the store as soon as each of its lessons is proven.`;
    return { title: 'Course waits', description, ...further };
  }
  if (!now.isActive) {
    return { title: 'Course hidden', description: `“${title}” is off the store. Its buyers keep it.` };
  }
  const rest = toMend ? ` Not all of it is proven: ${toMend.text.toLowerCase()}.` : '';
  return { title: 'Course shown', description: `“${title}” is in the store.${rest}`, ...further };
}

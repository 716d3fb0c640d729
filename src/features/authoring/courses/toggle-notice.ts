import { standingOf } from '#src/features/authoring/publishing/publish-check.ts';
import type { Toggled } from './schema.ts';

/** What is told after a course was shown or hidden, with the way on where the store does not list it yet. */
export function toggleNotice(
  { id, title }: { id: number; title: string },
  { isActive, unlisted = [] }: Toggled,
) {
  const { text, href } = standingOf({ id, isActive, unlisted });
  if (!isActive) {
    return { title: 'Course hidden', description: `“${title}” is off the store. Its buyers keep it.` };
  }
  return href === null
    ? { title: 'Course shown', description: `“${title}” is in the store.` }
    : {
        title: 'Course shown',
        description: `The store lists “${title}” as soon as nothing stands against it. ${text}.`,
        action: { label: 'Mend it', href },
      };
}

import { counted } from '#src/shared/counted.ts';

/** Takes the parts of an archive by the tus protocol (https://tus.io/protocols/resumable-upload). */
export const ARCHIVE_UPLOADS_PATH = '/api/admin/course-uploads';

export function archiveProblem(size: number, maxBytes: number): string | null {
  if (size === 0) return 'The file is empty';
  return size > maxBytes ? `The file must not be larger than ${maxBytes / 1_048_576} MB.` : null;
}

/** In place of a course's id: the course that the files were exported from, if it is here. */
export const SOURCE_COURSE = 'source';

export const IMPORT_CHANGES = ['new', 'changed', 'unchanged', 'removed'] as const;
export type ImportChange = (typeof IMPORT_CHANGES)[number];

/** Such as "2 new, 1 changed and 1 removed lesson". */
export function planSummary(rows: readonly { kind: 'course' | 'lesson'; change: ImportChange }[]): string {
  const parts = IMPORT_CHANGES.filter((change) => change !== 'unchanged').flatMap((change) => {
    const count = rows.filter((row) => row.kind === 'lesson' && row.change === change).length;
    return count > 0 ? [counted(count, `${change} lesson`)] : [];
  });
  const [course] = rows.filter(({ kind }) => kind === 'course');
  if (course?.change === 'changed') parts.unshift('the course’s own fields');
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

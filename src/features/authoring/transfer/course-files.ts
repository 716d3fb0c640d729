import { counted } from '#src/shared/counted.ts';

/** Where the parts of an archive go, by the tus protocol (https://tus.io/protocols/resumable-upload). */
export const ARCHIVE_UPLOADS_PATH = '/api/admin/course-uploads';

/** Why a file cannot be taken as a course's archive; null where it can. */
export function archiveProblem(size: number, maxBytes: number): string | null {
  if (size === 0) return 'The file is empty';
  return size > maxBytes ? `The file must not be larger than ${maxBytes / 1_048_576} MB.` : null;
}

/** In place of a course's id: the course that the files were exported from, if it is here. */
export const SOURCE_COURSE = 'source';

export const IMPORT_CHANGES = ['new', 'changed', 'unchanged', 'removed'] as const;
export type ImportChange = (typeof IMPORT_CHANGES)[number];

/** What an import does to one thing. */
export interface ImportRow {
  kind: 'course' | 'lesson';
  title: string;
  change: ImportChange;
  /** What differs, in words; of a removed lesson, what goes with it. */
  details: string[];
  /** Of a changed lesson that learners have completed: whom a new version of it is told (decision 74). */
  completed?: CompletedLesson | undefined;
}

export interface CompletedLesson {
  lessonId: number;
  /** The name of its file. */
  name: string;
  learners: number;
}

/** What an import would do, before it is done. */
export interface ImportPlan {
  /** The course that is changed; null for a new one. */
  courseId: number | null;
  title: string;
  rows: ImportRow[];
  /** What changes in the lessons waits until it is published. */
  waits: boolean;
  /** What waits in it already, in words; '' for nothing. The files need not have it. */
  waiting: string;
  /** Pictures that the course's library gets. */
  newPictures: number;
  /** Files of the archive that are no part of a course. */
  ignored: string[];
  /** Names exactly this plan: only what was shown is done. */
  digest: string;
}

/** "2 new, 1 changed and 1 removed lesson": what an import comes to. */
export function planSummary(rows: readonly Pick<ImportRow, 'kind' | 'change'>[]): string {
  const parts = IMPORT_CHANGES.filter((change) => change !== 'unchanged').flatMap((change) => {
    const count = rows.filter((row) => row.kind === 'lesson' && row.change === change).length;
    return count > 0 ? [counted(count, `${change} lesson`)] : [];
  });
  const [course] = rows.filter(({ kind }) => kind === 'course');
  if (course?.change === 'changed') parts.unshift('the course’s own fields');
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

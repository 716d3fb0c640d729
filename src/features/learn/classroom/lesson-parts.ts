import type { AssignmentModel, QuizModel } from '#src/features/learn/schema.ts';

export interface VideoSource {
  src: string;
  mimeType: string | null;
  captions: string | null;
  /** Seconds, where it is known. */
  duration: number | null;
  /** Where it stopped last, in seconds. */
  position: number;
}

export interface DocumentSource {
  src: string;
  name: string;
  /** Bytes, where they are known. */
  size: number | null;
  /** A PDF of this site, which can be shown in place. */
  isPdf: boolean;
}

/** What the open lesson holds beside its text; null for what it does not have. */
export interface LessonParts {
  video: (VideoSource & { watchedPercent: number | null; watchRequired: boolean }) | null;
  document: DocumentSource | null;
  quiz: QuizModel | null;
  assignment: { present: AssignmentModel | null } | null;
  /** The screen on which a coding lesson or scenario is worked on. */
  exercise: { href: string } | null;
  notes: { text: string; version: number };
}

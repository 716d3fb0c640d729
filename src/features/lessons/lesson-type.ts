import type { IconName } from '#src/components/icon-names.ts';
import type { AssignmentSettings } from './types/assignment/settings.ts';
import type { QuizSettings } from './types/quiz/settings.ts';
import type { CaptionedLesson } from './types/video/captions.ts';

export interface LessonBody extends CaptionedLesson {
  content: string;
  instructions?: string | null | undefined;
  fileUrl?: string | null | undefined;
  chapters?: string | undefined;
  durationSeconds?: number | null | undefined;
  watchRequired?: boolean | undefined;
  codingLanguage?: string | null | undefined;
  solution?: string | null | undefined;
  expectedOutput?: string | null | undefined;
  testCases?: readonly unknown[] | undefined;
  questions?: readonly unknown[] | undefined;
  quizSettings?: QuizSettings | undefined;
  assignmentSettings?: AssignmentSettings | undefined;
  scenario?: object | null | undefined;
}

export interface Need {
  field: string;
  isMissing: (lesson: LessonBody) => boolean;
  toSave?: string;
  toPublish: string;
  isPassedBy?: true;
  gap?: string;
}

interface OwnScreen {
  path: (lesson: { id: number; scenarioId?: number | null }) => string | null;
  openLabel: string;
  invitation: string;
  explanation: string;
  unfinished?: string;
}

/** Pure: every layer may read it. */
export interface LessonTypeDefinition {
  name: string;
  label: string;
  shortLabel: string;
  builderLabel?: string;
  icon: IconName;
  listIcon?: IconName;
  columns: Readonly<
    Record<string, null | string | false | readonly never[] | Readonly<Record<string, never>>>
  >;
  parts: readonly string[];
  files: Readonly<
    Record<
      string,
      { where: string | ((lesson: LessonBody) => string); expects: 'file' | 'video' | 'captions' }
    >
  >;
  moreFiles?: (
    lesson: LessonBody,
  ) => { field: string; where: string; address: string; expects: 'captions' }[];
  needs: readonly Need[];
  /** Done by passing it and not by Mark Complete (decision 33). */
  isPassed: boolean;
  passing?: (lesson: LessonBody) => { promise: string; refusal: string };
  unfinished?: (lesson: LessonBody, watched: readonly (readonly [number, number])[]) => string | null;
  text: { field: 'content' | 'instructions'; label: string };
  ownScreen: OwnScreen | null;
}

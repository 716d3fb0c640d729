import type { IconName } from '#src/components/icon-names.ts';
import type { AssignmentSettings } from './types/assignment/settings.ts';
import type { QuizSettings } from './types/quiz/settings.ts';
import type { CaptionedLesson } from './types/video/captions.ts';

/** A lesson as far as anything of it can be missing: out of a form, a draft, a file or the database. */
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

/** Something that a lesson of a type cannot do without, with what is said of it where it is asked for. */
export interface Need {
  /** Field of the lesson's form. */
  field: string;
  isMissing: (lesson: LessonBody) => boolean;
  /** To whoever saves the lesson; without it the lesson can be saved all the same. */
  toSave?: string;
  /** To whoever publishes it. */
  toPublish: string;
  /** It is what a lesson of this type is passed by: without it the lesson is read, and marked complete. */
  isPassedBy?: true;
  /** As "Before it can be published it needs …" goes on in the course builder; what is not there it asks for itself. */
  gap?: string;
}

/** The screen on which a lesson is worked on that does not happen beside its text. */
export interface OwnScreen {
  /** Null while there is nothing to work on. */
  path: (lesson: { id: number; scenarioId?: number | null }) => string | null;
  openLabel: string;
  invitation: string;
  explanation: string;
  /** Said instead of a link while there is no path. */
  unfinished?: string;
}

/** Everything that the rest of the site asks about a type of lesson. Pure, so that every layer may read it. */
export interface LessonTypeDefinition {
  /** As the database, the calls and the files of a course say it. */
  name: string;
  label: string;
  /** On the button that adds one to a course. */
  shortLabel: string;
  /** What the course builder calls one, where it offers it. */
  builderLabel?: string;
  /** Its sign. */
  icon: IconName;
  /** Its sign in an author's list of a course's content, where that is another. */
  listIcon?: IconName;
  /** The columns that not every lesson has, each with what stands in it in lessons of all other types. */
  columns: Readonly<
    Record<string, null | string | false | readonly never[] | Readonly<Record<string, never>>>
  >;
  /** What it has in tables of its own. */
  parts: readonly string[];
  /** Those of its columns that name a file, of this site or elsewhere: as the publish check calls it, and what it must be. */
  files: Readonly<
    Record<
      string,
      { where: string | ((lesson: LessonBody) => string); expects: 'file' | 'video' | 'captions' }
    >
  >;
  /** The files of a lesson that are listed in one of its columns. */
  moreFiles?: (
    lesson: LessonBody,
  ) => { field: string; where: string; address: string; expects: 'captions' }[];
  needs: readonly Need[];
  /** Whether it is done by passing it, not by Mark Complete, where there is something to pass (decision 33). */
  isPassed: boolean;
  /** What passes it, said beforehand and to whoever marks it as complete; without it, passing its test does. */
  passing?: (lesson: LessonBody) => { promise: string; refusal: string };
  /** Why Mark Complete does not complete a lesson yet that is not passed; null where it does. */
  unfinished?: (lesson: LessonBody, watched: readonly (readonly [number, number])[]) => string | null;
  /** The Markdown that learners read: where it is kept, and what authors know it as. */
  text: { field: 'content' | 'instructions'; label: string };
  ownScreen: OwnScreen | null;
}

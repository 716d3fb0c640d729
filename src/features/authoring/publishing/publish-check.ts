import type { LessonType } from '#src/features/lessons/registry.ts';
import type { Unlisted } from '#src/features/catalogue/schema.ts';
import { counted } from '#src/shared/counted.ts';

/** A finding that somebody let pass, and why. */
export interface FindingOverride {
  message: string;
  reason: string;
  by: string;
  at: string;
}

/** What the publish check has to say about a field of a lesson. */
export interface ShownFinding {
  key: string;
  severity: 'error' | 'warning';
  field: string;
  message: string;
  mutation: { line: number; original: string; mutated: string } | null;
  /** Null where the finding counts. */
  override: FindingOverride | null;
}

/** How a lesson stands: only `proven` ones may go to learners who do not have them yet. */
export const LESSON_STATES = ['proven', 'failed', 'changed', 'unchecked', 'waiting', 'running'] as const;
export type LessonState = (typeof LESSON_STATES)[number];

export interface CheckedLessonReport {
  id: number;
  title: string;
  type: LessonType;
  section: string;
  state: LessonState;
  findings: ShownFinding[];
  /** Links to other sites that worked once and failed on two days since. */
  deadLinks: { key: string; field: string; message: string; since: string }[];
  /** Let pass for an earlier content of the lesson; they count no more. */
  lapsed: FindingOverride[];
  facts: CheckFactsShown;
  /** When it was last looked at; null where it never was. */
  checkedAt: string | null;
}

export interface CheckFactsShown {
  runs?: number | undefined;
  mutations?: number | undefined;
  caught?: number | undefined;
  links?: number | undefined;
  states?: number | undefined;
}

/** Everything that the publish page of a course shows. */
export interface PublishReport {
  courseId: number;
  isActive: boolean;
  listed: boolean;
  /** Whether every lesson is proven as it is now. */
  ready: boolean;
  /** What stands against listing it, in one sentence; '' where nothing does. */
  obstacle: string;
  run: {
    id: number;
    status: 'running' | 'finished' | 'abandoned';
    startedBy: string;
    startedAt: string;
    finishedAt: string | null;
    done: number;
    total: number;
  } | null;
  lessons: CheckedLessonReport[];
}

/** The page where a course is proven and shown. */
export function publishHref(courseId: number): string {
  return `/admin/courses/${courseId}/publish`;
}

/** What a course's badge is made of. */
export interface CourseStanding {
  id: number;
  isActive: boolean;
  isArchived?: boolean;
  unlisted: readonly Unlisted[];
}

/** How a course stands in the store in a few words, with the page where it is mended; null where nothing is to be done. */
export function standingOf({ id, isActive, isArchived = false, unlisted }: CourseStanding): {
  text: string;
  tone: 'success' | 'neutral' | 'warning';
  href: string | null;
} {
  if (isArchived) return { text: 'Archived', tone: 'neutral', href: null };
  if (!isActive) return { text: 'Hidden', tone: 'neutral', href: null };
  if (unlisted.length === 0) return { text: 'Listed', tone: 'success', href: null };
  const lessonsWith = (wanted: Unlisted['code']) =>
    new Set(unlisted.filter(({ code }) => code === wanted).map(({ lessonId }) => lessonId)).size;
  const waiting = (what: string, href: string) =>
    ({ text: `Not listed yet: ${what}`, tone: 'warning', href }) as const;
  if (lessonsWith('no_lessons') > 0) return waiting('no lessons', `/admin/courses/${id}/content`);
  const toFix = lessonsWith('finding');
  return waiting(
    toFix > 0
      ? `${counted(toFix, 'lesson')} to fix`
      : `${counted(lessonsWith('not_checked'), 'lesson')} to check`,
    publishHref(id),
  );
}

/** What is not proven of a course, in one sentence; '' where all is. */
export function obstacleOf({ lessons, unproven }: { lessons: number; unproven: number }): string {
  if (lessons === 0) return 'A course without lessons is not listed in the store. Add lessons first.';
  if (unproven === 0) return '';
  if (lessons === unproven) {
    return lessons === 1
      ? 'The only lesson of this course is not proven to work. Check the course.'
      : 'The lessons of this course are not proven to work. Check the course.';
  }
  const verb = unproven === 1 ? 'is' : 'are';
  return `${unproven.toLocaleString('en-US')} of ${counted(lessons, 'lesson')} ${verb} not proven to work. Check the course.`;
}

/** How a field of a lesson is called on its form. */
export const FIELD_NAMES: Record<string, string> = {
  content: 'Content',
  instructions: 'Instructions',
  starterCode: 'Starter code',
  solution: 'Reference solution',
  testCases: 'Tests',
  codeLimits: 'Limits',
  fileUrl: 'File',
  captionsUrl: 'Captions',
  chapters: 'Chapters',
  durationSeconds: 'Length in seconds',
  questions: 'Questions',
  quizSettings: 'How it is asked',
  scenario: 'Scenario',
};

/** Findings that stand against a lesson: errors that nobody let pass. */
export function openErrors(findings: readonly ShownFinding[]): ShownFinding[] {
  return findings.filter(({ severity, override }) => severity === 'error' && override === null);
}

/** What was done for a lesson, as one line; '' for nothing worth telling. */
export function factsText({ runs, mutations, caught, links, states }: CheckFactsShown): string {
  return [
    runs ? counted(runs, 'run') : '',
    mutations ? `${caught} of ${counted(mutations, 'change')} noticed` : '',
    states ? counted(states, 'situation') : '',
    links ? counted(links, 'link') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

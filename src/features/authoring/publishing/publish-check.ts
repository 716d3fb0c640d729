import type { LessonType } from '#src/features/lessons/registry.ts';
import type { Unproven } from '#src/features/catalogue/schema.ts';
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

/** What became of publishing changes: some did not pass, or they are others by now. */
export const PUBLISH_OUTCOMES = ['published', 'faulty', 'changed'] as const;

/** Everything that the publish page of a course shows. */
export interface PublishReport {
  courseId: number;
  isActive: boolean;
  /** It is off the store, and comes into it by itself once every lesson is proven. */
  activateWhenProven: boolean;
  /** Whether every lesson is proven as it is now. */
  ready: boolean;
  /** What is not proven, in one sentence; '' where all is. */
  obstacle: string;
  /** Whether a finding can be let pass with a reason; not where the check is required. */
  mayLetPass: boolean;
  run: {
    id: number;
    status: 'running' | 'finished' | 'abandoned';
    /** It publishes the changes that wait, if it finds no fault; `outcome` says what became of that. */
    isPublishing: boolean;
    outcome: (typeof PUBLISH_OUTCOMES)[number] | null;
    startedBy: string;
    startedAt: string;
    finishedAt: string | null;
    done: number;
    total: number;
  } | null;
  /** What the last run found about the course itself. It stands against no lesson. */
  findings: ShownFinding[];
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
  activateWhenProven?: boolean;
  /** Something in it waits to be published. */
  hasChanges?: boolean;
  unproven?: readonly Unproven[] | undefined;
}

/** One thing that is true of a course, with the page where it is mended; null where nothing is to be done. */
export interface StandingPart {
  text: string;
  tone: 'success' | 'neutral' | 'warning';
  href: string | null;
}

/** How a course stands: first whether the store has it, Active or Inactive (spec 4), then what else is true of it. */
export function standingOf({
  id,
  isActive,
  isArchived = false,
  activateWhenProven = false,
  hasChanges = false,
  unproven = [],
}: CourseStanding): [StandingPart, ...StandingPart[]] {
  const lessonsWith = (wanted: Unproven['code']) =>
    new Set(unproven.filter(({ code }) => code === wanted).map(({ lessonId }) => lessonId)).size;
  const part = (text: string, tone: StandingPart['tone'], href: string | null = null) => ({
    text,
    tone,
    href,
  });
  const toFix = lessonsWith('finding');
  const toCheck = lessonsWith('not_checked');
  return [
    isActive ? part('Active', 'success') : part('Inactive', 'neutral'),
    ...(isArchived ? [part('Archived', 'neutral')] : []),
    ...(activateWhenProven ? [part('Waits until it is proven', 'warning', publishHref(id))] : []),
    ...(hasChanges ? [part('Changes to publish', 'warning', publishHref(id))] : []),
    ...(lessonsWith('no_lessons') > 0 ? [part('No lessons', 'warning', `/admin/courses/${id}/content`)] : []),
    ...(toFix > 0 ? [part(`${counted(toFix, 'lesson')} to fix`, 'warning', publishHref(id))] : []),
    ...(toCheck > 0 ? [part(`${counted(toCheck, 'lesson')} not proven`, 'warning', publishHref(id))] : []),
  ];
}

/** What is not proven of a course, in one sentence; '' where all is. */
export function obstacleOf({ lessons, unproven }: { lessons: number; unproven: number }): string {
  if (lessons === 0) return 'The course has no lessons yet.';
  if (unproven === 0) return '';
  if (lessons === unproven) {
    return lessons === 1
      ? 'The only lesson of this course is not proven to work. Check the course.'
      : 'The lessons of this course are not proven to work. Check the course.';
  }
  const verb = unproven === 1 ? 'is' : 'are';
  return `${unproven.toLocaleString('en-US')} of ${counted(lessons, 'lesson')} ${verb} not proven to work. Check the course.`;
}

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

import type { LessonType } from '#src/features/lessons/registry.ts';
import type { Unproven } from '#src/features/catalogue/schema.ts';
import { counted } from '#src/shared/counted.ts';

export interface FindingOverride {
  message: string;
  reason: string;
  by: string;
  at: string;
}

export interface ShownFinding {
  key: string;
  severity: 'error' | 'warning';
  field: string;
  message: string;
  mutation: { line: number; original: string; mutated: string } | null;
  override: FindingOverride | null;
}

/** Only `proven` lessons may go to new learners. */
export const LESSON_STATES = ['proven', 'failed', 'changed', 'unchecked', 'waiting', 'running'] as const;
export type LessonState = (typeof LESSON_STATES)[number];

export interface CheckedLessonReport {
  id: number;
  title: string;
  type: LessonType;
  section: string;
  state: LessonState;
  findings: ShownFinding[];
  deadLinks: { key: string; field: string; message: string; since: string }[];
  lapsed: FindingOverride[];
  facts: CheckFactsShown;
  checkedAt: string | null;
}

export interface CheckFactsShown {
  runs?: number | undefined;
  mutations?: number | undefined;
  caught?: number | undefined;
  links?: number | undefined;
  states?: number | undefined;
}

/** `faulty`: some did not pass; `changed`: others by now. */
export const PUBLISH_OUTCOMES = ['published', 'faulty', 'changed'] as const;

export interface PublishReport {
  courseId: number;
  isActive: boolean;
  activateWhenProven: boolean;
  ready: boolean;
  obstacle: string;
  mayLetPass: boolean;
  run: {
    id: number;
    status: 'running' | 'finished' | 'abandoned';
    isPublishing: boolean;
    outcome: (typeof PUBLISH_OUTCOMES)[number] | null;
    startedBy: string;
    startedAt: string;
    finishedAt: string | null;
    done: number;
    total: number;
  } | null;
  findings: ShownFinding[];
  lessons: CheckedLessonReport[];
}

export function publishHref(courseId: number): string {
  return `/admin/courses/${courseId}/publish`;
}

/** The input of a course's badge. */
export interface CourseStanding {
  id: number;
  isActive: boolean;
  isArchived?: boolean;
  activateWhenProven?: boolean;
  hasChanges?: boolean;
  unproven?: readonly Unproven[] | undefined;
}

/** With the page where it is mended, if anything is to be done. */
export interface StandingPart {
  text: string;
  tone: 'success' | 'neutral' | 'warning';
  href: string | null;
}

/** Active or Inactive (spec 4), then what else is true of a course. */
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

/** Findings that were not let pass. */
export const openFindings = (
  findings: readonly ShownFinding[],
  wanted: ShownFinding['severity'],
): ShownFinding[] => findings.filter(({ severity, override }) => severity === wanted && override === null);

/** The work of a check in one line, or ''. */
export function factsText({ runs, mutations, caught, links, states }: CheckFactsShown): string {
  return [
    runs ? counted(runs, 'run') : '',
    mutations ? `${caught} of ${counted(mutations, 'change')} noticed` : '',
    states ? counted(states, 'situation') : '',
    links ? counted(links, 'link') : '',
  ]
    .filter(Boolean)
    .join('\u00a0· ');
}

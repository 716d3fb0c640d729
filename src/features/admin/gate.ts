import type { LessonType } from '#src/features/catalogue/catalogue.ts';
import { counted } from './admin.ts';

/** A finding that somebody let pass, and why. */
export interface GateOverride {
  message: string;
  reason: string;
  by: string;
  at: string;
}

/** What the gate has to say about a field of a lesson. */
export interface ShownFinding {
  key: string;
  severity: 'error' | 'warning';
  field: string;
  message: string;
  mutation: { line: number; original: string; mutated: string } | null;
  /** Null where the finding counts. */
  override: GateOverride | null;
}

/** How a lesson stands: only `proven` ones may go to learners who do not have them yet. */
export const LESSON_STATES = ['proven', 'failed', 'changed', 'unchecked', 'waiting', 'running'] as const;
export type LessonState = (typeof LESSON_STATES)[number];

export interface GateLessonReport {
  id: number;
  title: string;
  type: LessonType;
  section: string;
  state: LessonState;
  findings: ShownFinding[];
  /** Let pass for an earlier content of the lesson; they count no more. */
  lapsed: GateOverride[];
  facts: GateFactsShown;
  /** When it was last looked at; null where it never was. */
  checkedAt: string | null;
}

export interface GateFactsShown {
  runs?: number | undefined;
  mutations?: number | undefined;
  caught?: number | undefined;
  links?: number | undefined;
  states?: number | undefined;
}

/** Everything that the publish page of a course shows. */
export interface GateReport {
  courseId: number;
  isActive: boolean;
  /** Whether it may be shown in the store. */
  ready: boolean;
  /** What stands against showing it, in one sentence; '' where nothing does. */
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
  lessons: GateLessonReport[];
}

/** The page where a course is proven and shown. */
export function publishHref(courseId: number): string {
  return `/admin/courses/${courseId}/publish`;
}

/** Why a course cannot be shown yet; '' where it can. */
export function obstacleOf({ lessons, unproven }: { lessons: number; unproven: number }): string {
  if (lessons === 0) return 'A course without lessons cannot be shown in the store. Add lessons first.';
  if (unproven === 0) return '';
  if (lessons === unproven) {
    return lessons === 1
      ? 'The only lesson of this course is not proven to work. Check the course before you show it.'
      : 'The lessons of this course are not proven to work. Check the course before you show it.';
  }
  const verb = unproven === 1 ? 'is' : 'are';
  return `${unproven.toLocaleString('en-US')} of ${counted(lessons, 'lesson')} ${verb} not proven to work. Check the course before you show it.`;
}

/** How a field of a lesson is called on its form. */
export const FIELD_NAMES: Record<string, string> = {
  content: 'Content',
  instructions: 'Instructions',
  starterCode: 'Starter code',
  solution: 'Reference solution',
  testCases: 'Tests',
  fileUrl: 'File',
  captionsUrl: 'Captions',
  durationSeconds: 'Length in seconds',
  questions: 'Questions',
  scenario: 'Scenario',
};

/** Findings that stand against a lesson: errors that nobody let pass. */
export function openErrors(findings: readonly ShownFinding[]): ShownFinding[] {
  return findings.filter(({ severity, override }) => severity === 'error' && override === null);
}

/** What was done for a lesson, as one line; '' for nothing worth telling. */
export function factsText({ runs, mutations, caught, links, states }: GateFactsShown): string {
  return [
    runs ? counted(runs, 'run') : '',
    mutations ? `${caught} of ${counted(mutations, 'change')} noticed` : '',
    states ? counted(states, 'situation') : '',
    links ? counted(links, 'link') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

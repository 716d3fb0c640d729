import { groupBySection } from '#src/features/catalogue/catalogue.ts';
import { lessonHref } from '#src/features/learn/progress/lesson-place.ts';
import { type LessonType, lessonTypeLabel } from '#src/features/lessons/registry.ts';
import { escapeHtml } from '#src/shared/escape-html.ts';

export interface ViewerLesson {
  id: number;
  title: string;
  section: string;
  type: LessonType;
  duration: string;
  required: boolean;
  points: number;
  completed: boolean;
  /** When it opens, of a lesson that is closed; '' for all others. */
  opens: string;
  /** It is a new version of what its learner completed, and they have not seen it yet. */
  changed: boolean;
}

/** What the list of a course's lessons shows. */
export interface LessonList {
  courseId: number;
  lessons: readonly ViewerLesson[];
  /** The lesson that is open. */
  lessonId: number;
  done: ReadonlySet<number>;
}

/** One of the signs of LessonSigns.astro. */
const sign = (name: string, classes: string) =>
  `<svg aria-hidden="true" class="${classes}"><use href="#lesson-${name}"></use></svg>`;
const DONE_SIGN = sign('done', 'mt-0.5 size-5 shrink-0 text-success');
const OPEN_SIGN = sign('open', 'mt-0.5 size-5 shrink-0 text-line-strong');

/**
 * The rows of a list of lessons as markup, in their order and sections, each with its type, duration and state (spec 2).
 * As elements of the island they would cost the server more than the rest of the page: a course may have hundreds.
 */
export function lessonRows({ courseId, lessons, lessonId, done }: LessonList): string {
  const row = ({ id, title, type, duration, required, opens, changed }: ViewerLesson) => {
    const isCurrent = id === lessonId;
    const isDone = done.has(id);
    // The viewer says what changed before it leads on.
    const href = changed ? `/learn/${courseId}?lesson=${id}` : lessonHref(courseId, { id, type });
    const facts = [
      lessonTypeLabel(type),
      duration,
      required ? '' : 'optional',
      opens,
      changed ? 'Changed since you passed it' : '',
    ]
      .filter(Boolean)
      .join(' · ');
    return (
      `<li><a href="${href}"${isCurrent ? ' aria-current="page"' : ''} class="flex min-h-12 items-start gap-3 px-gutter py-2.5 -outline-offset-2 transition-colors hover:bg-sunken aria-[current=page]:bg-accent-soft lg:px-6">` +
      `${isDone ? DONE_SIGN : OPEN_SIGN}<span class="min-w-0">` +
      `<span class="${isCurrent ? 'block leading-snug font-semibold' : 'block leading-snug'}">${escapeHtml(title)}</span>` +
      `<span class="mt-0.5 flex items-center gap-1.5 text-sm text-ink-soft">${sign(type, 'size-3.5 shrink-0')}` +
      `<span>${escapeHtml(facts)}<span class="sr-only">${isDone ? ', completed' : ', not completed'}</span></span></span>` +
      '</span></a></li>'
    );
  };
  const heading = (section: string, inSection: readonly ViewerLesson[]) =>
    section === ''
      ? ''
      : '<p class="flex justify-between gap-4 px-gutter pt-5 pb-2 text-sm font-semibold text-ink-soft lg:px-6">' +
        `<span>${escapeHtml(section)}</span><span class="font-normal tabular-nums">` +
        `${inSection.filter(({ id }) => done.has(id)).length}/${inSection.length}` +
        '<span class="sr-only"> lessons done</span></span></p>';
  return groupBySection(lessons)
    .map(
      ({ section, lessons: inSection }) =>
        `<li>${heading(section, inSection)}<ol>${inSection.map(row).join('')}</ol></li>`,
    )
    .join('');
}

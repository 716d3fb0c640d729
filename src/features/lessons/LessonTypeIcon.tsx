import { icon } from '#src/components/Icon.tsx';
import { CONTENT_LIST_ICONS, LESSON_ICONS } from './lesson-icons.ts';
import type { LessonType } from './registry.ts';

export function LessonTypeIcon({
  type,
  inContentList = false,
  className,
}: {
  type: LessonType;
  inContentList?: boolean;
  className?: string;
}) {
  const name = (inContentList ? CONTENT_LIST_ICONS : LESSON_ICONS)[type];
  return (
    <svg aria-hidden="true" className={className ? `icon ${className}` : 'icon'}>
      <use href={icon(name)} />
    </svg>
  );
}

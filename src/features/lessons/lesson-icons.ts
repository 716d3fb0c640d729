import type { IconName } from '#src/components/icon-names.ts';
import { LESSON_TYPES, type LessonType, lessonType } from './registry.ts';

const iconsOf = (icon: (type: LessonType) => IconName) =>
  Object.fromEntries(LESSON_TYPES.map((type) => [type, icon(type)])) as Record<LessonType, IconName>;

export const LESSON_ICONS = iconsOf((type) => lessonType(type).icon);

export const CONTENT_LIST_ICONS = iconsOf((type) => lessonType(type).listIcon ?? lessonType(type).icon);

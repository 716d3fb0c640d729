import { CirclePlay, CircleQuestionMark, CodeXml, FileDown, FileText, Waypoints } from 'lucide-react';
import type { LessonType } from '#src/features/catalogue/catalogue.ts';

/** The sign of each type, the same as in the catalogue. */
const LESSON_TYPE_ICONS = {
  video: CirclePlay,
  text: FileText,
  quiz: CircleQuestionMark,
  document: FileDown,
  interactive_coding: CodeXml,
  scenario: Waypoints,
};

/** The sign of a lesson's type. */
export function LessonTypeIcon({ type, className }: { type: LessonType; className?: string }) {
  const Icon = LESSON_TYPE_ICONS[type];
  return <Icon aria-hidden="true" className={className} />;
}

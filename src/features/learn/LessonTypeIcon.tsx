import { CirclePlay, CircleQuestionMark, CodeXml, FileDown, FileText, Waypoints } from 'lucide-react';
import type { LessonType } from '#src/features/catalogue/catalogue.ts';

const icons = {
  video: CirclePlay,
  text: FileText,
  quiz: CircleQuestionMark,
  document: FileDown,
  interactive_coding: CodeXml,
  scenario: Waypoints,
};

/** The sign of a lesson's type, the same as in the catalogue. */
export function LessonTypeIcon({ type, className }: { type: LessonType; className?: string }) {
  const Icon = icons[type];
  return <Icon aria-hidden="true" className={className} />;
}

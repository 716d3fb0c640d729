import {
  CirclePlay,
  CircleQuestionMark,
  Code,
  CodeXml,
  FileCheck,
  FileDown,
  FileText,
  ListChecks,
  Route,
  Type,
  Waypoints,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { assignment, coding, document, type LessonType, quiz, scenario, text, video } from './registry.ts';

type Icons = Record<LessonType, ComponentType<{ className?: string | undefined }>>;

/** The same as lesson-icons.ts names. */
const ICONS: Icons = {
  [text.name]: FileText,
  [video.name]: CirclePlay,
  [document.name]: FileDown,
  [quiz.name]: CircleQuestionMark,
  [coding.name]: CodeXml,
  [scenario.name]: Waypoints,
  [assignment.name]: FileCheck,
};
/** In an author's list of a course's content. */
const CONTENT_ICONS: Icons = {
  [text.name]: Type,
  [video.name]: CirclePlay,
  [document.name]: FileText,
  [quiz.name]: ListChecks,
  [coding.name]: Code,
  [scenario.name]: Route,
  [assignment.name]: FileCheck,
};

/** The sign of a lesson's type. */
export function LessonTypeIcon({
  type,
  inContentList = false,
  className,
}: {
  type: LessonType;
  inContentList?: boolean;
  className?: string;
}) {
  const Icon = (inContentList ? CONTENT_ICONS : ICONS)[type];
  return <Icon aria-hidden="true" className={className} />;
}

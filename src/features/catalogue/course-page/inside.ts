import {
  assignment,
  coding,
  document,
  type LessonType,
  quiz,
  scenario,
  video,
} from '#src/features/lessons/registry.ts';
import { counted } from '#src/shared/counted.ts';
import { durationText } from '#src/shared/dates.ts';

const COUNTED: [type: LessonType, one: string, many: string][] = [
  [coding.name, 'coding exercise', 'coding exercises'],
  [scenario.name, 'simulation', 'simulations'],
  [quiz.name, 'quiz', 'quizzes'],
  [assignment.name, 'assignment', 'assignments'],
  [document.name, 'document', 'documents'],
];

/** Decision 60: "12 coding exercises", "1 h 20 min of video". @param videoSeconds of all videos */
export function insideOf(lessons: readonly { type: LessonType }[], videoSeconds: number): string[] {
  const countOf = ([type, one, many]: (typeof COUNTED)[number]) => {
    const count = lessons.filter((lesson) => lesson.type === type).length;
    return count > 0 ? [counted(count, one, many)] : [];
  };
  // Under a minute the count says more.
  const watched =
    videoSeconds >= 60
      ? [`${durationText(videoSeconds)} of video`]
      : countOf([video.name, 'video', 'videos']);
  return [...COUNTED.flatMap(countOf), ...watched];
}

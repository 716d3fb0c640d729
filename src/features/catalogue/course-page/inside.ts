import { assignment, coding, type LessonType, quiz, scenario } from '#src/features/lessons/registry.ts';
import { counted } from '#src/shared/counted.ts';
import { durationText } from '#src/shared/dates.ts';

/** What learners do themselves, as buyers compare courses by it. */
const DONE: [type: LessonType, one: string, many: string][] = [
  [coding.name, 'coding exercise', 'coding exercises'],
  [scenario.name, 'simulation', 'simulations'],
  [quiz.name, 'quiz', 'quizzes'],
  [assignment.name, 'assignment', 'assignments'],
];

/**
 * What is inside a course, from its content (decision 60): "12 coding exercises", "1 h 20 min of video".
 *
 * @param videoSeconds the length of all its videos
 */
export function insideOf(lessons: readonly { type: LessonType }[], videoSeconds: number): string[] {
  const done = DONE.flatMap(([type, one, many]) => {
    const count = lessons.filter((lesson) => lesson.type === type).length;
    return count > 0 ? [counted(count, one, many)] : [];
  });
  return videoSeconds >= 60 ? [...done, `${durationText(videoSeconds)} of video`] : done;
}

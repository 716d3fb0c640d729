import type { Level } from '#src/features/catalogue/catalogue.ts';
import type { LessonPlace } from '#src/features/learn/progress/lesson-place.ts';
import type { OfferedHint } from '../groups/schema.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import type { LessonForLearner } from '../schema.ts';

export interface OpenedLesson extends Omit<LessonPlace, 'points' | 'changedAt' | 'ruling'> {
  lesson: Pick<
    LessonForLearner,
    | 'id'
    | 'title'
    | 'points'
    | 'starterCode'
    | 'expectedOutput'
    | 'testCases'
    | 'content'
    | 'attempts'
    | 'completed'
  > & { codingLanguage: CodingLanguage; difficulty: Level };
  hints: string[];
  course: { id: number; title: string };
  enrolled: boolean;
  lastCode: string | null;
  groupHints: OfferedHint[];
  programsSeen: { hidden: boolean } | null;
  userId: number | null;
}

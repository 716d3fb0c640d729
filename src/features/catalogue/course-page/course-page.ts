import type { Course, CourseCard, LessonOutline } from '#src/features/catalogue/catalogue.ts';
import type {
  MayRate,
  OwnRating,
  RatingSummary,
  ShownRating,
} from '#src/features/catalogue/ratings/ratings.ts';
import type { LessonPreview } from '#src/features/catalogue/schema.ts';
import type { embedPolicy } from '#src/features/lessons/types/video/embed.ts';
import type { StoredVideo } from '#src/features/lessons/types/video/stored-video.ts';
import type { Instructor } from './instructor.ts';

export interface CoursePage {
  course: Omit<Course, 'createdAt' | 'createdBy'> & {
    outcomes: string;
    audience: string;
  };
  lessons: LessonOutline[];
  previews: LessonPreview[];
  videoSeconds: number;
  enrolled: boolean;
  opensLater: boolean;
  instructor: Instructor | null;
  related: CourseCard[];
  /** The course of small steps that leads up to this one. */
  steps: { id: number; title: string } | null;
  summary: RatingSummary;
  reviews: ShownRating[];
  answers: boolean;
  ratingsPage: number;
  mine: { own: OwnRating | null; may: MayRate };
}

export interface ShownTexts {
  html: string;
  /** Plain text for search engines. */
  summary: string;
  outcomes: string[];
  image: string | null;
  previews: Map<number, { lesson: LessonPreview; stored: StoredVideo | null; html: string }>;
  /** For the page's policy. */
  frames: ReturnType<typeof embedPolicy>;
}

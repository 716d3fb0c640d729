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

/** Everything that a course's page shows, as one viewer may see it. */
export interface CoursePage {
  course: Omit<Course, 'createdAt' | 'createdBy'> & {
    outcomes: string;
    audience: string;
  };
  lessons: LessonOutline[];
  previews: LessonPreview[];
  /** One of its uploaded videos has `HD_LINES` or more. */
  hasHdVideo: boolean;
  videoSeconds: number;
  enrolled: boolean;
  /** Null where its author says nothing of themselves. */
  instructor: Instructor | null;
  related: CourseCard[];
  /** The course of small steps that leads up to this one; null for none. */
  steps: { id: number; title: string } | null;
  summary: RatingSummary;
  reviews: ShownRating[];
  answers: boolean;
  /** The page of reviews that these are, from 1. */
  ratingsPage: number;
  mine: { own: OwnRating | null; may: MayRate };
}

/** The texts and pictures of a course's page as they are shown. */
export interface ShownTexts {
  html: string;
  /** The beginning of the description without its marks, for search engines. */
  summary: string;
  outcomes: string[];
  /** The picture of a link that is shared; null for the site's own. */
  image: string | null;
  previews: Map<number, { lesson: LessonPreview; stored: StoredVideo | null; html: string }>;
  /** What the page's policy must allow for their videos; null for nothing. */
  frames: ReturnType<typeof embedPolicy>;
}

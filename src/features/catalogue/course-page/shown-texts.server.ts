import { levelLabel, searchSummary, shownThumbnail } from '#src/features/catalogue/catalogue.ts';
import { has, lessonType } from '#src/features/lessons/registry.ts';
import { embedPolicy } from '#src/features/lessons/types/video/embed.ts';
import { findStoredVideo } from '#src/features/lessons/videos.server.ts';
import { plainParagraphs, renderMarkdown } from '#src/server/markdown.ts';
import { env } from '#src/server/start/env.ts';
import { centsToDecimal, CURRENCY } from '#src/shared/money.ts';
import type { CoursePage, ShownTexts } from './course-page.ts';
import { instructorAsData } from './instructor.ts';

/** Renders the texts of a course's page and looks up the videos of its previews. */
export async function showTexts({ course, previews }: CoursePage): Promise<ShownTexts> {
  const shown = await Promise.all(
    previews.map(async (lesson) => {
      const { id, type, fileUrl } = lesson;
      const stored = has(type, 'watchRequired') && fileUrl ? await findStoredVideo(fileUrl) : null;
      const html = renderMarkdown(lesson[lessonType(type).text.field] ?? '', { topHeading: 4 });
      return [id, { lesson, stored, html }] as const;
    }),
  );
  return {
    html: renderMarkdown(course.description, { topHeading: 3 }),
    summary: searchSummary(plainParagraphs(course.description).join(' ')),
    image: shownThumbnail(course.thumbnail),
    outcomes: course.outcomes.split('\n').filter(Boolean),
    previews: new Map(shown),
    frames: embedPolicy(previews.map(({ fileUrl }) => fileUrl)),
  };
}

/** A course as search engines read it. */
export function courseAsData(
  { course, instructor, summary }: CoursePage,
  { summary: description, outcomes }: ShownTexts,
): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Course',
    name: course.title,
    description,
    inLanguage: 'en',
    educationalLevel: levelLabel(course.level),
    ...(outcomes.length > 0 && { teaches: outcomes }),
    ...(instructor && {
      hasCourseInstance: {
        '@type': 'CourseInstance',
        courseMode: 'Online',
        instructor: instructorAsData(instructor, env().siteUrl),
      },
    }),
    offers: {
      '@type': 'Offer',
      category: course.priceCents === 0 ? 'Free' : 'Paid',
      price: centsToDecimal(course.priceCents),
      priceCurrency: CURRENCY.toUpperCase(),
    },
    ...(summary.count > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: summary.rating,
        reviewCount: summary.count,
        bestRating: 5,
        worstRating: 1,
      },
    }),
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { levelLabel, searchSummary, shownThumbnail } from '#src/features/catalogue/catalogue.ts';
import { has, lessonType } from '#src/features/lessons/registry.ts';
import { embedPolicy } from '#src/features/lessons/types/video/embed.ts';
import { findStoredVideo } from '#src/features/lessons/videos.server.ts';
import { plainParagraphs, renderMarkdown } from '#src/server/markdown.ts';
import { env } from '#src/server/start/env.ts';
import { centsToDecimal, CURRENCY } from '#src/shared/money.ts';
import type { CoursePage, ShownTexts } from './course-page.ts';
import { instructorAsData } from './instructor.ts';

/** The first preview is always shown. */
const PREVIEWS_MAX_BYTES = 1_000_000;
/** Other requests go on between texts as long as this. */
const LONG_CHARACTERS = 50_000;
const LEFT_OUT = '<p>The previews of this course are more than one page can show: this one is left out.</p>';

export async function showTexts({ course, previews }: CoursePage): Promise<ShownTexts> {
  const shown: ShownTexts['previews'] = new Map();
  let bytes = 0;
  for (const lesson of previews) {
    const { id, type, fileUrl, questions } = lesson;
    const stored = has(type, 'watchRequired') && fileUrl ? await findStoredVideo(fileUrl) : null;
    const isFull = bytes > PREVIEWS_MAX_BYTES;
    const html = isFull ? '' : renderMarkdown(lesson[lessonType(type).text.field] ?? '', { topHeading: 4 });
    if (!isFull) bytes += Buffer.byteLength(html) + Buffer.byteLength(JSON.stringify(questions));
    const isShown = shown.size === 0 || bytes <= PREVIEWS_MAX_BYTES;
    shown.set(
      id,
      isShown ? { lesson, stored, html } : { lesson: { ...lesson, questions: [] }, stored, html: LEFT_OUT },
    );
    if (html.length > LONG_CHARACTERS) await nextTurn();
  }
  return {
    html: renderMarkdown(course.description, { topHeading: 3 }),
    summary: searchSummary(plainParagraphs(course.description).join(' ')),
    image: shownThumbnail(course.thumbnail),
    outcomes: course.outcomes.split('\n').filter(Boolean),
    previews: shown,
    frames: embedPolicy(previews.map(({ fileUrl }) => fileUrl)),
  };
}

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

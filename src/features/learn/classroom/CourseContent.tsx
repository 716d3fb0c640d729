import { useEffect, useRef } from 'react';
import { type LessonList, lessonRows } from './lesson-rows.ts';

/** The lessons of a course beside the open one; the page has the signs that its rows refer to (LessonSigns.astro). */
export function CourseContent(list: LessonList) {
  const rows = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // Long courses: the open lesson is in view without moving the page.
    const current = rows.current?.querySelector<HTMLElement>('[aria-current]');
    const frame = current?.closest('aside');
    const place = current?.offsetTop ?? 0;
    if (frame && place > frame.clientHeight - 120) frame.scrollTop = place - frame.clientHeight / 2;
  }, []);

  // biome-ignore lint/security/noDangerouslySetInnerHtml: the rows escape every text
  return <ol ref={rows} dangerouslySetInnerHTML={{ __html: lessonRows(list) }} />;
}

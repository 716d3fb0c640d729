import { z } from 'zod';
import { text } from '#src/shared/fields.ts';

const CHAPTERS_MAX = 100;
const TITLE_MAX = 100;
const TEXT_MAX = CHAPTERS_MAX * (TITLE_MAX + 20);
const PROBLEMS_MAX = 10;

export interface Chapter {
  start: number;
  clock: string;
  title: string;
}

function readChapters(written: string): { chapters: Chapter[]; lines: string[]; problems: string[] } {
  const chapters: Chapter[] = [];
  const lines: string[] = [];
  const problems: string[] = [];
  for (const [index, line] of written.split(/\r\n|\r|\n/).entries()) {
    const plain = line.replace(/\s+/g, ' ').trim();
    if (plain === '') continue;
    const wrong = (what: string) => problems.push(`Line ${index + 1} ${what}`);
    const [, clock, title = ''] = /^(\S{4,9}) (.+)$/.exec(plain) ?? [];
    const [, hours = '0', minutes, seconds] =
      /^(?:(\d{1,2}):(?=\d\d:))?(\d{1,3}):(\d\d)$/.exec(clock ?? '') ?? [];
    if (minutes === undefined || Number(seconds) > 59 || (hours !== '0' && Number(minutes) > 59)) {
      wrong('needs a time and a title, such as 1:30 The first knot.');
      continue;
    }
    const start = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    const last = chapters.at(-1);
    if (last && start <= last.start) wrong(`does not begin after the chapter before it.`);
    if (title.length > TITLE_MAX) wrong(`has a title of more than ${TITLE_MAX} characters.`);
    chapters.push({ start, clock: clock!, title });
    lines.push(`${clock} ${title}`);
  }
  if (chapters.length > CHAPTERS_MAX) problems.push(`A video has at most ${CHAPTERS_MAX} chapters.`);
  return { chapters, lines, problems };
}

export const chaptersInput = text('Chapters', { min: 0, max: TEXT_MAX })
  .superRefine((written, context) => {
    const { problems } = readChapters(written);
    if (problems.length > 0) {
      context.addIssue({ code: 'custom', message: problems.slice(0, PROBLEMS_MAX).join(' ') });
    }
  })
  .transform((written) => readChapters(written).lines.join('\n'))
  .pipe(z.string());

export const chaptersOf = (kept: string): Chapter[] => readChapters(kept).chapters;

/** Whether a chapter begins where the video has ended. */
export function isPastEnd(kept: string, durationSeconds: number | null | undefined): boolean {
  const last = chaptersOf(kept).at(-1);
  return last !== undefined && Boolean(durationSeconds) && last.start >= durationSeconds!;
}

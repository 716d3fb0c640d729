import { z } from 'zod';
import {
  fileReference,
  flag,
  frontMatter,
  lessonFormat,
} from '#src/features/lessons/lesson-format.server.ts';
import { chaptersInput, isPastEnd } from './chapters.ts';
import { video } from './definition.ts';

/** A video among the files of a course. */
export const videoFormat = lessonFormat({
  type: video.name,
  front: frontMatter(video.name, {
    file: fileReference.optional(),
    captions: fileReference.optional(),
    chapters: chaptersInput.optional(),
    seconds: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000).optional(),
    watchRequired: flag.default(false),
  }),
  references: { file: 'fileUrl', captions: 'captionsUrl' },
  labels: {
    file: 'File',
    captions: 'Captions',
    chapters: 'Chapters',
    seconds: 'Length in seconds',
    watchRequired: 'Must be watched',
  },
  read({ file, captions, chapters = '', seconds, watchRequired }, { complete, lacks }) {
    if (complete && !file) lacks('file', 'is missing: a video needs one');
    if (complete && !captions) lacks('captions', 'is missing: every video needs captions');
    if (complete && watchRequired && !seconds) {
      lacks('watchRequired', 'needs seconds: the share that was watched is computed from it');
    }
    if (isPastEnd(chapters, seconds)) lacks('chapters', 'has one that begins after the end of the video');
    return { file, captions, chapters, seconds, watchRequired };
  },
  columns: ({ chapters, seconds, watchRequired }) => ({
    chapters,
    durationSeconds: seconds ?? null,
    watchRequired,
  }),
  fromRow: ({ chapters, durationSeconds, watchRequired }, { files }) => ({
    file: files.fileUrl ?? undefined,
    captions: files.captionsUrl ?? undefined,
    chapters,
    seconds: durationSeconds ?? undefined,
    watchRequired,
  }),
});

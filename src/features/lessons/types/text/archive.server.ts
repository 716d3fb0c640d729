import { frontMatter, lessonFormat } from '#src/features/lessons/lesson-format.server.ts';
import { text } from './definition.ts';

/** A text among the files of a course. */
export const textFormat = lessonFormat({
  type: text.name,
  front: frontMatter(text.name, {}),
  labels: {},
  read: () => ({}),
  columns: () => ({}),
  fromRow: () => ({}),
});

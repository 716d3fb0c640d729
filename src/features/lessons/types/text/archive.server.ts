import { frontMatter, lessonFormat } from '#src/features/lessons/lesson-format.server.ts';
import { text } from './definition.ts';

export const textFormat = lessonFormat({
  type: text.name,
  front: frontMatter(text.name, {}),
  labels: {},
  read: () => ({}),
  columns: () => ({}),
  fromRow: () => ({}),
});

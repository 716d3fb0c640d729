import { fileReference, frontMatter, lessonFormat } from '#src/features/lessons/lesson-format.server.ts';
import { document } from './definition.ts';

export const documentFormat = lessonFormat({
  type: document.name,
  front: frontMatter(document.name, { file: fileReference.optional() }),
  references: { file: 'fileUrl' },
  labels: { file: 'File' },
  read({ file }, { complete, lacks }) {
    if (complete && !file) lacks('file', 'is missing: a document needs one');
    return { file };
  },
  columns: () => ({}),
  fromRow: ({ fileUrl }, { nameOf }) => ({ file: nameOf(fileUrl) ?? undefined }),
});

import {
  fileReference,
  flag,
  frontMatter,
  lessonFormat,
} from '#src/features/authoring/transfer/lesson-format.server.ts';
import { document } from './definition.ts';

/** A document among the files of a course. */
export const documentFormat = lessonFormat({
  type: document.name,
  front: frontMatter(document.name, {
    file: fileReference.optional(),
    acceptsSubmission: flag.default(false),
  }),
  references: ['file'],
  labels: { file: 'File', acceptsSubmission: 'Takes a submission' },
  read({ file, acceptsSubmission }, { complete, lacks }) {
    if (complete && !file) lacks('file', 'is missing: a document needs one');
    return { file, acceptsSubmission };
  },
  columns: ({ acceptsSubmission }) => ({ acceptsSubmission }),
  fromRow: ({ acceptsSubmission }, { file }) => ({ file: file ?? undefined, acceptsSubmission }),
});

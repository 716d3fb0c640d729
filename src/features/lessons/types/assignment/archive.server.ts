import {
  fileReference,
  filled,
  frontMatter,
  lessonFormat,
} from '#src/features/lessons/lesson-format.server.ts';
import { assignment } from './definition.ts';
import { assignmentSettingsInput } from './settings.ts';

export const assignmentFormat = lessonFormat({
  type: assignment.name,
  front: frontMatter(assignment.name, {
    file: fileReference.optional(),
    assignment: assignmentSettingsInput.default({}),
  }),
  references: { file: 'fileUrl' },
  labels: { file: 'File', assignment: 'How it is graded' },
  read: ({ file, assignment }) => ({ file, assignment }),
  write: ({ file, assignment }) => ({
    keys: { ...filled({ file }), ...(Object.keys(assignment).length > 0 ? { assignment } : {}) },
    files: {},
  }),
  columns: ({ assignment }) => ({ assignmentSettings: assignment }),
  fromRow: ({ fileUrl, assignmentSettings }, { nameOf }) => ({
    file: nameOf(fileUrl) ?? undefined,
    // The database keeps the keys in another order than files have them.
    assignment: assignmentSettingsInput.parse(assignmentSettings),
  }),
});

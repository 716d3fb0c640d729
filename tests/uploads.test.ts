import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ARCHIVE_UPLOADS_PATH } from '#src/features/authoring/transfer/course-files.ts';
import { THUMBNAIL_MAX_BYTES, uploadThumbnailCall } from '#src/features/authoring/courses/schema.ts';
import { PORTRAIT_MAX_BYTES, uploadPortraitCall } from '#src/features/authoring/instructors/schema.ts';
import { LESSON_FILE_MAX_BYTES, SUBMISSION_FILE_MAX_BYTES } from '#src/features/learn/progress/learn.ts';
import { submitAssignmentFileCall, uploadLessonFileCall } from '#src/features/learn/schema.ts';
import {
  PICTURE_MAX_BYTES,
  uploadPictureCall,
  VIDEO_UPLOADS_PATH,
} from '#src/features/authoring/media/schema.ts';
import {
  QUESTION_FILE_MAX_BYTES,
  readQuestionFileCall,
} from '#src/features/authoring/question-files/schema.ts';
import { UPLOAD_RULES } from '#src/server/files/upload-rules.ts';
import { PART_BYTES } from '#src/features/authoring/media/resumable-upload.ts';

const root = resolve(import.meta.dirname, '..');
/** A form's boundaries, headers and other fields. */
const AROUND_THE_FILE = 256_000;

const UPLOADS = [
  [uploadThumbnailCall.path, THUMBNAIL_MAX_BYTES],
  [uploadPictureCall.path, PICTURE_MAX_BYTES],
  [uploadPortraitCall.path, PORTRAIT_MAX_BYTES],
  [readQuestionFileCall.path, QUESTION_FILE_MAX_BYTES],
  [uploadLessonFileCall.path, LESSON_FILE_MAX_BYTES],
  [submitAssignmentFileCall.path, SUBMISSION_FILE_MAX_BYTES],
] as const;

it.each([VIDEO_UPLOADS_PATH, ARCHIVE_UPLOADS_PATH])(
  'the server lets through a part of what %s takes',
  (path) => {
    const rule = UPLOAD_RULES.find(({ paths }) => paths.test(`${path}/${'0'.repeat(32)}`));
    expect(rule?.maxBytes ?? 0).toBeGreaterThanOrEqual(PART_BYTES);
  },
);

it.each(UPLOADS)('the server lets through what %s takes, %d bytes', (path, maxBytes) => {
  const rule = UPLOAD_RULES.find(({ paths }) => paths.test(path.replaceAll(/\{\w+\}/g, '7')));
  expect(rule?.maxBytes ?? 0).toBeGreaterThanOrEqual(maxBytes + AROUND_THE_FILE);
});

it('no larger body than nginx lets through is promised', () => {
  const largest = Math.max(...UPLOAD_RULES.map(({ maxBytes }) => maxBytes));
  const nginx = readFileSync(join(root, 'deploy/nginx-locations.conf'), 'utf8');
  const allowed = [...nginx.matchAll(/client_max_body_size (\d+)m/g)].map(
    ([, size]) => Number(size) * 1_048_576,
  );
  expect(Math.max(...allowed)).toBeGreaterThanOrEqual(largest);
});

it('every service that receives a form with a file is in the list above', () => {
  const services = readdirSync(join(root, 'src/features'), { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.server.ts') &&
      /withUpload\(/.test(readFileSync(join(root, 'src/features', file), 'utf8')),
  );
  expect(services).toHaveLength(UPLOADS.length);
});

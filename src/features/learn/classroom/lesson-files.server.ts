import { mayReadLessonFile, type Viewer } from '#src/features/catalogue/catalogue.server.ts';
import { saveFile } from '#src/server/files/files.ts';
import { withUpload } from '#src/server/files/uploads.ts';
import { AppError } from '#src/shared/errors.ts';
import { mayReadSubmittedFile } from '#src/features/learn/assignments/assignments.server.ts';
import { LESSON_FILE_MAX_BYTES } from '#src/features/learn/progress/learn.ts';

/**
 * Unreadable for others until a lesson names the file.
 * @throws {AppError} too_large, unsupported_media_type (fault U1)
 */
export function receiveLessonFile(request: Request) {
  return withUpload(request, { maxBytes: LESSON_FILE_MAX_BYTES }, async ({ file }) => {
    if (!file || file.size === 0) {
      const message = file ? 'The file is empty' : 'Choose a file';
      throw new AppError('invalid_input', message, { fields: { file: message } });
    }
    const saved = await saveFile({ ...file, area: 'files' });
    return { fileUrl: saved.path, name: saved.originalName, fileSize: saved.size, mimeType: saved.mimeType };
  });
}

/** For readers of its lesson and who handed it in (fault I9). */
export async function mayReadFile(path: string, viewer: Viewer): Promise<boolean> {
  // Sizes and poster of a video are below its own address.
  const [whole] = /^\/files\/[^/]+\/[^/]+/.exec(path) ?? [path];
  if (await mayReadLessonFile(whole, viewer)) return true;
  return viewer !== null && (await mayReadSubmittedFile(path, viewer));
}

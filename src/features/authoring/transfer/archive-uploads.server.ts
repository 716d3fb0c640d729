import { rename, rm, stat, utimes } from 'node:fs/promises';
import { type FoundUpload, resumable } from '#src/server/files/resumable.ts';
import { archiveUploadFolder } from '#src/server/files/uploads.ts';
import { env } from '#src/server/start/env.ts';
import { AppError } from '#src/shared/errors.ts';
import { ARCHIVE_UPLOADS_PATH, archiveProblem } from './course-files.ts';
import { CourseFileError } from './course-format.server.ts';

const uploads = resumable({
  what: 'archive',
  path: ARCHIVE_UPLOADS_PATH,
  folder: archiveUploadFolder,
  // The upload, its files unpacked, and those files in the site's store.
  copies: 3,
  begun: async (userId) =>
    (await uploads.list()).filter(
      ({ kept, arrived, size }) => kept.owner === String(userId) && arrived < size,
    ).length,
  begin: async ({ size, userId }, seeRoom) => {
    const { courseMaxBytes } = env();
    const problem = archiveProblem(size, courseMaxBytes);
    if (problem) throw new AppError(size > courseMaxBytes ? 'too_large' : 'invalid_input', problem);
    await seeRoom();
    return { owner: String(userId) };
  },
  allow: async ({ id, userId }) => void (await ownUpload(id, userId)),
});

export const answerArchiveUpload = uploads.answer;

const GONE =
  'The upload is not there: it was read, refused or given up, or nothing was done with it for a day. Send the file again.';
const gone = () => new AppError('not_found', GONE, { fields: { upload: GONE } });

async function ownUpload(id: string, userId: number): Promise<FoundUpload> {
  const found = await uploads.find(id);
  if (found?.kept.owner !== String(userId)) throw gone();
  return found;
}

/**
 * Reads an archive that has arrived; forgets it after a refusal, and after the last read.
 * @param isLast forgets it before `work`: a course is made once, also where this process is killed
 * @throws {AppError} not_found; conflict where bytes are missing
 */
export async function withArchive<T>(
  { id, userId, isLast }: { id: string; userId: number; isLast: boolean },
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { file, size, arrived } = await ownUpload(id, userId);
  if (arrived < size) {
    const message = `Not all of the archive has arrived: ${arrived} of ${size} bytes. Send the rest first.`;
    throw new AppError('conflict', message, { fields: { upload: message } });
  }
  const path = isLast ? `${file}.read` : file;
  const forget = async () => {
    await rm(path, { force: true });
    await rm(`${file}.json`, { force: true });
  };
  try {
    if (isLast) await rename(file, path);
    // A fresh time saves it from the sweep of abandoned uploads.
    await utimes(path, new Date(), new Date());
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? gone() : error;
  }
  try {
    const answer = await work(path);
    if (isLast) await forget();
    return answer;
  } catch (error) {
    if (error instanceof CourseFileError) {
      if (!(await stat(path).catch(() => null))) throw gone();
      await forget();
    } else if (isLast) await rename(path, file).catch(() => {});
    throw error;
  }
}

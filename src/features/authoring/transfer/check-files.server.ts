import { isSafeAddress } from '#src/features/lessons/addresses.ts';
import { LESSONS_MAX } from '#src/features/authoring/lesson-editor/schema.ts';
import { checkPicture, readWholePicture } from '#src/features/authoring/media/pictures.server.ts';
import { PICTURE_ENDINGS, PICTURES_MAX } from '#src/features/authoring/media/schema.ts';
import { checkFile, extensionOf } from '#src/server/files/files.ts';
import type { CourseFault } from './schema.ts';
import { AppError } from '#src/shared/errors.ts';
import { partNamesOf } from './archive-videos.server.ts';
import { pictureNamesIn, textsOf } from './archive-pictures.server.ts';
import { faultOf, inspectCourse, type ReadCourse } from './course-format.server.ts';
import { referencesOf } from './lesson-rows.server.ts';
import type { UnpackedCourse } from './course-zip.server.ts';
import { isOwnFile } from '#src/features/lessons/lesson-format.server.ts';

const PICTURES = [...PICTURE_ENDINGS, 'svg'];

/** Pixels of all pictures of an archive: each one is decoded in full. */
const PIXELS_MAX = 1_000_000_000;

export interface CheckedFiles extends ReadCourse {
  files: string[];
  pictures: string[];
  ignored: string[];
}

/**
 * Reads a course's files and finds every mistake in them.
 * @param categories ids of the site's categories; null where they are not known
 */
export async function checkCourseFiles(
  folder: UnpackedCourse,
  categories: ReadonlySet<number> | null,
): Promise<CheckedFiles> {
  const read = await inspectCourse(folder);
  const { course, lessons } = read;
  const isWhole = read.faults.length === 0;
  const used = new Set<string>();
  if (read.category !== null && categories && !categories.has(read.category)) {
    read.lacks('course.yaml', 'category', 'There is no such category');
  }
  if (lessons.length > LESSONS_MAX) {
    read.lacks('course.yaml', 'lessons', `A course has at most ${LESSONS_MAX} lessons`);
  }
  const thumbnail = course?.thumbnail ?? '';
  const isOwn = isOwnFile(thumbnail);
  if (isOwn) used.add(thumbnail);
  if (thumbnail && !(isOwn ? PICTURES.includes(extensionOf(thumbnail)) : isSafeAddress(thumbnail))) {
    read.lacks('course.yaml', 'thumbnail', 'must be a picture of the course, or an https:// address');
  }
  for (const name of lessons.flatMap(partNamesOf)) used.add(`files/${name}`);
  for (const lesson of lessons) {
    for (const [field, reference] of referencesOf(lesson)) {
      const file = `lessons/${lesson.name}.md`;
      if (isOwnFile(reference)) used.add(`files/${reference}`);
      else if (!isSafeAddress(reference)) {
        read.lacks(file, field, 'must be a file of the course, or an https:// address');
      }
    }
  }
  const texts = [course?.description ?? '', ...lessons.flatMap(textsOf)];
  for (const name of texts.flatMap(pictureNamesIn)) used.add(`pictures/${name}`);
  const own = [...used].filter((path) => folder.binaries.has(path));
  const { pictures = [], files = [] } = Object.groupBy(own, (path) =>
    path.startsWith('pictures/') ? 'pictures' : 'files',
  );
  read.faults.push(...(await faultsOfFiles(own, folder)));
  // References of a lesson that could not be read are not known.
  return {
    ...read,
    files,
    pictures: pictures.map((path) => path.slice('pictures/'.length)),
    ignored: isWhole ? folder.leftOver(used) : [],
  };
}

async function faultsOfFiles(paths: string[], folder: UnpackedCourse): Promise<CourseFault[]> {
  const faults: CourseFault[] = [];
  const pictures = paths.filter((path) => path.startsWith('pictures/'));
  if (pictures.length > PICTURES_MAX) {
    return [faultOf('pictures', `are more than the ${PICTURES_MAX} that a course has at most`)];
  }
  let pixels = 0;
  for (const path of paths) {
    const file = folder.binaries.get(path)!;
    try {
      if (!path.startsWith('pictures/')) {
        await checkFile(file);
        continue;
      }
      pixels += await checkPicture(file);
      if (pixels > PIXELS_MAX) {
        const message = `are more than ${PIXELS_MAX / 1_000_000} megapixels together`;
        return [...faults, faultOf('pictures', message)];
      }
      await readWholePicture(file);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(faultOf(path, error.message));
    }
  }
  return faults;
}

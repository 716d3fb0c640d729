import { randomUUID } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { typeByName } from '#src/server/files/types-by-name.ts';
import type { Executor, Tx } from '#db/client.ts';
import { videos } from '#db/schema/catalogue.ts';
import { storedFiles } from '#db/schema/machinery.ts';
import { storeFile } from '#db/stored-files.ts';
import type { ConvertedFiles } from '#src/features/lessons/lesson-format.server.ts';
import { partsOfVideo } from '#src/features/lessons/types/video/archive.server.ts';
import { fileStore } from '#src/server/files/files.ts';
import type { UnpackedCourse } from './course-zip.server.ts';
import type { CourseLesson } from './lesson-formats.server.ts';

// An export carries converted videos along, so that an import converts nothing again.

export function convertedVideos(executor: Executor, addresses: readonly (string | null)[]) {
  const paths = addresses.filter((address): address is string => address?.startsWith('/files/') === true);
  return paths.length === 0
    ? []
    : executor
        .select()
        .from(videos)
        .where(and(inArray(videos.path, paths), eq(videos.status, 'ready'), sql`${videos.sizes} <> '[]'`));
}

export const NOT_CONVERTED: ConvertedFiles = { sizes: undefined, poster: undefined };

export const convertedOf = (lesson: CourseLesson): ConvertedFiles =>
  'sizes' in lesson ? lesson : NOT_CONVERTED;

export const partNamesOf = (lesson: CourseLesson): string[] =>
  partsOfVideo(convertedOf(lesson)).map(({ name }) => name);

export const originalsOf = (lessons: readonly CourseLesson[]): Set<string> =>
  new Set(lessons.flatMap((one) => ('sizes' in one && one.sizes ? [`files/${one.file}`] : [])));

/** Stores what a video was converted to, where the site does not have it. */
export async function keepConverted(
  tx: Tx,
  lesson: CourseLesson,
  {
    courseId,
    by,
    path,
    binaries,
  }: {
    courseId: number;
    by: number | null;
    path: string | null | undefined;
    binaries: UnpackedCourse['binaries'];
  },
): Promise<void> {
  const { sizes, poster } = convertedOf(lesson);
  if (!sizes || !path) return;
  const [known] = await tx.select({ sizes: videos.sizes }).from(videos).where(eq(videos.path, path));
  if (known && known.sizes.length > 0) return;
  const keep = async (name: string, below: string) => {
    const address = `${path}/${below}`;
    const [there] = await tx.select().from(storedFiles).where(eq(storedFiles.path, address));
    if (there) return address;
    const mimeType = typeByName(name)!;
    await storeFile(tx, fileStore(), {
      ...binaries.get(`files/${name}`)!,
      area: 'files',
      path: address,
      mimeType,
    });
    return address;
  };
  const [own] = await tx.select().from(storedFiles).where(eq(storedFiles.path, path));
  const kept: { path: string; height: number }[] = [];
  for (const { file, height } of sizes) kept.push({ path: await keep(file, `${height}.mp4`), height });
  const converted = {
    ...{ status: 'ready' as const, percent: 100, message: '', worker: null },
    sizes: kept,
    posterPath: poster ? await keep(poster, 'poster.jpg') : null,
    duration: 'seconds' in lesson ? (lesson.seconds ?? null) : null,
    height: Math.max(...sizes.map(({ height }) => height)),
  };
  await tx
    .insert(videos)
    .values({
      ...{ id: randomUUID(), courseId, createdBy: by, name: own!.originalName, size: own!.size, path },
      ...converted,
    })
    .onConflictDoUpdate({ target: videos.path, set: converted });
}

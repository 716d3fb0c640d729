import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '#src/server/start/env.ts';

/** Where videos lie until they are checked and converted. */
export const videoFolder = () => join(env().dataDir, 'video-uploads');

/** Removes what has arrived of a video. */
export async function forgetUpload(id: string): Promise<void> {
  await rm(join(videoFolder(), id), { force: true });
  await rm(join(videoFolder(), `${id}.json`), { force: true });
}

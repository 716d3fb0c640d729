import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '#src/server/start/env.ts';

/** For videos that are not checked and converted yet. */
export const videoFolder = () => join(env().dataDir, 'video-uploads');

export async function forgetUpload(id: string): Promise<void> {
  await rm(join(videoFolder(), id), { force: true });
  await rm(join(videoFolder(), `${id}.json`), { force: true });
}

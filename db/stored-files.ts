import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Executor } from './client.ts';
import { storedFiles } from './schema/machinery.ts';

export type StoredFile = typeof storedFiles.$inferSelect;

/** `media` is for everyone (thumbnails); `files` is served only to those who may read the lesson. */
export type FileArea = 'media' | 'files';

export type NewFile = {
  area: FileArea;
  /** As its author named it; only letters, digits, dots and dashes of it reach the address. */
  originalName: string;
  mimeType: string;
  bytes: Uint8Array;
};

/**
 * Where a file's bytes lie. The name is their SHA-256, so that nothing a person types becomes part of a path on disk
 * (fault U1) and equal files are kept once.
 */
export function storedFileLocation(dataDir: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('Not the digest of a file.');
  return join(dataDir, 'files', sha256.slice(0, 2), sha256);
}

/** "../Präsentation (1).PDF" → "prasentation-1.pdf": a file name that is harmless in an address. */
export function addressName(originalName: string): string {
  const plain = originalName.normalize('NFKD').replace(/\p{M}/gu, '').split(/[\\/]/).at(-1)!.toLowerCase();
  const extension = /\.([a-z0-9]{1,8})$/.exec(plain)?.[1];
  const stem = plain
    .slice(0, extension ? -(extension.length + 1) : undefined)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return `${stem || 'file'}${extension ? `.${extension}` : ''}`;
}

/**
 * Keeps a file: its bytes under `dataDir`, a row that names them. Gives the row; its `path` is the address under
 * which the site serves the file, unguessable and never used twice.
 *
 * @param executor the caller's transaction; bytes without a row are harmless, a row without bytes cannot come to be
 * @param dataDir the folder of the site's own files
 */
export async function storeFile(executor: Executor, dataDir: string, file: NewFile): Promise<StoredFile> {
  const sha256 = createHash('sha256').update(file.bytes).digest('hex');
  await writeOnce(storedFileLocation(dataDir, sha256), file.bytes);
  const [row] = await executor
    .insert(storedFiles)
    .values({
      path: `/${file.area}/${randomBytes(12).toString('base64url')}/${addressName(file.originalName)}`,
      originalName: file.originalName,
      mimeType: file.mimeType,
      size: file.bytes.byteLength,
      sha256,
    })
    .returning();
  return row!;
}

/** The stored file served under an address, or null. */
export async function findStoredFile(executor: Executor, path: string): Promise<StoredFile | null> {
  const [row] = await executor.select().from(storedFiles).where(eq(storedFiles.path, path)).limit(1);
  return row ?? null;
}

async function writeOnce(location: string, bytes: Uint8Array): Promise<void> {
  const present = await stat(location).catch(() => null);
  if (present?.size === bytes.byteLength) return;
  await mkdir(join(location, '..'), { recursive: true });
  // A reader never sees half a file: it is written beside its place and moved there when it is on disk.
  const draft = `${location}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, location);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

import { createHash, randomBytes } from 'node:crypto';
import { count, eq, sql } from 'drizzle-orm';
import { db, type Executor } from './client.ts';
import { type ByteSource, type FileStore, SET_ASIDE } from './file-store.ts';
import { storedFiles } from './schema/machinery.ts';

export type StoredFile = typeof storedFiles.$inferSelect;

/** `media` is public; `files` and `pictures` only for those who may read the lesson. */
export type FileArea = 'media' | 'files' | 'pictures';

type NewFile = {
  area: FileArea;
  path?: string;
  originalName: string;
  mimeType: string;
} & ({ bytes: Uint8Array } | { file: string; size: number; sha256: string });

/** "../Präsentation (1).PDF" → "prasentation-1.pdf". */
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

/** Unguessable and unique. */
export function newPath(area: FileArea, name: string): string {
  return `/${area}/${randomBytes(12).toString('base64url')}/${name}`;
}

/** The bytes in the store, a row that names them. */
export async function storeFile(executor: Executor, store: FileStore, file: NewFile): Promise<StoredFile> {
  const content =
    'bytes' in file
      ? {
          source: file.bytes as ByteSource,
          size: file.bytes.byteLength,
          sha256: createHash('sha256').update(file.bytes).digest('hex'),
        }
      : { source: { file: file.file }, size: file.size, sha256: file.sha256 };
  const { source, size, sha256 } = content;
  // Before the lock: an object store may be slow, and others wait for the lock.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await store.put(sha256, source, size);
    const row = await executor.transaction(async (tx) => {
      await lockBytes(tx, sha256);
      if ((await store.size(sha256)) !== size) return null;
      const [inserted] = await tx
        .insert(storedFiles)
        .values({
          path: file.path ?? newPath(file.area, addressName(file.originalName)),
          originalName: file.originalName,
          mimeType: file.mimeType,
          size,
          sha256,
        })
        .returning();
      return inserted!;
    });
    if (row) return row;
  }
  throw new Error('The bytes of a file did not stay where they were put.');
}

export async function findStoredFile(executor: Executor, path: string): Promise<StoredFile | null> {
  const [row] = await executor.select().from(storedFiles).where(eq(storedFiles.path, path)).limit(1);
  return row ?? null;
}

export async function removeUnusedBytes(store: FileStore, sha256: string): Promise<void> {
  await db().transaction(async (tx) => {
    await lockBytes(tx, sha256);
    const [rows] = await tx
      .select({ count: count() })
      .from(storedFiles)
      .where(eq(storedFiles.sha256, sha256));
    if (rows!.count === 0 && !(await isSetAside(tx, sha256))) await store.remove(sha256);
  });
}

/** A restore's old schema may be put back. */
async function isSetAside(tx: Executor, sha256: string): Promise<boolean> {
  const kept = await tx.execute<{ table: string }>(sql`
    select format('%I.stored_files', nspname) as table from pg_namespace
    where starts_with(nspname, ${SET_ASIDE}) and to_regclass(format('%I.stored_files', nspname)) is not null`);
  for (const { table } of kept) {
    const rows = await tx.execute(sql`select 1 from ${sql.raw(table)} where sha256 = ${sha256} limit 1`);
    if (rows.length > 0) return true;
  }
  return false;
}

// Two files may have the same bytes: one is deleted while the other is stored.
async function lockBytes(executor: Executor, sha256: string): Promise<void> {
  await executor.execute(sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 727106004))`);
}

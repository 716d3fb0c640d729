import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Read once. */
export const logo: Promise<{ bytes: Uint8Array<ArrayBuffer>; etag: string }> = readFile(
  new URL('./galaxy-logo.png', import.meta.url),
).then((file) => ({
  bytes: new Uint8Array(file),
  etag: `"${createHash('sha256').update(file).digest('base64url').slice(0, 22)}"`,
}));

import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

export type ArchiveFiles = Map<string, Buffer>;

/** The files of a course's archive, by the paths inside the course's folder. */
export async function unzip(bytes: Buffer): Promise<ArchiveFiles> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files: ArchiveFiles = new Map();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files.set(entry.fileName.replace(/^[^/]+\//, ''), Buffer.concat(chunks));
  }
  return files;
}

/** An archive of files. */
export function zipOf(
  files: Iterable<readonly [string, Buffer | string]>,
  options: { mode?: number } = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of files) zip.addBuffer(Buffer.from(content as string), path, options);
  zip.end();
  return collect(zip);
}

/** The bytes of an archive. */
export async function collect(zip: ZipFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

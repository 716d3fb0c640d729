/** A course picture's address has its size, and so its smaller files: rendering needs no query. */

/** Pixels; the last is the maximum. */
const PICTURE_WIDTHS = [480, 960, 1920];
export const PICTURE_MAX_WIDTH = PICTURE_WIDTHS.at(-1)!;

/** By ending; each has the first two. */
export const PICTURE_TYPES = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
} as const;
export type PictureKind = keyof typeof PICTURE_TYPES;

const SHAPE = String.raw`(/pictures/[\w-]+/[a-z0-9-]+-(\d{1,5})x(\d{1,5}))\.(avif|webp|jpg|png)`;
const WHOLE = new RegExp(`^${SHAPE}$`);
const SIZE =
  /^(\/pictures\/[\w-]+\/[a-z0-9-]+-\d{1,5}x\d{1,5})\.(avif|webp|jpg|png)\/\d{1,5}\.(?:avif|webp|jpg|png)$/;

export interface PictureFile {
  path: string;
  width: number;
  kind: PictureKind;
}

export interface PictureFacts {
  width: number;
  height: number;
  /** Narrow to wide; the widest of its kind is the address itself. */
  files: PictureFile[];
}

/** Null for any other address. */
export function pictureFacts(address: string): PictureFacts | null {
  const [, , w, h, ending] = WHOLE.exec(address) ?? [];
  if (!ending) return null;
  const own = ending as PictureKind;
  const [width, height] = [Number(w), Number(h)];
  const widths = [...PICTURE_WIDTHS.filter((size) => size < width), width];
  const kinds = [...new Set<PictureKind>(['avif', 'webp', own])];
  const files = kinds.flatMap((kind) =>
    widths.map((size) => ({
      kind,
      width: size,
      path: kind === own && size === width ? address : `${address}/${size}.${kind}`,
    })),
  );
  return { width, height, files };
}

/** Also of the picture itself; null for any other file. */
export function pictureOf(path: string): string | null {
  if (WHOLE.test(path)) return path;
  const [, stem, ending] = SIZE.exec(path) ?? [];
  return stem ? `${stem}.${ending}` : null;
}

export function picturesIn(text: string): string[] {
  const found = text.matchAll(new RegExp(`${SHAPE}(?![\\w/.-]*\\w)`, 'g'));
  return [...new Set([...found].map(([address]) => address))];
}

/** For lists; foreign addresses stay. */
export function smallPicture(address: string): string {
  return pictureFacts(address)?.files.find(({ kind }) => kind === 'webp')?.path ?? address;
}

/** A caption makes it a figure. */
export function pictureMarkdown({
  path,
  alt,
  caption,
}: {
  path: string;
  alt: string;
  caption: string;
}): string {
  const plain = (text: string) =>
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[\\[\]]/g, String.raw`\$&`);
  const title = caption.replace(/\s+/g, ' ').trim().replace(/[\\"]/g, String.raw`\$&`);
  return `![${plain(alt)}](${path}${title ? ` "${title}"` : ''})`;
}

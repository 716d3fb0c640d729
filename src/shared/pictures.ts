/**
 * The address of a picture of a course says everything that a page needs to show it: how large it is, and by that
 * which smaller sizes lie beside it. So a text can be rendered without asking the database.
 */

/** Pixels of the sizes that are made of a picture, where it is wider; the last is what a picture is brought down to. */
const PICTURE_WIDTHS = [480, 960, 1920];
export const PICTURE_MAX_WIDTH = PICTURE_WIDTHS.at(-1)!;

/** Kinds that a picture is kept in, by the ending of its name; the first two are made of each. */
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

/** One size of a picture. */
export interface PictureFile {
  path: string;
  width: number;
  kind: PictureKind;
}

/** A picture as its address describes it. */
export interface PictureFacts {
  width: number;
  height: number;
  /** All of its files, from narrow to wide; the one of its own kind and full width is the picture's own address. */
  files: PictureFile[];
}

/** What an address of a picture says; null for any other address. */
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

/** The address of the picture that a file is one size of: the same for the picture itself; null for anything else. */
export function pictureOf(path: string): string | null {
  if (WHOLE.test(path)) return path;
  const [, stem, ending] = SIZE.exec(path) ?? [];
  return stem ? `${stem}.${ending}` : null;
}

/** The addresses of all pictures that a text names. */
export function picturesIn(text: string): string[] {
  const found = text.matchAll(new RegExp(`${SHAPE}(?![\\w/.-]*\\w)`, 'g'));
  return [...new Set([...found].map(([address]) => address))];
}

/** A small size of a picture, for lists; the address itself where it is none of ours. */
export function smallPicture(address: string): string {
  return pictureFacts(address)?.files.find(({ kind }) => kind === 'webp')?.path ?? address;
}

/** Markdown that shows a picture; with a caption it becomes a figure. */
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

/** A video of this site as a page plays it. */
export interface StoredVideo {
  poster: string | null;
  files: { src: string; mimeType: string; media: string | null }[];
}

/** A video of this site as a page plays it. */
export interface StoredVideo {
  poster: string | null;
  /** The small one first, for small screens; none while it is being converted and does not play as it is. */
  files: { src: string; mimeType: string; media: string | null }[];
}

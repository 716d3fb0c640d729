/** Bytes of one part of a file that is sent part by part, and hours after which one that has not moved is forgotten. */
export const PART_BYTES = 8 * 1_048_576;
export const UPLOAD_HOURS = 24;

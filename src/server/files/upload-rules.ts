/** How large the bodies of some addresses may be, where the first rule that fits counts. */
export type UploadRule = { paths: RegExp; maxBytes: number };

/** Addresses that take a form with a file, and the bytes of such a form at most. */
export const UPLOAD_RULES: readonly UploadRule[] = [
  { paths: /^\/api\/admin\/(video|course)-uploads(\/|$)/, maxBytes: 16 * 1_048_576 },
  { paths: /^\/api\/(.+\/)?(uploads|files|thumbnails|pictures|portrait)(\/|$)/, maxBytes: 25 * 1_048_576 },
];

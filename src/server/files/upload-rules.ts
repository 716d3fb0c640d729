/** How large the bodies of some addresses may be, where the first rule that fits counts. */
export type UploadRule = { paths: RegExp; maxBytes: number };

/**
 * Addresses that take a form with a file, and the bytes of such a form at most. Everything else takes what the HTTP
 * server lets through without a rule. A proxy in front needs the same limits (`deploy/nginx.conf`).
 */
export const UPLOAD_RULES: readonly UploadRule[] = [
  // A part of a video or of a course's archive.
  { paths: /^\/api\/admin\/(video|course)-uploads(\/|$)/, maxBytes: 16 * 1_048_576 },
  { paths: /^\/api\/(.+\/)?(uploads|files|thumbnails|pictures|portrait)(\/|$)/, maxBytes: 25 * 1_048_576 },
];

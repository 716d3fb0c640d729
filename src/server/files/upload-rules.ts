export type UploadRule = { paths: RegExp; maxBytes: number };

export const UPLOAD_RULES: readonly UploadRule[] = [
  { paths: /^\/api\/admin\/(video|course)-uploads(\/|$)/, maxBytes: 16 * 1_048_576 },
  { paths: /^\/api\/(.+\/)?(uploads|files|thumbnails|pictures|portrait)(\/|$)/, maxBytes: 25 * 1_048_576 },
];

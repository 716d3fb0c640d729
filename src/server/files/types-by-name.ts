const TYPES: Record<string, string> = {
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  md: 'text/markdown',
  mjs: 'text/javascript',
  txt: 'text/plain',
  vtt: 'text/vtt',
  xml: 'text/xml',
  json: 'application/json',
  map: 'application/json',
  pdf: 'application/pdf',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
  zip: 'application/zip',
  otf: 'font/otf',
  ttf: 'font/ttf',
  woff: 'font/woff',
  woff2: 'font/woff2',
  avif: 'image/avif',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  m4v: 'video/x-m4v',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  ogv: 'video/ogg',
  webm: 'video/webm',
};

/**
 * The media type that a file's name says.
 * @param name a name, a path or an address without query
 */
export function typeByName(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
}

/** A video of another site, as a page shows it. */
export interface Embed {
  provider: 'YouTube' | 'Vimeo';
  frame: string;
  page: string;
}

const FRAMES = { YouTube: 'https://www.youtube-nocookie.com', Vimeo: 'https://player.vimeo.com' } as const;

function secondsOf(time: string | null): number {
  const [, h, m, s] = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(time ?? '') ?? [];
  return Number(h ?? 0) * 3600 + Number(m ?? 0) * 60 + Number(s ?? 0);
}

function youTube({ hostname, pathname, searchParams }: URL): Embed | null {
  const [, first, second] = pathname.split('/');
  const isShort = hostname === 'youtu.be';
  const id = isShort
    ? first
    : /^(embed|shorts|live|v)$/.test(first ?? '')
      ? second
      : first === 'watch'
        ? searchParams.get('v')
        : null;
  if (!id || !/^[\w-]{11}$/.test(id)) return null;
  const start = secondsOf(searchParams.get('t') ?? searchParams.get('start'));
  const from = start > 0 ? `&start=${start}` : '';
  return {
    provider: 'YouTube',
    frame: `${FRAMES.YouTube}/embed/${id}?autoplay=1&rel=0${from}`,
    page: `https://www.youtube.com/watch?v=${id}${start > 0 ? `&t=${start}s` : ''}`,
  };
}

function vimeo({ hostname, pathname, searchParams, hash }: URL): Embed | null {
  const parts = pathname.split('/').filter(Boolean);
  const at = parts.findIndex((part) => /^\d{6,12}$/.test(part));
  const id = parts[at];
  if (!id || (hostname === 'player.vimeo.com' && parts[0] !== 'video')) return null;
  // An unlisted video asks for its key.
  const key = searchParams.get('h') ?? parts[at + 1];
  const isKey = key !== undefined && /^[0-9a-f]{6,20}$/.test(key);
  const start = secondsOf(/^#t=(\w+)$/.exec(hash)?.[1] ?? null);
  return {
    provider: 'Vimeo',
    frame: `${FRAMES.Vimeo}/video/${id}?${isKey ? `h=${key}&` : ''}dnt=1&autoplay=1${start > 0 ? `#t=${start}s` : ''}`,
    page: `https://vimeo.com/${id}${isKey ? `/${key}` : ''}`,
  };
}

/** The YouTube or Vimeo video that an address leads to; null for every other address. */
export function embedOf(address: string | null | undefined): Embed | null {
  if (!address || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (/^((www|m|music)\.)?youtube(-nocookie)?\.com$|^youtu\.be$/.test(url.hostname)) return youTube(url);
  return /^((www|player)\.)?vimeo\.com$/.test(url.hostname) ? vimeo(url) : null;
}

/** Adds the https:// that a link to YouTube or Vimeo lacks. */
export function withHttps(typed: string): string {
  const mended = typed.trim().replace(/^(http:\/\/)?(?!\w+:)/i, 'https://');
  return embedOf(mended) ? mended : typed;
}

export function embedPolicy(addresses: readonly (string | null | undefined)[]): `frame-src ${string}` | null {
  const providers = new Set(addresses.flatMap((address) => embedOf(address)?.provider ?? []));
  return providers.size > 0
    ? `frame-src ${[...providers].map((provider) => FRAMES[provider]).join(' ')}`
    : null;
}

/** Whether an address, as far as can be seen from it, is one of a video that plays here. */
export function isPlayable(address: string): boolean {
  // A file of this site was looked at when it came.
  if (address.startsWith('/') || embedOf(address)) return true;
  return URL.canParse(address) && /\.(mp4|m4v|webm)$/i.test(new URL(address).pathname);
}

/** A response header as Node takes it in flat lists. */
export type Header = readonly [name: string, value: string];

const ONE_YEAR_SECONDS = 31_536_000;

/** No page of ours may be shown inside another page. A meta element cannot say this, so it is a header. */
const FRAME_ANCESTORS = "frame-ancestors 'none'";

/**
 * Headers that every answer carries, errors and redirects included.
 *
 * @param siteUrl the public origin; strict transport security is promised only where it is https
 */
export function securityHeaders(siteUrl: string): Header[] {
  const headers: Header[] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    [
      'Permissions-Policy',
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), usb=()',
    ],
    // The card provider's wallets open a window that must be able to answer the page.
    ['Cross-Origin-Opener-Policy', 'same-origin-allow-popups'],
  ];
  if (siteUrl.startsWith('https:')) {
    headers.push(['Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`]);
  }
  return headers;
}

/** The two headers, new and old, that forbid framing; for answers that bring no policy of their own. */
export const NO_FRAMING: readonly Header[] = [
  ['Content-Security-Policy', FRAME_ANCESTORS],
  ['X-Frame-Options', 'DENY'],
];

/** For answers that show nothing but words: refusals, redirects, data. */
export const WORDS_ONLY: readonly Header[] = [
  ['Content-Security-Policy', `default-src 'none'; base-uri 'none'; form-action 'none'; ${FRAME_ANCESTORS}`],
  ['X-Frame-Options', 'DENY'],
];

/**
 * Completes a response's own content security policy. One that already names `frame-ancestors` keeps it: a document
 * shown in our own viewer, for instance.
 */
export function withFrameAncestors(policy: string): readonly Header[] {
  if (/(^|[;,])\s*frame-ancestors\s/i.test(policy)) return [['Content-Security-Policy', policy]];
  return [
    ['Content-Security-Policy', `${policy.replace(/[;\s]+$/, '')}; ${FRAME_ANCESTORS}`],
    ['X-Frame-Options', 'DENY'],
  ];
}

export type Header = readonly [name: string, value: string];

const ONE_YEAR_SECONDS = 31_536_000;

/** A meta element cannot forbid framing. */
const FRAME_ANCESTORS = "frame-ancestors 'none'";

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

export const NO_FRAMING: readonly Header[] = [
  ['Content-Security-Policy', FRAME_ANCESTORS],
  ['X-Frame-Options', 'DENY'],
];

export const WORDS_ONLY: readonly Header[] = [
  ['Content-Security-Policy', `default-src 'none'; base-uri 'none'; form-action 'none'; ${FRAME_ANCESTORS}`],
  ['X-Frame-Options', 'DENY'],
];

export function withFrameAncestors(policy: string): readonly Header[] {
  if (/(^|[;,])\s*frame-ancestors\s/i.test(policy)) return [['Content-Security-Policy', policy]];
  return [
    ['Content-Security-Policy', `${policy.replace(/[;\s]+$/, '')}; ${FRAME_ANCESTORS}`],
    ['X-Frame-Options', 'DENY'],
  ];
}

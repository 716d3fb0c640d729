/** Keeps the applied coupon in the page's address: a reload and a shared link have it too. */
const PARAMETER = 'coupon';

/** Characters of a code that an address may bring along. */
const MOST = 80;

/** The coupon code that an address asks for; null without one. */
export function couponInAddress(address: URL): string | null {
  const code = address.searchParams.get(PARAMETER)?.trim() ?? '';
  return code !== '' && code.length <= MOST ? code : null;
}

/** `path` with a coupon, or as it is without one. */
export function withCouponInPath(path: string, code: string | null | undefined): string {
  return code ? `${path}?${PARAMETER}=${encodeURIComponent(code)}` : path;
}

/** Writes the coupon into the address of this page, or takes it out, without leaving an entry in the history. */
export function keepCouponInAddress(code: string | null): void {
  const address = new URL(location.href);
  if (code) address.searchParams.set(PARAMETER, code);
  else address.searchParams.delete(PARAMETER);
  if (address.href !== location.href) history.replaceState(history.state, '', address);
}

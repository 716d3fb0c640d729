const PARAMETER = 'coupon';

const MOST = 80;

export function couponInAddress(address: URL): string | null {
  const code = address.searchParams.get(PARAMETER)?.trim() ?? '';
  return code !== '' && code.length <= MOST ? code : null;
}

export function withCouponInPath(path: string, code: string | null | undefined): string {
  return code ? `${path}?${PARAMETER}=${encodeURIComponent(code)}` : path;
}

export function keepCouponInAddress(code: string | null): void {
  const address = new URL(location.href);
  if (code) address.searchParams.set(PARAMETER, code);
  else address.searchParams.delete(PARAMETER);
  if (address.href !== location.href) history.replaceState(history.state, '', address);
}

/** A file's size as spec 9 shows it: bytes divided by 1024, rounded. */
export function sizeInKb(bytes: number): string {
  return `${Math.round(bytes / 1024).toLocaleString('en-US')} KB`;
}

/** A path of this site or https (fault U2). */
export function isSafeAddress(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers strip them before they read the scheme
  if (/[\u0000-\u0020\u007f\\]/.test(value) || !value.isWellFormed()) return false;
  if (/^\/(?![/])/.test(value)) return true;
  if (!/^https:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname } = new URL(value);
  return (
    !username && !password && hostname.includes('.') && !/^[\d.]+$/.test(hostname) && !hostname.endsWith('.')
  );
}

export const shownAddress = (address: string | null): string | null =>
  address && isSafeAddress(address) ? address : null;

/** The name of the file at an address, as people read it. */
export function fileName(address: string): string {
  const name = address.split('/').at(-1)!.split('?')[0]!;
  try {
    return decodeURIComponent(name);
  } catch {
    // A file may be called "100%.pdf" without any escape.
    return name;
  }
}

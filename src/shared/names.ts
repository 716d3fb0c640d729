import { line } from './fields.ts';

/** Code points. */
const MAILED_MAX = 160;

// One script joins letters by these; other invisible characters only deceive.
const JOINERS = /[\u200c\u200d]/g;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;
const ADDRESSES = [
  /@/,
  // Start of an address, or a shared folder.
  /\/\/|\\\\|[a-z][a-z0-9+.-]*:\S/i,
  /(^|[^\p{L}\p{N}])www\./iu,
  // Words joined by a dot like a host, in any script.
  /[\p{L}\p{N}]\.[\p{L}\p{M}]{2}/u,
  // IP address.
  /\d\.\d+\.\d+\.\d/,
];

/** Mail programs link what looks like an address, so such a name would send strangers there. */
export function isPlainName(value: string): boolean {
  // Wide and ideographic dots and slashes resolve alike.
  const read = value.replace(JOINERS, '').normalize('NFKC').replace(/[。｡]/g, '.');
  return (
    [...value].length <= MAILED_MAX &&
    !UNSEEN.test(read) &&
    !UNSEEN.test(value.replace(JOINERS, '')) &&
    !ADDRESSES.some((address) => address.test(read))
  );
}

/** @param label in messages */
export const nameLine = (label: string, limits: { min?: number; max: number }) =>
  line(label, limits).refine(
    isPlainName,
    `${label} must not hold a web or mail address, or characters that are not seen. Leave a space after a dot`,
  );

/** Older rows may have other names. */
export function mailedName(value: string | null | undefined, otherwise: string): string {
  const name = value?.trim() ?? '';
  return name !== '' && isPlainName(name) ? name : otherwise;
}

/**
 * Names only at proven mailboxes: anybody can type in both.
 * @param isProven they read mails at the address
 */
export function greeting(name: string | null | undefined, isProven: boolean): string {
  const known = isProven ? mailedName(name, '') : '';
  return known ? `Hello ${known},` : 'Hello,';
}

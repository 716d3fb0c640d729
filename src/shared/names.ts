import { line } from './fields.ts';

/** Code points of a name in a mail at most: nobody is called a paragraph. */
const MAILED_MAX = 160;

// Letters of one script may be joined by these two invisible ones; every other invisible character only deceives.
const JOINERS = /[\u200c\u200d]/g;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;
const ADDRESSES = [
  // A mail address.
  /@/,
  // The beginning of an address, with or without its scheme, or of a shared folder.
  /\/\/|\\\\|[a-z][a-z0-9+.-]*:\S/i,
  /(^|[^\p{L}\p{N}])www\./iu,
  // A host, in any script: words that a dot joins, of which the last could be a top-level domain.
  /[\p{L}\p{N}]\.[\p{L}\p{M}]{2}/u,
  // The address of a machine.
  /\d\.\d+\.\d+\.\d/,
];

/**
 * Whether a text can stand as a name in a mail. Mail programs make links of what looks like an address, so whoever types
 * one as a name would send strangers there in our mails: none may be in it, nor characters that are not seen.
 */
export function isPlainName(value: string): boolean {
  // Wide and ideographic forms of dots, slashes and signs lead to the same place.
  const read = value.replace(JOINERS, '').normalize('NFKC').replace(/[。｡]/g, '.');
  return (
    [...value].length <= MAILED_MAX &&
    !UNSEEN.test(read) &&
    !UNSEEN.test(value.replace(JOINERS, '')) &&
    !ADDRESSES.some((address) => address.test(read))
  );
}

/**
 * A name that may reach a mail.
 *
 * @param label how the messages name the field
 */
export const nameLine = (label: string, limits: { min?: number; max: number }) =>
  line(label, limits).refine(
    isPlainName,
    `${label} must not hold a web or mail address, or characters that are not seen. Leave a space after a dot`,
  );

/** A name as a mail says it: one that is no plain name, as older rows may have, gives way to other words. */
export function mailedName(value: string | null | undefined, otherwise: string): string {
  const name = value?.trim() ?? '';
  return name !== '' && isPlainName(name) ? name : otherwise;
}

/**
 * How a mail begins. Only an address whose mailbox is proven is called by a name: anybody can have typed in both.
 *
 * @param isProven whether whoever has the name has shown to read mails at the address
 */
export function greeting(name: string | null | undefined, isProven: boolean): string {
  const known = isProven ? mailedName(name, '') : '';
  return known ? `Hello ${known},` : 'Hello,';
}

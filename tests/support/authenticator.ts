import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { SITE } from './api.ts';

type Options = {
  origin?: string;
  rpId?: string;
  /** Whether the device asked who holds it. */
  verified?: boolean;
};

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (data: Uint8Array) => isoBase64URL.fromBuffer(new Uint8Array(data));

/** A security key in memory: makes one ES256 passkey and signs with it, honestly unless told otherwise. */
export class TestAuthenticator {
  readonly id = randomBytes(24);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  userHandle: string | undefined;
  counter = 0;

  #authData({ rpId = new URL(SITE).hostname, verified = true }: Options, attested?: Buffer): Buffer {
    const flags = Buffer.from([0x01 | (verified ? 0x04 : 0) | (attested ? 0x40 : 0)]);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), flags, count, attested ?? Buffer.alloc(0)]);
  }

  #clientData(type: string, challenge: string, { origin = SITE }: Options): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** Answers what `POST /api/account/passkeys/options` asked. */
  create(asked: { challenge: string; user: { id: string } }, options: Options = {}) {
    this.userHandle = asked.user.id;
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, isoBase64URL.toBuffer(x!)],
        [-3, isoBase64URL.toBuffer(y!)],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(this.#authData(options, attested))],
      ]) as never,
    );
    return {
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key',
      response: {
        clientDataJSON: text(this.#clientData('webauthn.create', asked.challenge, options)),
        attestationObject: text(attestationObject),
        transports: ['usb'],
      },
      clientExtensionResults: {},
    };
  }

  /** Answers what a sign-in or a proof asked; each use counts one. */
  get(asked: { challenge: string }, options: Options = {}) {
    this.counter += 1;
    const authData = this.#authData(options);
    const clientData = this.#clientData('webauthn.get', asked.challenge, options);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey);
    return {
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key',
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(signature),
        userHandle: this.userHandle,
      },
      clientExtensionResults: {},
    };
  }
}

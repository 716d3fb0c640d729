import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';

/** Cancelled, timed out, or none there. */
const NO_PASSKEY = 'No passkey was used. Try again, or choose another way.';

export class PasskeyFailure extends Error {}

export const knowsPasskeys = (): boolean => browserSupportsWebAuthn();

export async function askPasskey(optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON']) {
  try {
    return await startAuthentication({ optionsJSON });
  } catch (error) {
    throw new PasskeyFailure(NO_PASSKEY, { cause: error });
  }
}

export async function makePasskey(optionsJSON: Parameters<typeof startRegistration>[0]['optionsJSON']) {
  try {
    return await startRegistration({ optionsJSON });
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    const message = isKnown ? 'This device has a passkey for your account already.' : 'No passkey was made.';
    throw new PasskeyFailure(message, { cause: error });
  }
}

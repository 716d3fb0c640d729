import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';

/** Said where a browser asked for a passkey and got none: cancelled, timed out, or none there. */
const NO_PASSKEY = 'No passkey was used. Try again, or choose another way.';

/** The person's browser gave no passkey; the message is for them. */
export class PasskeyFailure extends Error {}

/** Whether this browser knows passkeys at all. */
export const knowsPasskeys = (): boolean => browserSupportsWebAuthn();

/** Has the browser sign what the server asked. */
export async function askPasskey(optionsJSON: Parameters<typeof startAuthentication>[0]['optionsJSON']) {
  try {
    return await startAuthentication({ optionsJSON });
  } catch (error) {
    throw new PasskeyFailure(NO_PASSKEY, { cause: error });
  }
}

/** Has the browser make a passkey. */
export async function makePasskey(optionsJSON: Parameters<typeof startRegistration>[0]['optionsJSON']) {
  try {
    return await startRegistration({ optionsJSON });
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    const message = isKnown ? 'This device has a passkey for your account already.' : 'No passkey was made.';
    throw new PasskeyFailure(message, { cause: error });
  }
}

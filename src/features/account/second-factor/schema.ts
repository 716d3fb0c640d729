import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { idInPath, line, password } from '#src/shared/fields.ts';
import { publicUser, signedIn } from '../schema.ts';

export const PASSKEYS_MAX = 20;
/** The same for every wrong factor. */
export const WRONG_FACTOR = 'This is not right. Please try again.';

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(max);
const WRONG_PASSKEY = { error: WRONG_FACTOR };

/** WebAuthn's AuthenticationResponseJSON. */
const passkeyAnswer = z.object(
  {
    id: base64url(1500),
    rawId: base64url(1500),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64url(10_000),
      authenticatorData: base64url(10_000),
      signature: base64url(10_000),
      userHandle: base64url(200).optional(),
    }),
    // Extensions are neither asked for nor stored.
    clientExtensionResults: z.unknown().transform(() => ({})),
  },
  WRONG_PASSKEY,
) satisfies z.ZodType<AuthenticationResponseJSON>;
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** WebAuthn's RegistrationResponseJSON. */
const madePasskey = z.object(
  {
    id: base64url(1500),
    rawId: base64url(1500),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64url(10_000),
      attestationObject: base64url(100_000),
      transports: z.array(z.string().max(30)).max(20).optional(),
    }),
    clientExtensionResults: z.unknown().transform(() => ({})),
  },
  { error: 'The passkey was not added. Please try again.' },
) satisfies z.ZodType<RegistrationResponseJSON>;

const WRONG_CODE_FORM = 'A code has 6 digits';

/** Apps show it in groups. */
const code = z
  .string({ error: WRONG_CODE_FORM })
  .max(20, WRONG_CODE_FORM)
  .transform((value) => value.replace(/[\s\p{Cf}]/gu, ''))
  .pipe(z.string().regex(/^\d{6}$/, WRONG_CODE_FORM));
const recoveryCode = line('Recovery code', { max: 60 });

const factorAnswer = z.object({
  code: code.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: passkeyAnswer.optional(),
});
export type FactorAnswer = z.output<typeof factorAnswer>;

function oneOf<T extends z.ZodObject>(schema: T) {
  return schema.refine(
    (value) => Object.values(value).filter((part) => part !== undefined).length === 1,
    'Give one proof',
  );
}

export const codeForm = z.object({ code });
export const recoveryCodeForm = z.object({ recoveryCode });
export const passwordForm = z.object({ password: password('Enter your password') });

const opaque = <T>() => z.custom<T>((value) => typeof value === 'object' && value !== null);
const told = z.object({ message: z.string() });

/** In the login's refusal `second_factor_required`; a cookie binds it to the browser. */
export const secondFactorRequired = z.object({
  methods: z.array(z.enum(['passkey', 'code', 'recovery_code'])),
  passkeyOptions: opaque<PublicKeyCredentialRequestOptionsJSON>().nullable(),
});
export type SecondFactorRequired = z.output<typeof secondFactorRequired>;

export const completeLogin = contract({
  method: 'POST',
  path: '/api/auth/second-factor',
  input: oneOf(factorAnswer),
  output: signedIn,
});

export type SecondStep = z.input<NonNullable<typeof completeLogin.input>>;

export const passkeyLoginOptions = contract({
  method: 'POST',
  path: '/api/auth/passkey/options',
  output: opaque<PublicKeyCredentialRequestOptionsJSON>(),
});

export const passkeyLogin = contract({
  method: 'POST',
  path: '/api/auth/passkey',
  input: z.object({ passkey: passkeyAnswer }),
  output: signedIn,
});

export const proofOptions = contract({
  method: 'POST',
  path: '/api/account/proof/options',
  output: opaque<PublicKeyCredentialRequestOptionsJSON>().nullable(),
});

export const giveProof = contract({
  method: 'POST',
  path: '/api/account/proof',
  input: oneOf(factorAnswer.extend({ password: password('Enter your password').optional() })),
  output: told,
});

const factorAdded = z.object({
  message: z.string(),
  recoveryCodes: z.array(z.string()).nullable(),
  user: publicUser,
});

export const newPasskeyOptions = contract({
  method: 'POST',
  path: '/api/account/passkeys/options',
  output: opaque<PublicKeyCredentialCreationOptionsJSON>(),
});

export const newPasskey = contract({
  method: 'POST',
  path: '/api/account/passkeys',
  input: z.object({ name: line('Name', { max: 60 }), passkey: madePasskey }),
  output: factorAdded,
});
export type NewPasskey = z.output<NonNullable<typeof newPasskey.input>>;

export const endPasskey = contract({
  method: 'DELETE',
  path: '/api/account/passkeys/{id}',
  params: z.object({ id: idInPath('Passkey') }),
  output: told,
});

export const newAuthenticator = contract({
  method: 'POST',
  path: '/api/account/authenticator',
  output: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
});

export const confirmAuthenticator = contract({
  method: 'PUT',
  path: '/api/account/authenticator',
  input: codeForm,
  output: factorAdded,
});

export const endAuthenticator = contract({
  method: 'DELETE',
  path: '/api/account/authenticator',
  output: told,
});

export const newRecoveryCodes = contract({
  method: 'POST',
  path: '/api/account/recovery-codes',
  output: z.object({ recoveryCodes: z.array(z.string()) }),
});

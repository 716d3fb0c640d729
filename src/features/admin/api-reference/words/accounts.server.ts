import { PAYING, type Words } from './words.server.ts';

export const accounts: Words = {
  'POST /api/account/email': {
    says: 'Change your email address. A link is mailed to the new address, and the old one stays in force until that is opened.',
    limit: 'change-email',
    refuses: { proof_required: 'Please confirm that it is you.' },
  },
  'PUT /api/account/name': {
    says: 'Change your display name. It stands on certificates and reviews and need not be unique.',
    limit: 'change-name',
  },
  'PUT /api/account/password': {
    says: 'Change your password. Every other sign-in of the account ends.',
    refuses: {
      invalid_input: 'This is not your current password',
      unavailable: 'The service is busy. Please try again in a moment.',
    },
  },
  'DELETE /api/account': {
    says: 'Delete your own account for good. Needs a fresh proof by `POST /api/account/proof`.',
    refuses: {
      ...PAYING,
      conflict: 'A payment of this person is under way. Try again when it has ended, in a few minutes.',
      proof_required: 'Please confirm that it is you.',
    },
  },
  'DELETE /api/account/sessions': {
    says: 'End all your sign-ins but this one.',
  },
  'DELETE /api/account/sessions/{id}': {
    says: 'End one of your sign-ins.',
    refuses: { not_found: 'This sign-in has ended already.' },
  },
  'GET /api/account/export': {
    says: 'Get everything that the site holds about you. The answer is a file with one member per kind of data.',
    limit: 'export-own-data',
  },
  'POST /api/forgot-password': {
    says: 'Have a link mailed that sets a new password. The answer is the same whether or not the address has an account.',
    open: true,
    limit: 'forgot-password',
  },
  'POST /api/auth/login': {
    says: 'Sign in with email and password. Where the account has a second factor the refusal `second_factor_required` names the ways, and `POST /api/auth/second-factor` goes on.',
    open: true,
    limit: 'login',
    refuses: {
      second_factor_required: 'Confirm the sign-in with your second factor.',
      unauthenticated: 'Invalid email or password.',
      unavailable: 'The service is busy. Please try again in a moment.',
    },
  },
  'POST /api/auth/logout': {
    says: 'Sign out. The token and the cookie end to work; the answer has no body.',
    open: true,
  },
  'GET /api/auth/me': {
    says: 'Look who is signed in.',
  },
  'POST /api/auth/register': {
    says: 'Make an account and sign in to it. A link to confirm the address is mailed; who asks for the role `admin` is a student until that is approved.',
    open: true,
    limit: 'register-new',
    refuses: {
      conflict: 'An account with this email already exists. Sign in, or reset your password.',
      unavailable: 'The service is busy. Please try again in a moment.',
    },
    input: {
      username: 'Ada Byron',
      email: 'ada@example.com',
      password: 'correct horse battery',
      confirmPassword: 'correct horse battery',
    },
  },
  'POST /api/auth/resend-verification': {
    says: 'Have the link that confirms your address mailed again.',
    limit: 'resend-verification',
    refuses: { conflict: 'Your email address is verified already.' },
  },
  'POST /api/reset-password': {
    says: 'Set a new password with the secret of a mailed link.',
    open: true,
    limit: 'reset-password',
    refuses: {
      bad_request: 'Failed to reset password. The link may be expired.',
      unavailable: 'The service is busy. Please try again in a moment.',
    },
  },
  'POST /api/auth/restore': {
    says: 'Get the token of the sign-in that your cookie proves, or its cookie again.',
    limit: 'restore-sign-in',
    refuses: { unauthenticated: 'Your session has ended. Please sign in again.' },
  },
  'POST /api/auth/second-factor': {
    says: 'Take the second step of a sign-in. Exactly one of the three proofs is given, and the cookie of the first step must come along.',
    open: true,
    limit: 'second-factor',
    refuses: { unauthenticated: 'This sign-in has run out. Please start again.' },
    input: { code: '123456' },
  },
  'PUT /api/account/authenticator': {
    says: 'Confirm a new authenticator app with a code of it. The first second factor of an account comes with recovery codes.',
    limit: 'one-time-codes',
    input: { code: '123456' },
  },
  'DELETE /api/account/authenticator': {
    says: 'Remove the authenticator app. Needs a fresh proof by `POST /api/account/proof`.',
    refuses: {
      conflict: 'Administrators keep a second factor here. Add another one first.',
      not_found: 'There is no authenticator app.',
      proof_required: 'Please confirm that it is you.',
    },
  },
  'DELETE /api/account/passkeys/{id}': {
    says: 'Remove a passkey. Needs a fresh proof by `POST /api/account/proof`.',
    refuses: {
      conflict: 'Administrators keep a second factor here. Add another one first.',
      not_found: 'There is no such account.',
      proof_required: 'Please confirm that it is you.',
    },
  },
  'POST /api/account/proof': {
    says: 'Prove again that it is you. Exactly one proof is given; calls that answer `proof_required` work for some minutes after it.',
    limit: 'one-time-codes',
    refuses: { unavailable: 'The service is busy. Please try again in a moment.' },
    input: { password: 'correct horse battery' },
  },
  'POST /api/account/authenticator': {
    says: 'Begin with an authenticator app. It counts once a code of it is confirmed.',
    refuses: {
      conflict: 'There is an authenticator app already. Remove it first.',
      proof_required: 'Please confirm that it is you.',
    },
  },
  'POST /api/account/passkeys': {
    says: 'Add the passkey that a browser has made. Its challenge comes from `POST /api/account/passkeys/options`.',
    refuses: {
      bad_request: 'The passkey was not added. Please try again.',
      conflict: 'This passkey is in use already.',
    },
  },
  'POST /api/account/passkeys/options': {
    says: "Get what a browser needs to make a passkey. The answer is WebAuthn's `PublicKeyCredentialCreationOptionsJSON`.",
    refuses: {
      conflict: 'An account has at most {20} passkeys. Remove one first.',
      proof_required: 'Please confirm that it is you.',
    },
  },
  'POST /api/account/recovery-codes': {
    says: 'Get new recovery codes. The old ones end to work.',
    refuses: {
      conflict: 'Recovery codes come with a passkey or an authenticator app.',
      proof_required: 'Please confirm that it is you.',
    },
  },
  'POST /api/auth/passkey': {
    says: 'Sign in with a passkey, without a password.',
    open: true,
    limit: 'second-factor',
    refuses: { unauthenticated: 'This sign-in has run out. Please start again.' },
  },
  'POST /api/auth/passkey/options': {
    says: "Get what a browser needs to sign in with a passkey. The answer is WebAuthn's `PublicKeyCredentialRequestOptionsJSON`.",
    open: true,
    limit: 'passkey-options',
  },
  'POST /api/account/proof/options': {
    says: 'Get what a passkey is to sign as a proof. Null where the account has no passkey.',
    limit: 'proof-options',
  },
};

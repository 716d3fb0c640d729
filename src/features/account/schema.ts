import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { email, idInPath, mailbox, password, text } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';

/** Characters of a user's name at most; it is a display name and not unique (decision 11). */
export const USERNAME_MAX = 80;

/** Spec 8: said whether or not the address has an account. */
export const FORGOT_PASSWORD_ANSWER =
  "If an account exists with this email, you'll receive a password reset link.";
/** Spec 8, for every reason why a reset link does not work. */
export const RESET_FAILED = 'Failed to reset password. The link may be expired.';
/** Spec 8, for every reason why a sign-in fails. */
export const SIGN_IN_FAILED = 'Invalid email or password.';
/** Said to whoever asks for administrator access at registration (decision 10). */
export const ADMIN_REQUEST_NOTICE =
  'Your account is a student account for now. An administrator will review your request for administrator access.';
export const PASSWORDS_DIFFER = "Passwords don't match";
export const VERIFICATION_FAILED = 'This verification link is invalid or has expired.';
export const VERIFICATION_NEEDS_SIGN_IN =
  'Please sign in to the account that this link is for, then open it again.';
export const EMAIL_CHANGE_FAILED = 'This link is invalid or has expired.';

/** What a person learns about their own account; the part `auth_user` keeps is for display only (decision 9). */
export const publicUser = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  role: z.enum(['student', 'admin']),
  emailVerified: z.boolean(),
});
export type PublicUser = z.output<typeof publicUser>;

export const signedIn = z.object({ token: z.string(), user: publicUser });

/** The role a person asks for at registration, in any case; `admin` opens a request and grants nothing (decision 10). */
const wantedRole = z
  .string({ error: 'Choose student or admin' })
  .transform((value) => value.toLowerCase())
  .pipe(z.enum(['student', 'admin'], { error: 'Choose student or admin' }))
  .default('student');

/** Marks a repetition that differs; both fields may have other faults and still be compared. */
function sameAs<T extends z.ZodObject>(schema: T, original: string, repetition: string) {
  return schema.refine((value) => value[original] === value[repetition], {
    path: [repetition],
    message: PASSWORDS_DIFFER,
    when: ({ value }) =>
      typeof value === 'object' &&
      value !== null &&
      typeof (value as Record<string, unknown>)[original] === 'string' &&
      typeof (value as Record<string, unknown>)[repetition] === 'string',
  });
}

export const login = contract({
  method: 'POST',
  path: '/api/auth/login',
  input: z.object({ email: email(), password: password() }),
  output: signedIn,
});

export const register = contract({
  method: 'POST',
  path: '/api/auth/register',
  input: sameAs(
    z.object({
      username: nameLine('Full name', { max: USERNAME_MAX }),
      email: mailbox(),
      password: password(),
      confirmPassword: z.string({ error: PASSWORDS_DIFFER }),
      role: wantedRole,
      /** The secret of a mailed invitation: it proves the address that it was mailed to, and no other. */
      invitation: z
        .string({ error: 'invitation must be text' })
        .regex(/^[\w-]{20,100}$/, 'invitation must be the secret of an invitation')
        .optional(),
    }),
    'password',
    'confirmPassword',
  ),
  output: signedIn.extend({
    /** `open` where the person asked for administrator access: the account is a student's until it is approved. */
    adminRequest: z.enum(['open']).nullable(),
    message: z.string(),
  }),
});

export const logout = contract({ method: 'POST', path: '/api/auth/logout', output: z.undefined() });

export const me = contract({ method: 'GET', path: '/api/auth/me', output: z.object({ user: publicUser }) });

/** Gives a browser that kept one half of its sign-in the other half again: the token, the cookie, or both at hand. */
export const restoreSignIn = contract({
  method: 'POST',
  path: '/api/auth/restore',
  output: signedIn,
});

export const resendVerification = contract({
  method: 'POST',
  path: '/api/auth/resend-verification',
  output: z.object({ message: z.string() }),
});

export const forgotPassword = contract({
  method: 'POST',
  path: '/api/forgot-password',
  input: z.object({ email: email() }),
  output: z.object({ message: z.string() }),
});

export const resetPassword = contract({
  method: 'POST',
  path: '/api/reset-password',
  input: z.object({
    token: z.string({ error: RESET_FAILED }).regex(/^[\w-]{20,100}$/, RESET_FAILED),
    newPassword: password(),
  }),
  output: z.object({ message: z.string() }),
});

/** What the reset page's form checks before it calls (spec 5). */
export const resetPasswordForm = sameAs(
  z.object({ newPassword: password(), confirmPassword: z.string() }),
  'newPassword',
  'confirmPassword',
);

const adminRequest = z.object({
  id: z.number(),
  userId: z.number(),
  username: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  createdAt: z.string(),
});

/** Open requests for administrator access, oldest first. */
export const listAdminRequests = contract({
  method: 'GET',
  path: '/api/admin/users/admin-requests',
  output: z.array(adminRequest),
});

const reason = text('Reason', { min: 0, max: 500 }).default('');

/** Approves or declines a user's open request (decision 10). */
export const decideAdminRequest = contract({
  method: 'POST',
  path: '/api/admin/users/{id}/admin-request',
  params: z.object({ id: idInPath('User') }),
  input: z.object({
    decision: z.enum(['approve', 'decline'], { error: 'Choose approve or decline' }),
    reason,
  }),
  output: z.object({ user: publicUser }),
});

/** Gives or takes administrator access. */
export const changeRole = contract({
  method: 'PUT',
  path: '/api/admin/users/{id}/role',
  params: z.object({ id: idInPath('User') }),
  input: z.object({ role: z.enum(['student', 'admin'], { error: 'Choose student or admin' }), reason }),
  output: z.object({ user: publicUser }),
});

/** `PUT /api/account/name`: changes one's own display name. */
export const changeName = contract({
  method: 'PUT',
  path: '/api/account/name',
  input: z.object({ username: nameLine('Full name', { max: USERNAME_MAX }) }),
  output: z.object({ user: publicUser }),
});

export const WRONG_CURRENT_PASSWORD = 'This is not your current password';

/** `PUT /api/account/password`: every other sign-in of the account ends (fault A8). */
export const changePassword = contract({
  method: 'PUT',
  path: '/api/account/password',
  input: z.object({
    currentPassword: password('Enter your current password'),
    newPassword: password(),
  }),
  output: z.object({ message: z.string() }),
});

/** What the form of the account page checks before it calls. */
export const changePasswordForm = sameAs(
  z.object({
    currentPassword: password('Enter your current password'),
    newPassword: password(),
    confirmPassword: z.string(),
  }),
  'newPassword',
  'confirmPassword',
);

/** `POST /api/account/email`: mails a link to a new address; the old one stays until that is opened. */
export const changeEmail = contract({
  method: 'POST',
  path: '/api/account/email',
  input: z.object({ email: mailbox() }),
  output: z.object({ message: z.string() }),
});

/** `DELETE /api/account`: deletes one's own account for good. */
export const deleteAccount = contract({
  method: 'DELETE',
  path: '/api/account',
  output: z.object({ message: z.string() }),
});

/** A sign-in by its public name, which opens nothing. */
const signInParams = z.object({ id: z.string().regex(/^[\w-]{20,100}$/) });
const told = z.object({ message: z.string() });

/** `DELETE /api/account/sessions/{id}`: ends one of one's own sign-ins. */
export const endOwnSession = contract({
  method: 'DELETE',
  path: '/api/account/sessions/{id}',
  params: signInParams,
  output: told,
});

/** `DELETE /api/account/sessions`: ends all of them but the one that asks. */
export const endOtherSessions = contract({ method: 'DELETE', path: '/api/account/sessions', output: told });

/** `GET /api/account/export`: everything the site holds about the person who asks, as a file. */
export const exportOwnData = contract({
  method: 'GET',
  path: '/api/account/export',
  output: z.record(z.string(), z.unknown()),
});

/** `DELETE /api/admin/users/{id}/sessions/{signIn}`: ends one of a person's sign-ins, audited. */
export const endUserSession = contract({
  method: 'DELETE',
  path: '/api/admin/users/{id}/sessions/{signIn}',
  params: z.object({ id: idInPath('User'), signIn: signInParams.shape.id }),
  output: told,
});

/** `DELETE /api/admin/users/{id}/sessions`: ends all of them, audited. */
export const endUserSessions = contract({
  method: 'DELETE',
  path: '/api/admin/users/{id}/sessions',
  params: z.object({ id: idInPath('User') }),
  output: told,
});

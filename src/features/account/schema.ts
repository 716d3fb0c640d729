import { z } from 'zod';
import { contract } from '#src/shared/contract.ts';
import { email, idInPath, mailbox, password, text } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';

/** A display name, not unique (decision 11). */
export const USERNAME_MAX = 80;

/** Spec 8. */
export const FORGOT_PASSWORD_ANSWER =
  "If an account exists with this email, you'll receive a password reset link.";
/** Spec 8, for every dead link. */
export const RESET_FAILED = 'Failed to reset password. The link may be expired.';
/** Spec 8, for every failure. */
export const SIGN_IN_FAILED = 'Invalid email or password.';
/** Decision 10. */
export const ADMIN_REQUEST_NOTICE =
  'Your account is a student account for now. An administrator will review your request for administrator access.';
export const PASSWORDS_DIFFER = "Passwords don't match";
export const VERIFICATION_FAILED = 'This verification link is invalid or has expired.';
export const VERIFICATION_NEEDS_SIGN_IN =
  'Please sign in to the account that this link is for, then open it again.';
export const EMAIL_CHANGE_FAILED = 'This link is invalid or has expired.';

/** The stored `auth_user` is for display only (decision 9). */
export const publicUser = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  role: z.enum(['student', 'admin']),
  emailVerified: z.boolean(),
});
export type PublicUser = z.output<typeof publicUser>;

export const signedIn = z.object({ token: z.string(), user: publicUser });

/** In any case; `admin` only opens a request (decision 10). */
const wantedRole = z
  .string({ error: 'Choose student or admin' })
  .transform((value) => value.toLowerCase())
  .pipe(z.enum(['student', 'admin'], { error: 'Choose student or admin' }))
  .default('student');

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
      /** Proves only the address that it was mailed to. */
      invitation: z
        .string({ error: 'invitation must be text' })
        .regex(/^[\w-]{20,100}$/, 'invitation must be the secret of an invitation')
        .optional(),
    }),
    'password',
    'confirmPassword',
  ),
  output: signedIn.extend({
    adminRequest: z.enum(['open']).nullable(),
    message: z.string(),
  }),
});

export const logout = contract({ method: 'POST', path: '/api/auth/logout', output: z.undefined() });

export const me = contract({ method: 'GET', path: '/api/auth/me', output: z.object({ user: publicUser }) });

/** Restores the missing token or cookie. */
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

/** Spec 5. */
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

export const listAdminRequests = contract({
  method: 'GET',
  path: '/api/admin/users/admin-requests',
  output: z.array(adminRequest),
});

const reason = text('Reason', { min: 0, max: 500 }).default('');

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

export const changeRole = contract({
  method: 'PUT',
  path: '/api/admin/users/{id}/role',
  params: z.object({ id: idInPath('User') }),
  input: z.object({ role: z.enum(['student', 'admin'], { error: 'Choose student or admin' }), reason }),
  output: z.object({ user: publicUser }),
});

export const changeName = contract({
  method: 'PUT',
  path: '/api/account/name',
  input: z.object({ username: nameLine('Full name', { max: USERNAME_MAX }) }),
  output: z.object({ user: publicUser }),
});

export const WRONG_CURRENT_PASSWORD = 'This is not your current password';

/** Every other sign-in ends (fault A8). */
export const changePassword = contract({
  method: 'PUT',
  path: '/api/account/password',
  input: z.object({
    currentPassword: password('Enter your current password'),
    newPassword: password(),
  }),
  output: z.object({ message: z.string() }),
});

export const changePasswordForm = sameAs(
  z.object({
    currentPassword: password('Enter your current password'),
    newPassword: password(),
    confirmPassword: z.string(),
  }),
  'newPassword',
  'confirmPassword',
);

export const changeEmail = contract({
  method: 'POST',
  path: '/api/account/email',
  input: z.object({ email: mailbox() }),
  output: z.object({ message: z.string() }),
});

export const deleteAccount = contract({
  method: 'DELETE',
  path: '/api/account',
  output: z.object({ message: z.string() }),
});

const signInParams = z.object({ id: z.string().regex(/^[\w-]{20,100}$/) });
const told = z.object({ message: z.string() });

export const endOwnSession = contract({
  method: 'DELETE',
  path: '/api/account/sessions/{id}',
  params: signInParams,
  output: told,
});

export const endOtherSessions = contract({ method: 'DELETE', path: '/api/account/sessions', output: told });

export const exportOwnData = contract({
  method: 'GET',
  path: '/api/account/export',
  output: z.record(z.string(), z.unknown()),
});

export const endUserSession = contract({
  method: 'DELETE',
  path: '/api/admin/users/{id}/sessions/{signIn}',
  params: z.object({ id: idInPath('User'), signIn: signInParams.shape.id }),
  output: told,
});

export const endUserSessions = contract({
  method: 'DELETE',
  path: '/api/admin/users/{id}/sessions',
  params: z.object({ id: idInPath('User') }),
  output: told,
});

import { Badge } from '#src/components/Badge.tsx';
import { changeRole } from '#src/features/account/schema.ts';
import { shownDate } from '#src/shared/dates.ts';
import { call } from '#src/shared/api.ts';
import { writeAuth } from '#src/features/account/auth.store.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import type { ListedUser } from '#src/features/admin/shell/admin.ts';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';

const setRole = (id: number, role: 'student' | 'admin', done: string) => async (reason: string) => {
  const { user } = await call(changeRole, { params: { id }, input: { role, reason } });
  const own = readAuth();
  // One's own menu follows a change of role.
  if (own?.user?.id === user.id) writeAuth(own.token, user);
  return done;
};

/** Decision 10. */
export function UserList({ users, ownId }: { users: ListedUser[]; ownId: number }) {
  return (
    <ul aria-label="Accounts" className="divide-y divide-line card">
      {users.map((user) => (
        <li
          key={user.id}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 px-5 py-4 sm:px-6 lg:grid-cols-[minmax(0,1fr)_7.5rem_7.5rem_9rem_9.5rem] lg:py-3"
        >
          <div className="min-w-0">
            <h3 className="font-semibold break-words">
              <a href={`/admin/users/${user.id}`} className="text-link">
                {user.username}
              </a>
              {user.id === ownId && <span className="font-normal text-ink-soft"> (you)</span>}
            </h3>
            <p className="text-sm break-words text-ink-soft">{user.email}</p>
          </div>
          <p className="flex flex-wrap gap-2 max-lg:row-start-2 lg:contents">
            <Badge tone={user.role === 'admin' ? 'accent' : 'neutral'}>
              {user.role === 'admin' ? 'Administrator' : 'Student'}
            </Badge>
            <Badge tone={user.emailVerified ? 'success' : 'warning'}>
              {user.emailVerified ? 'Verified' : 'Not verified'}
            </Badge>
          </p>
          <p className="text-sm text-ink-soft tabular-nums max-lg:row-start-2 max-lg:text-right">
            <span className="sr-only">Joined </span>
            {shownDate(user.joinedAt)}
          </p>
          <div className="justify-self-end empty:hidden">
            {user.role === 'admin' && (
              <DecisionDialog
                label="Make student"
                accessibleLabel={`Make student: ${user.username}`}
                title={`Take administrator access from ${user.username}?`}
                description={
                  user.id === ownId
                    ? 'This is your own account: you leave the administration at once, and another administrator has to let you back in.'
                    : 'The account becomes a student account at once. Its courses stay.'
                }
                reasonHint="Kept in the list of changes."
                confirmLabel="Make student"
                confirmVariant="danger"
                decide={setRole(user.id, 'student', `${user.username} is now a student`)}
              />
            )}
            {user.role === 'student' && user.emailVerified && (
              <DecisionDialog
                label="Make admin"
                accessibleLabel={`Make admin: ${user.username}`}
                title={`Make ${user.username} an administrator?`}
                description="Administrators see every order and message, change courses, and decide who else is an administrator."
                reasonHint="Kept in the list of changes."
                confirmLabel="Make administrator"
                decide={setRole(user.id, 'admin', `${user.username} is now an administrator`)}
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

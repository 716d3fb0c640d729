import { Badge } from '#src/components/Badge.tsx';
import { decideAdminRequest } from '#src/features/account/schema.ts';
import { shownDate } from '#src/shared/dates.ts';
import { call } from '#src/shared/api.ts';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';

interface OpenRequest {
  userId: number;
  username: string;
  email: string;
  emailVerified: boolean;
  createdAt: string;
}

const decide = (userId: number, decision: 'approve' | 'decline', done: string) => async (reason: string) => {
  await call(decideAdminRequest, { params: { id: userId }, input: { decision, reason } });
  return done;
};

/** Decisions 10 and 13. */
export function AdminRequests({ requests }: { requests: OpenRequest[] }) {
  return (
    <ul aria-label="Open requests" className="divide-y divide-line card">
      {requests.map(({ userId, username, email, emailVerified, createdAt }) => (
        <li
          key={userId}
          className="flex flex-col gap-x-6 gap-y-3 px-5 py-4 sm:flex-row sm:items-center sm:justify-between sm:px-6"
        >
          <div className="min-w-0">
            <h3 className="font-semibold break-words">{username}</h3>
            <p className="text-sm break-words text-ink-soft">
              {email} · asked on {shownDate(createdAt)}
            </p>
            {!emailVerified && (
              <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-ink-soft">
                <Badge tone="warning">Email not verified</Badge>
                Can be approved once the address is verified.
              </p>
            )}
          </div>
          <div className="flex shrink-0 gap-2">
            {emailVerified && (
              <DecisionDialog
                label="Approve"
                accessibleLabel={`Approve ${username}`}
                variant="primary"
                title={`Make ${username} an administrator?`}
                description="Administrators see every order and message, change courses, and decide who else is an administrator."
                reasonHint="Mailed to the person and kept in the list of changes."
                confirmLabel="Approve"
                decide={decide(userId, 'approve', `${username} is now an administrator`)}
              />
            )}
            <DecisionDialog
              label="Decline"
              accessibleLabel={`Decline ${username}`}
              title={`Decline the request of ${username}?`}
              description="The account stays a student account. The person is told by mail."
              reasonHint="Mailed to the person and kept in the list of changes."
              confirmLabel="Decline"
              decide={decide(userId, 'decline', `The request of ${username} was declined`)}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

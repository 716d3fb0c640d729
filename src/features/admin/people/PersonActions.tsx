import { LogOut, Ticket, Trash2, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { toldApart } from '#src/features/catalogue/catalogue.ts';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { changeRole, endUserSession, endUserSessions } from '#src/features/account/schema.ts';
import { resendClaimLinkCall } from '#src/features/store/guests/schema.ts';
import { call } from '#src/shared/api.ts';
import { normaliseEmail } from '#src/shared/fields.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import { deleteUserCall, enrollUserCall, unenrollUserCall } from './schema.ts';

interface Person {
  id: number;
  username: string;
  email: string;
}

export function EnrollPerson({
  person,
  courses,
}: {
  person: Person;
  courses: { id: number; title: string }[];
}) {
  const [courseId, setCourseId] = useState('');
  const [error, setError] = useState('');
  return (
    <DecisionDialog
      label={
        <>
          <UserPlus aria-hidden="true" /> Enroll
        </>
      }
      accessibleLabel={`Enroll ${person.username} in a course`}
      title={`Enroll ${person.username}`}
      description="Access without a purchase. Progress from earlier comes back."
      reasonHint="Kept in the audit log."
      reasonRequired
      confirmLabel="Enroll"
      check={() => {
        if (!courseId) setError('Choose a course');
        return courseId !== '';
      }}
      decide={async (reason) => {
        const input = { courseId: Number(courseId), reason };
        return (await call(enrollUserCall, { params: { id: person.id }, input })).message;
      }}
    >
      <Field label="Course" error={error} required>
        <Select
          value={courseId}
          placeholder="Choose a course"
          options={toldApart(courses).map(({ id, title }) => ({ value: String(id), label: title }))}
          onValueChange={(value) => {
            setCourseId(value);
            setError('');
          }}
        />
      </Field>
    </DecisionDialog>
  );
}

export function UnenrollPerson({
  person,
  course,
}: {
  person: Person;
  course: { courseId: number; title: string };
}) {
  return (
    <DecisionDialog
      label="Unenroll"
      accessibleLabel={`Unenroll ${person.username} from ${course.title}`}
      title={`Unenroll ${person.username}?`}
      description={`Access to “${course.title}” ends at once. The progress is kept in case it is given again.`}
      reasonHint="Kept in the audit log."
      reasonRequired
      confirmLabel="Unenroll"
      confirmVariant="danger"
      decide={async (reason) => {
        const input = { courseId: course.courseId, reason };
        return (await call(unenrollUserCall, { params: { id: person.id }, input })).message;
      }}
    />
  );
}

export function EndSignIn({ userId, signInId, label }: { userId: number; signInId: string; label: string }) {
  return (
    <ActionButton
      icon={<LogOut aria-hidden="true" />}
      accessibleLabel={`Sign out ${label}`}
      act={async () => (await call(endUserSession, { params: { id: userId, signIn: signInId } })).message}
    >
      Sign out
    </ActionButton>
  );
}

/** One's own page keeps its own sign-in. */
export function EndSignIns({ userId, isSelf }: { userId: number; isSelf: boolean }) {
  return (
    <ActionButton
      icon={<LogOut aria-hidden="true" />}
      act={async () => (await call(endUserSessions, { params: { id: userId } })).message}
    >
      {isSelf ? 'Sign out all other devices' : 'Sign out everywhere'}
    </ActionButton>
  );
}

export function ResendClaimLink({ orderId }: { orderId: number }) {
  return (
    <ActionButton
      icon={<Ticket aria-hidden="true" />}
      accessibleLabel={`Resend claim link of order ${orderId}`}
      act={async () => (await call(resendClaimLinkCall, { params: { id: orderId } })).message}
    >
      Resend claim link
    </ActionButton>
  );
}

/** Decision 10. */
export function PersonRole({
  person,
  role,
  isSelf,
}: {
  person: Person;
  role: 'student' | 'admin';
  isSelf: boolean;
}) {
  const isAdmin = role === 'admin';
  return (
    <DecisionDialog
      block
      label={isAdmin ? 'Make student' : 'Make administrator'}
      accessibleLabel={
        isAdmin ? `Make student: ${person.username}` : `Make administrator: ${person.username}`
      }
      title={
        isAdmin
          ? `Take administrator access from ${person.username}?`
          : `Make ${person.username} an administrator?`
      }
      description={
        isAdmin
          ? isSelf
            ? 'This is your own account: you leave the administration at once, and another administrator has to let you back in.'
            : 'The account becomes a student account at once. Its courses stay.'
          : 'Administrators see every order and message, change courses, and decide who else is an administrator.'
      }
      reasonHint="Kept in the list of changes."
      confirmLabel={isAdmin ? 'Make student' : 'Make administrator'}
      confirmVariant={isAdmin ? 'danger' : 'primary'}
      decide={async (reason) => {
        const input = { role: isAdmin ? ('student' as const) : ('admin' as const), reason };
        await call(changeRole, { params: { id: person.id }, input });
        return isAdmin ? `${person.username} is now a student` : `${person.username} is now an administrator`;
      }}
    />
  );
}

/** Asks for their email as confirmation. */
export function DeletePerson({ person }: { person: Person }) {
  const [confirmation, setConfirmation] = useState('');
  const [error, setError] = useState('');
  return (
    <DecisionDialog
      block
      label={
        <>
          <Trash2 aria-hidden="true" /> Delete
        </>
      }
      accessibleLabel={`Delete ${person.username}`}
      title={`Delete ${person.username}?`}
      description="The account, progress, certificates, submissions, messages and mails are deleted for good. Orders and their amounts stay for the books, without name and address."
      reasonHint="Kept in the audit log. Do not name the person here."
      reasonRequired
      confirmLabel="Delete for good"
      confirmVariant="danger"
      check={() => {
        const isTyped = normaliseEmail(confirmation) === person.email;
        if (!isTyped) setError('This is not the email address of the account');
        return isTyped;
      }}
      decide={async (reason) => {
        const input = { confirmation, reason };
        const { message } = await call(deleteUserCall, { params: { id: person.id }, input });
        history.replaceState(null, '', '/admin/users');
        return message;
      }}
    >
      <Field label="Their email" hint={`Type ${person.email} to confirm.`} error={error} required>
        <Input
          name="confirmation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={confirmation}
          onChange={(event) => {
            setConfirmation(event.target.value);
            setError('');
          }}
        />
      </Field>
    </DecisionDialog>
  );
}

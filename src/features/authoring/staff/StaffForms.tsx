import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Form } from '#src/components/Form.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import type { StaffRole } from '#src/features/account/staff.ts';
import { call } from '#src/shared/api.ts';
import { putStaffCall } from './schema.ts';

const ROLE_OPTIONS = [
  { value: 'author', label: 'Author' },
  { value: 'grader', label: 'Grader' },
];

async function put(id: number, input: { email: string; role: StaffRole | 'instructor' | 'none' }) {
  const { message } = await call(putStaffCall, { params: { id }, input });
  toastOnNextPage({ title: message });
  location.reload();
}

const usePutStaff = (courseId: number) =>
  useForm(putStaffCall.input!, (input) => put(courseId, input), 'Nothing was changed. Please try again.');

export function Instructor({
  courseId,
  instructor,
  instructors,
}: {
  courseId: number;
  instructor: string | null;
  instructors: { email: string; username: string }[];
}) {
  const form = usePutStaff(courseId);
  return (
    <Form form={form} className="flex flex-wrap items-end gap-4">
      <input type="hidden" name="role" value="instructor" />
      <Field
        label="Instructor"
        hint="Whom buyers see: an administrator or an author of this course."
        error={form.errors.email}
        className="min-w-48 flex-1"
      >
        <Select
          name="email"
          {...(instructor && { defaultValue: instructor })}
          options={instructors.map(({ email, username }) => ({ value: email, label: username }))}
        />
      </Field>
      <Button type="submit" variant="secondary" loading={form.sending}>
        Save instructor
      </Button>
    </Form>
  );
}

export function AddStaff({ courseId }: { courseId: number }) {
  const form = usePutStaff(courseId);
  return (
    <Form form={form} className="grid items-end gap-4 sm:grid-cols-2">
      <Field label="Their email" error={form.errors.email} required>
        <Input name="email" type="email" inputMode="email" autoComplete="off" />
      </Field>
      <Field label="Role" error={form.errors.role}>
        <Select name="role" options={ROLE_OPTIONS} defaultValue="author" />
      </Field>
      <div className="sm:col-span-2">
        <Button type="submit" loading={form.sending}>
          Add to the staff
        </Button>
      </div>
    </Form>
  );
}

interface ActionsProps extends Record<'name' | 'email', string> {
  courseId: number;
  /** To which role. */
  invited: StaffRole | undefined;
}

export function StaffActions({ courseId, name, email, invited }: ActionsProps) {
  const resend = usePutStaff(courseId);
  const remove = async () => {
    try {
      await put(courseId, { email, role: 'none' });
    } catch (error) {
      toastFailure(error, 'Nobody was removed. Please try again.');
    }
  };
  const verb = invited ? 'Withdraw' : 'Remove';
  const button = { variant: 'secondary', size: 'sm', className: 'max-sm:min-h-11' } as const;
  return (
    <Form form={resend} className="flex gap-3">
      {invited && (
        <>
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="role" value={invited} />
          <Button {...button} type="submit" loading={resend.sending} aria-label={`Resend to ${email}`}>
            Resend
          </Button>
        </>
      )}
      <AlertDialog
        title={invited ? `Withdraw the invitation of ${name}?` : `Remove ${name} from the staff?`}
        description={
          invited
            ? 'The link in their mail does not work any more then.'
            : 'The course and its learners are out of their reach at once. What they wrote and graded stays. They are told by mail.'
        }
        confirmLabel={verb}
        destructive
        onConfirm={remove}
        trigger={
          <Button {...button} aria-label={`${verb} ${name}`}>
            {verb}
          </Button>
        }
      />
    </Form>
  );
}

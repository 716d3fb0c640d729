import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { writeAuth } from '#src/features/account/auth.store.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { changeName, USERNAME_MAX } from './schema.ts';
import { Form } from '#src/components/Form.tsx';
import { useForm } from '#src/components/use-form.ts';

export function NameForm({ username }: { username: string }) {
  const form = useForm(
    changeName.input!,
    async (input) => {
      const { user } = await call(changeName, { input });
      const auth = readAuth();
      if (auth) writeAuth(auth.token, user);
      toast({ title: 'Your name has been changed' });
    },
    (message) =>
      toast({ title: 'Error', description: message || 'Your name was not changed.', variant: 'destructive' }),
  );
  return (
    <Form form={form} className="flex flex-col items-start gap-4">
      <div className="w-full">
        <Field
          label="Full name"
          hint="Certificates and receipts that you have already keep the old name."
          error={form.errors.username}
          required
        >
          <Input name="username" defaultValue={username} autoComplete="name" maxLength={USERNAME_MAX} />
        </Field>
      </div>
      <Button type="submit" variant="secondary" loading={form.sending}>
        Save name
      </Button>
    </Form>
  );
}

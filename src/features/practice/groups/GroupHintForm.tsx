import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Form } from '#src/components/Form.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import { call } from '#src/shared/api.ts';
import { GROUP_HINT_MAX, groupHintInput, writeGroupHintCall } from './schema.ts';

export function GroupHintForm({ groupId, place, hint }: { groupId: number; place: number; hint: string }) {
  const [saved, setSaved] = useState(hint);
  const form = useForm(
    groupHintInput,
    async (input) => {
      const answer = await call(writeGroupHintCall, {
        params: { id: groupId },
        input: { ...input, before: saved },
      });
      setSaved(answer.hint);
      toast({
        title: answer.hint ? 'Hint saved' : 'Hint taken away',
        description: answer.hint
          ? 'The next learner who is here is offered it after the second failure.'
          : 'Nobody is offered it any more.',
      });
    },
    'The hint could not be saved. Please try again.',
  );
  return (
    <Form form={form} className="grid gap-3">
      <Field
        label={`Hint for mistake ${place}`}
        hint="One sentence that leads on and does not give the answer away. Markdown. Empty takes it away."
        error={form.errors.hint}
      >
        <Textarea name="hint" rows={3} maxLength={GROUP_HINT_MAX} defaultValue={hint} />
      </Field>
      <div>
        <Button type="submit" size="sm" className="max-sm:min-h-11" loading={form.sending}>
          Save hint {place}
        </Button>
      </div>
    </Form>
  );
}

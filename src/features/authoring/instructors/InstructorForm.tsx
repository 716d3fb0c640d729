import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Form } from '#src/components/Form.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast } from '#src/components/toast.store.ts';
import { useForm } from '#src/components/use-form.ts';
import { UploadButton } from '#src/features/authoring/lesson-editor/UploadButton.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import {
  INSTRUCTOR_WORDS_MAX,
  type InstructorModel,
  PORTRAIT_MAX_BYTES,
  removePortraitCall,
  saveInstructorCall,
  uploadPortraitCall,
} from './schema.ts';

export function InstructorForm({
  userId,
  name,
  instructor,
}: {
  userId: number;
  name: string;
  instructor: InstructorModel;
}) {
  const params = { id: userId };
  const [portrait, setPortrait] = useState(instructor.portrait);
  const [error, setError] = useState('');
  const [removing, setRemoving] = useState(false);
  const form = useForm(
    saveInstructorCall.input!,
    async (input) => {
      await call(saveInstructorCall, { params, input });
      toast({ title: 'The words have been saved' });
    },
    'The words were not saved.',
  );

  async function remove(): Promise<void> {
    setError('');
    setRemoving(true);
    try {
      setPortrait((await call(removePortraitCall, { params })).portrait);
      toast({ title: 'The portrait has been removed' });
    } catch (failure) {
      setError(messageOf(failure, 'The portrait was not removed.'));
    } finally {
      setRemoving(false);
    }
  }

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-4">
        <span className="grid size-20 shrink-0 place-items-center overflow-hidden rounded-full border border-line bg-sunken text-ink-soft">
          {portrait ? (
            <img src={portrait} alt={`Portrait of ${name}`} className="size-full object-cover" />
          ) : (
            <UserRound aria-hidden="true" className="size-8" />
          )}
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <UploadButton
            contract={uploadPortraitCall}
            params={params}
            label={portrait ? 'Change portrait' : 'Upload a portrait'}
            accept="image/png,image/jpeg,image/webp,image/avif"
            maxBytes={PORTRAIT_MAX_BYTES}
            onDone={(answer) => {
              setPortrait(answer.portrait);
              toast({ title: 'The portrait has been saved' });
            }}
            onError={setError}
          />
          {portrait && (
            <Button variant="ghost" size="sm" className="min-h-11" loading={removing} onClick={remove}>
              Remove portrait
            </Button>
          )}
          <p role="alert" className="w-full text-sm text-danger empty:hidden">
            {error}
          </p>
        </div>
      </div>
      <Form form={form} className="flex flex-col items-start gap-4">
        <div className="w-full">
          <Field
            label="Words"
            optional
            hint="Two or three sentences: what you do, and what you have taught. Everybody can read them."
            error={form.errors.words}
          >
            <Textarea
              name="words"
              rows={5}
              maxLength={INSTRUCTOR_WORDS_MAX}
              defaultValue={instructor.words}
            />
          </Field>
        </div>
        <Button type="submit" variant="secondary" loading={form.sending}>
          Save words
        </Button>
      </Form>
    </>
  );
}

import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { clearAuth } from '#src/features/account/auth.store.ts';
import { readAuth } from '#src/shared/auth-storage.ts';
import { writeWaiting } from '#src/shared/offline/waiting-answers.ts';
import { deleteAccount } from './schema.ts';
import { sentenceOf } from './second-factor/FactorForm.tsx';
import { type Methods, useProof } from './second-factor/use-proof.tsx';

export function DeleteAccount({ methods, courses }: { methods: Methods; courses: number }) {
  const [open, setOpen] = useState(false);
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState('');
  const { proven, dialog } = useProof(methods);

  const erase = async () => {
    setWorking(true);
    setRefusal('');
    try {
      const answer = await proven(() => call(deleteAccount, {}));
      if (answer) {
        writeWaiting(readAuth()?.user?.id ?? 0, []);
        await clearAuth(true);
        toastOnNextPage({ title: answer.message });
        location.replace('/login');
        return;
      }
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
    setWorking(false);
  };

  return (
    <>
      <Dialog
        size="md"
        title="Delete your account?"
        description="This cannot be undone."
        open={open}
        onOpenChange={(next) => {
          if (!working) setOpen(next);
        }}
        trigger={<Button variant="secondary">Delete my account</Button>}
        footer={
          <>
            <Button variant="secondary" onClick={() => !working && setOpen(false)}>
              Keep my account
            </Button>
            <Button variant="danger" loading={working} onClick={() => void erase()}>
              Delete for good
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          {refusal && (
            <Alert tone="danger" live>
              {refusal}
            </Alert>
          )}
          <div>
            <h3 className="font-semibold">What is deleted</h3>
            <p className="mt-1 text-ink-soft">
              Your name, address and ways to sign in, your progress, notes, submissions, certificates, reviews
              and messages.
              {courses > 0 &&
                ` You lose access to ${courses === 1 ? 'your course' : `your ${courses} courses`}; nothing is paid back.`}
            </p>
          </div>
          <div>
            <h3 className="font-semibold">What stays, and why</h3>
            <p className="mt-1 text-ink-soft">
              Orders with their amounts, dates and invoice numbers, because the law asks us to keep our books.
              Your name and address are taken out of them. Backups hold everything until they are replaced.
            </p>
          </div>
        </div>
      </Dialog>
      {dialog}
    </>
  );
}

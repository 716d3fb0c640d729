import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { Send, Trash2 } from 'lucide-react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { call } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { deleteNewsCall, sendNewsCall } from './schema.ts';

async function act(work: () => Promise<{ title: string; description: string }>): Promise<void> {
  try {
    toastOnNextPage(await work());
    location.reload();
    // The dialog stays busy until the page is left.
    await new Promise(() => {});
  } catch (error) {
    toastFailure(error, 'That did not work. Please try again.');
  }
}

/** Sends a draft, or deletes news, each after a question. */
export function NewsActions({
  news,
  readers,
}: {
  news: { id: number; title: string; version: number; isSent: boolean };
  readers: { learners: number; mails: number };
}) {
  const { id, title, version, isSent } = news;
  return (
    <>
      {!isSent && (
        <AlertDialog
          title={`Send “${title}”?`}
          description={`${counted(readers.learners, 'learner')} will read it on the course’s page, ${readers.mails.toLocaleString('en-US')} of them by mail too. Sent news cannot be changed.`}
          confirmLabel="Send it"
          onConfirm={() =>
            act(async () => {
              const { mails } = await call(sendNewsCall, { params: { id }, input: { version } });
              return {
                title: 'News sent',
                description: `${counted(mails, 'mail is', 'mails are')} on the way.`,
              };
            })
          }
          trigger={
            <Button size="sm" className="max-sm:min-h-11" aria-label={`Send ${title}`}>
              <Send aria-hidden="true" /> Send
            </Button>
          }
        />
      )}
      <AlertDialog
        title={`Delete “${title}”?`}
        description={
          isSent
            ? 'The course’s page will not show it any more. Mails that went out cannot be called back.'
            : 'The draft will be gone for good.'
        }
        confirmLabel="Delete"
        destructive
        onConfirm={() =>
          act(async () => {
            await call(deleteNewsCall, { params: { id } });
            return { title: 'News deleted', description: `“${title}” is gone.` };
          })
        }
        trigger={
          <Button
            variant="ghost"
            size="sm"
            className="text-danger! max-sm:min-h-11"
            aria-label={`Delete ${title}`}
          >
            <Trash2 aria-hidden="true" /> Delete
          </Button>
        }
      />
    </>
  );
}

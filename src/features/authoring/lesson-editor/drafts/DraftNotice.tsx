import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import type { Keeping } from './use-draft.ts';

const timeOf = (moment: string) =>
  new Date(moment).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** Offers a draft, and says where drafts are impossible. */
export function DraftNotice({
  what,
  found,
  keeping,
  isOlder = false,
  onRestore,
  onDiscard,
  onTakeOver,
}: {
  what: 'lesson' | 'course';
  found: { keptAt: string } | null;
  keeping: Keeping;
  isOlder?: boolean;
  onRestore: () => void;
  onDiscard: () => void;
  onTakeOver: () => void;
}) {
  if (found) {
    return (
      <Alert tone={isOlder ? 'warning' : 'info'} title="There are changes of yours that were not saved" live>
        <p>
          Kept on this device on {timeOf(found.keptAt)}.{' '}
          {isOlder &&
            'The lesson was saved since then, by you or by somebody else: when you save what you had, you will be told what differs before anything is lost. '}
          What you type now is kept as soon as you have chosen.
        </p>
        <div className="mt-3 flex flex-wrap gap-2.5">
          <Button size="sm" variant="secondary" onClick={onRestore}>
            Restore what I had
          </Button>
          <AlertDialog
            title="Discard these changes?"
            description={`They are removed from this device.${what === 'lesson' ? ' The lesson stays as it was last saved.' : ''}`}
            confirmLabel="Discard changes"
            cancelLabel="Keep them"
            destructive
            onConfirm={onDiscard}
            trigger={
              <Button size="sm" variant="secondary">
                Discard
              </Button>
            }
          />
        </div>
      </Alert>
    );
  }
  if (keeping === 'impossible') {
    return (
      <Alert tone="warning" title="This browser keeps no drafts" live>
        <p>
          What you type is safe when you have {what === 'lesson' ? 'saved the lesson' : 'created the course'},
          and not before.
        </p>
      </Alert>
    );
  }
  if (keeping === 'elsewhere' || keeping === 'ended') {
    return (
      <Alert
        tone="warning"
        title={
          keeping === 'ended'
            ? `This ${what} was saved or discarded in another tab`
            : `This ${what} is being changed in another tab`
        }
        live
      >
        <p>
          What you change here is not kept as a draft any more, so that neither tab writes over the other.
        </p>
        <div className="mt-3 flex flex-wrap gap-2.5">
          <Button size="sm" variant="secondary" onClick={() => location.reload()}>
            Show the other one
          </Button>
          <Button size="sm" variant="secondary" onClick={onTakeOver}>
            Go on with this one
          </Button>
        </div>
      </Alert>
    );
  }
  return null;
}

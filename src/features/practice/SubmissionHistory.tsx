import { useCallback, useEffect, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Skeleton } from '#src/components/Skeleton.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { timerText, verdictText } from './practice.ts';
import { getSubmissionCall, listSubmissionsCall, type SubmissionSummary } from './schema.ts';

interface Props {
  lessonId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRestore: (code: string, attempt: number) => void;
}

export function SubmissionHistory({ lessonId, open, onOpenChange, onRestore }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Your submissions"
      description="Your latest runs of this lesson. Restoring one replaces what is in the editor."
    >
      <Runs lessonId={lessonId} onRestore={onRestore} />
    </Dialog>
  );
}

type State = { runs: SubmissionSummary[] } | { error: string } | null;

/** Mounted with the dialog, so that each opening shows the newest list. */
function Runs({ lessonId, onRestore }: Pick<Props, 'lessonId' | 'onRestore'>) {
  const [state, setState] = useState<State>(null);
  const [restoring, setRestoring] = useState<number | null>(null);

  const load = useCallback(async () => {
    setState(null);
    try {
      setState({ runs: await call(listSubmissionsCall, { params: { id: lessonId } }) });
    } catch (error) {
      setState({ error: messageOf(error, 'Your submissions could not be loaded.') });
    }
  }, [lessonId]);
  useEffect(() => void load(), [load]);

  async function restore(run: SubmissionSummary) {
    setRestoring(run.id);
    try {
      const { submittedCode } = await call(getSubmissionCall, { params: { id: run.id } });
      onRestore(submittedCode, run.attempts);
    } catch (error) {
      toast({
        title: 'Not restored',
        description: messageOf(error, 'This submission could not be loaded. Please try again.'),
        variant: 'destructive',
      });
    } finally {
      setRestoring(null);
    }
  }

  if (state === null) {
    return (
      <div className="flex flex-col gap-2" role="status" aria-label="Loading your submissions">
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </div>
    );
  }
  if ('error' in state) return <ErrorState title={state.error} onRetry={() => void load()} />;
  if (state.runs.length === 0) {
    return <p className="text-ink-soft">You have not run this lesson yet. Every run is kept here.</p>;
  }
  return (
    <ul className="divide-y divide-line">
      {state.runs.map((run) => (
        <li key={run.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-2 font-semibold">
              Attempt {run.attempts}
              <Badge tone={run.isCorrect ? 'success' : 'neutral'}>{verdictText(run.verdict).short}</Badge>
            </p>
            <p className="text-sm text-ink-soft">
              <time dateTime={run.submittedAt}>
                {new Date(run.submittedAt).toLocaleString('en-US', {
                  dateStyle: 'medium',
                  timeStyle: 'short',
                })}
              </time>
              {` · after ${timerText(run.timeSpent)}`}
            </p>
          </div>
          <Button
            size="sm"
            variant="secondary"
            loading={restoring === run.id}
            onClick={() => void restore(run)}
            aria-label={`Restore attempt ${run.attempts}`}
          >
            Restore
          </Button>
        </li>
      ))}
    </ul>
  );
}

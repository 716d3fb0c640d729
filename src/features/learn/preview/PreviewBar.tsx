import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { leavePreviewCall, type PreviewState, startPreviewCall } from './schema.ts';

export function PreviewBar({
  courseId,
  title,
  state,
}: {
  courseId: number;
  title: string;
  /** Null for a course with one state. */
  state: PreviewState | null;
}) {
  const [working, setWorking] = useState<'reset' | 'other' | 'leave' | null>(null);
  const other = state === 'changes' ? 'live' : 'changes';
  const go = async (what: 'reset' | 'other' | 'leave') => {
    setWorking(what);
    try {
      const params = { id: courseId };
      const { href } = await (what === 'leave'
        ? call(leavePreviewCall, { params })
        : call(startPreviewCall, {
            params,
            input:
              what === 'reset' ? { reset: true, ...(state === null ? {} : { state }) } : { state: other },
          }));
      location.assign(href);
    } catch (error) {
      setWorking(null);
      toast({
        title: 'Error',
        description: messageOf(error, 'That did not work. Please try again.'),
        variant: 'destructive',
      });
    }
  };
  return (
    <section
      aria-label="Preview"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line bg-accent-soft px-gutter py-2"
    >
      <p className="min-w-0 text-sm break-words">
        You see “{title}” as a learner
        {state === 'changes' && ', with the changes that are not published'}
        {state === 'live' && ', as learners have it now'}.{' '}
        <span className="font-semibold">Nothing of it counts.</span>
      </p>
      <p className="flex flex-wrap gap-1">
        {state !== null && (
          <Button
            variant="ghost"
            size="sm"
            loading={working === 'other'}
            disabled={working !== null && working !== 'other'}
            onClick={() => void go('other')}
          >
            {state === 'changes' ? 'See it as it is now' : 'See the changes'}
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          loading={working === 'reset'}
          disabled={working !== null && working !== 'reset'}
          onClick={() => void go('reset')}
        >
          Begin anew
        </Button>
        <Button
          variant="secondary"
          size="sm"
          loading={working === 'leave'}
          disabled={working !== null && working !== 'leave'}
          onClick={() => void go('leave')}
        >
          Leave preview
        </Button>
      </p>
    </section>
  );
}

import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { leavePreviewCall, startPreviewCall } from './schema.ts';

/** Says on every page of learning that an administrator sees it as a learner, and leads out of it. */
export function PreviewBar({ courseId, title }: { courseId: number; title: string }) {
  const [working, setWorking] = useState<'reset' | 'leave' | null>(null);
  const go = async (what: 'reset' | 'leave') => {
    setWorking(what);
    try {
      const params = { id: courseId };
      const { href } = await (what === 'reset'
        ? call(startPreviewCall, { params, input: { reset: true } })
        : call(leavePreviewCall, { params }));
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
        You see “{title}” as a learner. <span className="font-semibold">Nothing of it counts.</span>
      </p>
      <p className="flex gap-1">
        <Button
          variant="ghost"
          size="sm"
          loading={working === 'reset'}
          disabled={working === 'leave'}
          onClick={() => void go('reset')}
        >
          Begin anew
        </Button>
        <Button
          variant="secondary"
          size="sm"
          loading={working === 'leave'}
          disabled={working === 'reset'}
          onClick={() => void go('leave')}
        >
          Leave preview
        </Button>
      </p>
    </section>
  );
}

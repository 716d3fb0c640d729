import { useCallback, useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Skeleton } from '#src/components/Skeleton.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { ScrollBox } from '../ScrollBox.tsx';
import { type Comparison, compareCall } from './schema.ts';

interface Props {
  lessonId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CompareDialog({ lessonId, open, onOpenChange }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title="Compare"
      description="Your last program that passed, beside other ways to do it."
    >
      <Loaded lessonId={lessonId} />
    </Dialog>
  );
}

/** Mounted with the dialog, so that each opening shows the newest. */
function Loaded({ lessonId }: Pick<Props, 'lessonId'>) {
  const [state, setState] = useState<Comparison | { error: string } | null>(null);
  const load = useCallback(async () => {
    setState(null);
    try {
      setState(await call(compareCall, { params: { id: lessonId } }));
    } catch (error) {
      setState({ error: messageOf(error, 'There is nothing to compare with just now.') });
    }
  }, [lessonId]);
  useEffect(() => void load(), [load]);

  if (state === null) {
    return (
      <div role="status" aria-label="Loading what to compare with">
        <Skeleton className="h-14" />
      </div>
    );
  }
  if ('error' in state) return <ErrorState title={state.error} onRetry={() => void load()} />;
  return <SideBySide {...state} />;
}

function waysOf({ own, solution, others }: Comparison) {
  const ways = (others?.groups ?? []).map(({ code, learners }, index) => ({
    name: `Another way ${index + 1}`,
    told: `${counted(learners, 'learner')} wrote it like this. Names and values may differ, and comments are left out.`,
    code,
    notes: '',
  }));
  return solution
    ? [
        {
          name: 'Solution',
          told: `By the author of this lesson${own.trim() === solution.code.trim() ? ', and the same as yours' : ''}.`,
          ...solution,
        },
        ...ways,
      ]
    : ways;
}

function SideBySide(comparison: Comparison) {
  const { own, others } = comparison;
  const ways = waysOf(comparison);
  const [at, setAt] = useState(0);
  const shown = ways[at];
  return (
    <div className="grid gap-4">
      {others && (
        <p className="text-sm text-ink-soft">
          {others.alike > 0 && `${counted(others.alike, 'other learner')} wrote it as you did. `}
          {others.groups.length === 0
            ? 'Nobody has been seen to write it in another way yet.'
            : 'The ways that differ most from yours come first.'}
        </p>
      )}
      {ways.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
        <div role="group" aria-label="Compare with" className="flex flex-wrap gap-2">
          {ways.map(({ name }, index) => (
            <Button
              key={name}
              size="sm"
              variant={index === at ? 'primary' : 'secondary'}
              className="max-sm:min-h-11"
              aria-pressed={index === at}
              onClick={() => setAt(index)}
            >
              {name}
            </Button>
          ))}
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-2">
        <Program name="Your program" code={own} />
        {shown ? (
          <div className="grid min-w-0 gap-4">
            <Program name={shown.name} code={shown.code} />
            {/* Not the program: a whole one said at once is nothing to follow. */}
            <p aria-live="polite" className="text-sm text-ink-soft">
              {shown.told}
            </p>
            {shown.notes && (
              <section aria-labelledby="compare-notes">
                <h4 id="compare-notes" className="font-semibold">
                  What to notice
                </h4>
                <div
                  className="prose text-[0.9375rem]"
                  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server
                  dangerouslySetInnerHTML={{ __html: shown.notes }}
                />
              </section>
            )}
          </div>
        ) : (
          !others && <p className="text-ink-soft">There is nothing to compare with in this lesson.</p>
        )}
      </div>
    </div>
  );
}

function Program({ name, code }: { name: string; code: string }) {
  return (
    <div className="min-w-0">
      <h3 className="font-semibold">{name}</h3>
      <ScrollBox
        label={name}
        className="mt-2 overflow-x-auto rounded-md border border-line bg-surface px-4 py-3"
      >
        {code}
      </ScrollBox>
    </div>
  );
}

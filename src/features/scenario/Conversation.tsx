import { type ReactNode, useEffect, useRef } from 'react';
import { InlineCode } from '#src/components/InlineCode.tsx';
import { ActionBox } from './ActionBox.tsx';
import type { RunModel } from './schema.ts';

export function Conversation({
  run,
  busy,
  aside,
  onAct,
}: {
  run: RunModel;
  busy: boolean;
  aside: ReactNode;
  onAct: (action: string) => Promise<boolean>;
}) {
  const end = useRef<HTMLDivElement>(null);
  const taken = run.actionsTaken;
  const shown = useRef(taken.length);
  useEffect(() => {
    if (taken.length > shown.current) end.current?.scrollIntoView({ block: 'end' });
    shown.current = taken.length;
  }, [taken.length]);
  return (
    <div className="flex min-h-[min(60dvh,36rem)] min-w-0 flex-col">
      <section aria-labelledby="log-heading" className="flex-1">
        <h2 id="log-heading" className="text-subheading">
          Action history
        </h2>
        {taken.length === 0 ? (
          <p className="mt-3 text-ink-soft">
            Nothing done yet. Write a sentence such as “look at the logs”, or a command.
          </p>
        ) : (
          <ol className="mt-3 grid gap-5">
            {taken.map(({ action, understoodAs, feedback, score }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an action is its place in the run
              <li key={index} className="grid gap-2">
                <p className="ml-auto max-w-[94%] min-w-0 rounded-lg border border-accent-line bg-accent-soft px-4 py-2 font-mono text-[0.9375rem] break-words">
                  <span className="sr-only">You: </span>
                  {action}
                </p>
                <div
                  className={`mr-auto max-w-[94%] min-w-0 rounded-lg border border-line px-4 py-3 ${understoodAs === null ? 'border-dashed' : 'bg-surface shadow-xs'}`}
                >
                  {understoodAs !== null && (
                    <p className="mb-1 flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft">
                      <span>{understoodAs}</span>
                      <span className="tabular-nums">Score {score}</span>
                    </p>
                  )}
                  <p className="break-words whitespace-pre-line">
                    <InlineCode text={feedback} />
                  </p>
                </div>
              </li>
            ))}
          </ol>
        )}
      </section>
      <section
        aria-labelledby="action-heading"
        className="sticky bottom-0 z-10 mt-6 -mb-px border-t border-line bg-canvas pt-3 pb-4"
      >
        <h2 id="action-heading" className="sr-only">
          What do you do?
        </h2>
        <ActionBox
          busy={busy}
          history={taken.map(({ action }) => action)}
          asked={run.asked}
          aside={aside}
          onAct={onAct}
        />
      </section>
      <div ref={end} />
    </div>
  );
}

import { type ReactNode, useState, useSyncExternalStore } from 'react';
import type { PanelModel } from './schema.ts';

const TONES = {
  plain: '',
  good: 'text-success',
  warning: 'text-warning',
  bad: 'text-danger',
} as const;

export function SituationPanels({ panels, before }: { panels: PanelModel[]; before: PanelModel[] | null }) {
  return (
    <div className="mt-3 grid gap-3">
      {panels.map(({ title, facts }, index) => (
        <div key={title} className="card px-4 py-3 shadow-xs">
          <h3 className="font-semibold">{title}</h3>
          <dl className="mt-1.5 grid gap-y-1">
            {facts.map(({ label, value, tone }, place) => {
              const old = before?.[index]?.facts[place]?.value;
              const changed = old !== undefined && old !== value;
              return (
                <div
                  key={label}
                  className={`-mx-2 flex flex-wrap justify-between gap-x-4 rounded-sm px-2 py-0.5 ${changed ? 'bg-spark-soft' : ''}`}
                >
                  <dt className="text-ink-soft">{label}</dt>
                  <dd className={`font-medium tabular-nums ${TONES[tone]}`}>
                    {changed && (
                      <>
                        <span className="sr-only">before </span>
                        <del className="font-normal text-ink-soft">{old}</del>
                        <span className="sr-only"> now</span>{' '}
                      </>
                    )}
                    {value}
                  </dd>
                </div>
              );
            })}
          </dl>
        </div>
      ))}
    </div>
  );
}

const STRIP_MAX = 3;
const STRIP_CHARACTERS = 14;

/** The situation in a line that stays in sight on small screens, and whole when it is opened. */
export function SituationStrip({
  panels,
  before,
  children,
}: {
  panels: PanelModel[];
  before: PanelModel[] | null;
  children: ReactNode;
}) {
  const weights = { bad: 0, warning: 1, good: 2, plain: 3 };
  const facts = panels
    .flatMap((panel) => panel.facts)
    .filter(({ value }) => value.length <= STRIP_CHARACTERS)
    .toSorted((a, b) => weights[a.tone] - weights[b.tone])
    .slice(0, STRIP_MAX);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="sticky top-header z-20 -mx-gutter mt-6 border-y border-line bg-surface px-gutter"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="py-2.5 font-medium">
        The situation
        {!isOpen && (
          <span className="mt-0.5 flex flex-wrap gap-x-4 text-sm font-normal">
            {facts.map(({ label, value, tone }) => (
              <span key={label} className="whitespace-nowrap">
                <span className="text-ink-soft">{label}</span>{' '}
                <span className={`font-medium tabular-nums ${TONES[tone]}`}>{value}</span>
              </span>
            ))}
          </span>
        )}
      </summary>
      {isOpen && (
        <div className="max-h-[55dvh] overflow-y-auto pb-4">
          <SituationPanels panels={panels} before={before} />
          <div className="mt-6">{children}</div>
        </div>
      )}
    </details>
  );
}

const wide = () => matchMedia('(min-width: 64rem)');

/** Whether there is room for the situation beside the story. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = wide();
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => wide().matches,
    () => true,
  );
}

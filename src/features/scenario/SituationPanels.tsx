import type { PanelModel } from './schema.ts';

const TONES = {
  plain: '',
  good: 'text-success',
  warning: 'text-warning',
  bad: 'text-danger',
} as const;

/** The situation for people. What has changed since `before` is marked, with what it was. */
export function SituationPanels({ panels, before }: { panels: PanelModel[]; before: PanelModel[] | null }) {
  return (
    <div className="mt-3 grid gap-3">
      {panels.map(({ title, facts }, index) => (
        <div key={title} className="rounded-lg border border-line bg-surface px-4 py-3 shadow-xs">
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

import { Undo2, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { useLatest } from '#src/components/use-latest.ts';
import { Button } from '#src/components/Button.tsx';
import { Spinner } from '#src/components/Spinner.tsx';
import { Tabs } from '#src/components/Tabs.tsx';
import { FormFields } from './FormFields.tsx';
import { Synonyms } from './GroupList.tsx';
import { ItemList } from './ItemList.tsx';
import { checkSummary, ScenarioCheck, useScenarioCheck } from './ScenarioCheck.tsx';
import { EditorProvider } from './ScenarioFields.tsx';
import { ScenarioSituation } from './ScenarioSituation.tsx';
import type { SourceState } from './ScenarioSource.tsx';
import { type Draft, newScenario, type Section, sectionOf, variablesOf } from './scenario-draft.ts';
import { EVENTS, GOALS, OVERVIEW, RESOURCES, RULES } from './scenario-forms.tsx';
import { counted } from '#src/shared/counted.ts';

const ScenarioPlay = lazy(async () => ({ default: (await import('./ScenarioPlay.tsx')).ScenarioPlay }));
const ScenarioSource = lazy(async () => ({ default: (await import('./ScenarioSource.tsx')).ScenarioSource }));

const LABELS: Record<Section, string> = {
  overview: 'Overview',
  situation: 'Situation',
  goals: 'Goals',
  rules: 'Rules',
  events: 'Events',
  play: 'Try it',
  source: 'Source',
};

/** The form of a scenario, with its check beside it. */
export function ScenarioEditor({
  value,
  onChange,
}: {
  value: Draft | null;
  onChange: (next: Draft) => void;
}) {
  const [blank] = useState(newScenario);
  const draft = value ?? blank;
  const [section, setSection] = useState<Section>('overview');
  const [source, setSource] = useState<SourceState>({ format: 'yaml', text: null, problem: null });
  const [removed, setRemoved] = useState<{ message: string; restore: () => void } | null>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const [target, setTarget] = useState<{ key: string; count: number; place: (string | number)[] } | null>(
    null,
  );
  const root = useRef<HTMLDivElement>(null);
  const check = useScenarioCheck(draft);
  // Two parts may change before the page is drawn again.
  const latest = useLatest(draft);

  const set = (next: Draft) => {
    latest.current = next;
    onChange(next);
  };
  const change = (part: Partial<Draft>) => {
    set({ ...latest.current, ...part });
  };
  const jump = (place: (string | number)[]) => {
    setSection(sectionOf(place));
    setTarget({ key: place.slice(0, 2).join('.'), count: (target?.count ?? 0) + 1, place });
  };

  // The tab and the item have to be open before anything in them can take the focus.
  useEffect(() => {
    if (!target) return;
    const timer = setTimeout(() => {
      for (let length = target.place.length; length > 0; length -= 1) {
        const at = CSS.escape(target.place.slice(0, length).join('.'));
        const found = root.current?.querySelector<HTMLElement>(`[data-at="${at}"]`);
        if (!found || found.offsetParent === null) continue;
        const control = found.matches('button')
          ? found
          : (found.querySelector<HTMLElement>('input, textarea, select, button') ?? found);
        control.focus({ preventScroll: true });
        found.scrollIntoView({ block: 'center' });
        return;
      }
    }, 60);
    return () => clearTimeout(timer);
  }, [target]);

  // What had the focus is gone with what was deleted, once the menu that asked for it has closed.
  useEffect(() => {
    if (!removed) return;
    const timer = setTimeout(() => undo.current?.focus({ preventScroll: true }), 60);
    return () => clearTimeout(timer);
  }, [removed]);

  const variables = useMemo(() => variablesOf(draft.state), [draft.state]);
  const { findings } = check;
  const link = useMemo(
    () => ({
      variables,
      findings,
      removed: (message: string, restore: () => void) => setRemoved({ message, restore }),
      target,
    }),
    [variables, findings, target],
  );

  const count: Partial<Record<Section, number>> = {
    goals: draft.goals.length,
    rules: draft.rules.length,
    events: draft.events?.length ?? 0,
  };
  const tab = (name: Section, content: React.ReactNode, keep = true) => {
    const wrong = findings.filter(
      ({ level, place }) => level === 'error' && sectionOf(place) === name,
    ).length;
    return {
      value: name,
      keep,
      label: (
        <>
          {LABELS[name]}
          {count[name] !== undefined && <span className="text-ink-soft tabular-nums"> {count[name]}</span>}
          {wrong > 0 && (
            <>
              <span aria-hidden="true" className="ml-2 inline-block size-2 rounded-full bg-danger" />
              <span className="sr-only">, {counted(wrong, 'error')}</span>
            </>
          )}
        </>
      ),
      content,
    };
  };
  const waiting = (
    <div className="py-10 text-center">
      <Spinner label="Loading" showLabel />
    </div>
  );

  return (
    <EditorProvider value={link}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter in a field must not send the form around the editor */}
      <div
        ref={root}
        className="@container min-w-0"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
        }}
      >
        <div className="grid gap-8 @min-[60rem]:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="min-w-0">
            <p className="mb-4 text-sm @min-[60rem]:hidden">
              <span className="font-semibold">{checkSummary(check)}</span>{' '}
              <a className="text-link" href="#scenario-check">
                See the check
              </a>
            </p>
            {source.problem && section !== 'source' && (
              <Alert tone="warning" title="The source has a line that cannot be read" className="mb-4">
                <p>What you see here is what could be read last.</p>
                <Button variant="secondary" size="sm" className="mt-3" onClick={() => setSection('source')}>
                  Open the source
                </Button>
              </Alert>
            )}
            <Tabs
              label="Parts of the scenario"
              value={section}
              onValueChange={(next) => setSection(next as Section)}
              tabs={[
                tab(
                  'overview',
                  <div className="grid gap-5">
                    <FormFields
                      fields={OVERVIEW}
                      form={{ item: draft, at: '', name: 'Scenario', others: [], onChange: change }}
                    />
                    <ItemList form={RESOURCES} draft={draft} onChange={change} />
                  </div>,
                ),
                tab('situation', <ScenarioSituation draft={draft} onChange={change} />),
                tab('goals', <ItemList form={GOALS} draft={draft} onChange={change} />),
                tab(
                  'rules',
                  <div className="grid gap-9">
                    <ItemList form={RULES} draft={draft} onChange={change} />
                    <Synonyms draft={draft} onChange={change} />
                  </div>,
                ),
                tab('events', <ItemList form={EVENTS} draft={draft} onChange={change} />),
                tab(
                  'play',
                  <Suspense fallback={waiting}>
                    <ScenarioPlay draft={draft} onJump={jump} />
                  </Suspense>,
                  false,
                ),
                tab(
                  'source',
                  <Suspense fallback={waiting}>
                    <ScenarioSource
                      draft={draft}
                      source={source}
                      onSource={setSource}
                      onDraft={set}
                      onImport={(next, file) => {
                        const before = latest.current;
                        set(next);
                        setRemoved({ message: `${file} was brought in.`, restore: () => set(before) });
                      }}
                    />
                  </Suspense>,
                  false,
                ),
              ]}
            />
            <div role="status" className="sticky bottom-20 z-10">
              {removed && (
                <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 card py-2 pr-2 pl-4 shadow-lg">
                  <p className="min-w-0 flex-1 break-words">{removed.message}</p>
                  <Button
                    ref={undo}
                    variant="secondary"
                    size="sm"
                    className="min-h-11"
                    onClick={() => {
                      removed.restore();
                      setRemoved(null);
                    }}
                  >
                    <Undo2 aria-hidden="true" /> Undo
                  </Button>
                  <Button variant="ghost" size="icon" aria-label="Dismiss" onClick={() => setRemoved(null)}>
                    <X aria-hidden="true" />
                  </Button>
                </div>
              )}
            </div>
          </div>
          <div className="min-w-0 @min-[60rem]:sticky @min-[60rem]:top-[calc(var(--spacing-header,4.5rem)+1.5rem)] @min-[60rem]:max-h-[calc(100dvh-8rem)] @min-[60rem]:self-start @min-[60rem]:overflow-y-auto">
            <ScenarioCheck check={check} draft={draft} onJump={jump} />
          </div>
        </div>
      </div>
    </EditorProvider>
  );
}

import { CornerDownLeft, RotateCcw, SearchCheck } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Engine, isActed, type Outcome, type Run } from '#src/features/scenario/engine.ts';
import { ACTION_MAX_CHARACTERS } from '#src/features/scenario/limits.ts';
import { SituationPanels } from '#src/features/scenario/SituationPanels.tsx';
import { type Scenario, scenarioDefinition } from '#src/features/scenario/scenario.ts';
import { Understanding } from '#src/features/scenario/words/understanding.ts';
import type { Draft } from './scenario-draft.ts';
import { counted } from '#src/shared/counted.ts';

interface Step {
  text: string;
  outcome: Outcome;
  run: Run;
}

function played(engine: Engine, texts: readonly string[]): Step[] {
  let run = engine.begin();
  return texts.map((text) => {
    const outcome = engine.act(run, text);
    run = outcome.run;
    return { text, outcome, run };
  });
}

function wordingOf(scenario: Scenario, ruleId: string, text: string): string {
  const rule = scenario.rules.find(({ id }) => id === ruleId);
  if (!rule) return '';
  // Every wording becomes a rule of its own, so that the same words are known and the same dictionary is used.
  const alone = new Understanding({
    synonyms: scenario.synonyms,
    rules: [
      ...rule.phrases.map((phrase, index) => ({
        ...rule,
        id: `phrase-${index}`,
        phrases: [phrase],
        needs: [],
      })),
      ...(rule.needs.length > 0 ? [{ ...rule, id: 'needs', phrases: [] }] : []),
    ],
  });
  const [best] = alone.matches(text);
  if (!best) return '';
  return best.ruleId === 'needs'
    ? 'one word of each of its groups occurs'
    : `its phrase “${rule.phrases[Number(best.ruleId.slice('phrase-'.length))]}” occurs`;
}

const NOTHING_DONE = { unknown: 'not understood', asked: 'asked back', answered: 'answered' } as const;

type Verdict = 'taken' | 'done already' | 'not now' | 'fits, but less well' | 'asked about';

interface Explanation {
  text: string;
  matches: { index: number; title: string; verdict: Verdict; why: string }[];
  nearest: { index: number; title: string; share: number }[];
}

function explained(engine: Engine, run: Run, text: string): Explanation {
  const { scenario, understanding } = engine;
  const outcome = engine.act(run, text);
  const takenBy = isActed(outcome) ? outcome.ruleId : null;
  const place = (ruleId: string) => {
    const index = scenario.rules.findIndex(({ id }) => id === ruleId);
    return { index, title: scenario.rules[index]!.title };
  };
  return {
    text,
    matches: understanding.matches(text).map(({ ruleId }) => {
      const open = engine.isOpen(run, ruleId);
      const verdict: Verdict =
        open && ruleId === takenBy
          ? 'taken'
          : !isActed(outcome) && outcome.ruleIds.includes(ruleId)
            ? 'asked about'
            : open
              ? 'fits, but less well'
              : scenario.rules.some(({ id, once }) => id === ruleId && once) && run.fired.includes(ruleId)
                ? 'done already'
                : 'not now';
      return { ...place(ruleId), verdict, why: wordingOf(scenario, ruleId, text) };
    }),
    nearest: understanding
      .nearest(text)
      .slice(0, 3)
      .map(({ ruleId, share }) => ({ ...place(ruleId), share })),
  };
}

const WORDS: Record<Verdict, string> = {
  taken: 'is taken',
  'asked about': 'fits, but is not surely meant: the learner is asked',
  'done already': 'fits, but counts once and is done already',
  'not now': 'fits, but its condition does not hold now',
  'fits, but less well': 'fits, too, but fewer of its words were found',
};

export function ScenarioPlay({
  draft,
  onJump,
}: {
  draft: Draft;
  onJump: (place: (string | number)[]) => void;
}) {
  const engine = useMemo(() => {
    const parsed = scenarioDefinition.safeParse(draft);
    return parsed.success ? new Engine(parsed.data) : null;
  }, [draft]);
  const [texts, setTexts] = useState<string[]>([]);
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const box = useRef<HTMLInputElement>(null);
  if (!engine) {
    return (
      <Alert tone="info" title="Not ready to be played">
        Something is missing or cannot be read. The check names it; mend it, and come back.
      </Alert>
    );
  }
  const steps = played(engine, texts);
  const last = steps.at(-1);
  const run = last?.run ?? engine.begin();
  const before = steps.at(-2)?.run ?? (last ? engine.begin() : null);
  const over = engine.isCompleted(run);
  const goals = engine.goals(run);
  const explanation = asked ? explained(engine, run, asked) : null;

  const act = () => {
    const action = text.trim();
    if (!action || over) return;
    setTexts([...texts, action]);
    setAsked('');
    setText('');
    box.current?.focus();
  };
  // The editor may stand in a form of its page, which has one Enter only.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    act();
  };

  return (
    <div className="grid gap-6">
      <div>
        <h3 className="text-subheading">Try it</h3>
        <p className="mt-1 text-sm text-ink-soft">
          Write what a learner might. You play the scenario as it is in this editor; nothing is stored.
        </p>
        <div className="mt-3">
          <Field label="Your action">
            <Input
              ref={box}
              value={text}
              maxLength={ACTION_MAX_CHARACTERS}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onKeyDown}
            />
          </Field>
          <div className="mt-3 flex flex-wrap gap-2.5">
            <Button onClick={act} disabled={over}>
              <CornerDownLeft aria-hidden="true" /> Do it
            </Button>
            <Button variant="secondary" onClick={() => setAsked(text.trim() || (last?.text ?? ''))}>
              <SearchCheck aria-hidden="true" /> Which rule?
            </Button>
            {texts.length > 0 && (
              <Button
                variant="ghost"
                onClick={() => {
                  setTexts([]);
                  setAsked('');
                }}
              >
                <RotateCcw aria-hidden="true" /> Start over
              </Button>
            )}
          </div>
        </div>
        <div role="status" className="mt-4">
          {explanation ? (
            <Explained explanation={explanation} onJump={onJump} />
          ) : (
            last && (
              <Result step={last} over={over} score={engine.score(run)} engine={engine} onJump={onJump} />
            )
          )}
        </div>
      </div>
      <div className="grid gap-6 sm:grid-cols-2">
        <section>
          <h3 className="font-semibold">Situation after {run.minutes} min</h3>
          <SituationPanels panels={engine.panels(run)} before={before && engine.panels(before)} />
        </section>
        <section>
          <h3 className="font-semibold">Goals, {counted(engine.score(run), 'point')}</h3>
          <ul className="mt-3 grid gap-1.5">
            {goals.map(({ id, title, weight, met }) => (
              <li key={id} className={met ? 'text-success' : 'text-ink-soft'}>
                {met ? 'Met' : 'Open'}: {title} ({weight})
              </li>
            ))}
          </ul>
          {steps.length > 0 && (
            <>
              <h3 className="mt-5 font-semibold">Path</h3>
              <ol className="mt-2 list-decimal space-y-1 pl-5">
                {steps.map(({ text: action, outcome }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the run
                  <li key={index} className="break-words">
                    {action}
                    <span className="text-ink-soft">
                      {' '}
                      → {isActed(outcome) ? outcome.title : NOTHING_DONE[outcome.kind]}
                    </span>
                  </li>
                ))}
              </ol>
            </>
          )}
        </section>
      </div>
    </div>
  );
}

function Result({
  step: { text, outcome },
  over,
  score,
  engine,
  onJump,
}: {
  step: Step;
  over: boolean;
  score: number;
  engine: Engine;
  onJump: (place: (string | number)[]) => void;
}) {
  if (!isActed(outcome)) {
    return (
      <Alert
        tone={outcome.kind === 'unknown' ? 'warning' : 'info'}
        title={`“${text}” was ${NOTHING_DONE[outcome.kind]}`}
      >
        {outcome.reply}
      </Alert>
    );
  }
  const index = engine.scenario.rules.findIndex(({ id }) => id === outcome.ruleId);
  return (
    <Alert
      tone={outcome.kind === 'done' ? 'success' : 'info'}
      title={over ? `${outcome.title}. The run is over with ${counted(score, 'point')}.` : outcome.title}
    >
      <p>{outcome.feedback}</p>
      {outcome.events.map(({ id, feedback }) => (
        <p key={id} className="mt-2">
          {feedback}
        </p>
      ))}
      <p className="mt-2">
        <button type="button" className="text-link" onClick={() => onJump(['rules', index])}>
          Open rule {index + 1}
        </button>
      </p>
    </Alert>
  );
}

function Explained({
  explanation: { text, matches, nearest },
  onJump,
}: {
  explanation: Explanation;
  onJump: (place: (string | number)[]) => void;
}) {
  return (
    <Alert tone="neutral" title={matches.length > 0 ? `What “${text}” means now` : `“${text}” fits no rule`}>
      {matches.length > 0 ? (
        <ol className="list-decimal space-y-1.5 pl-5">
          {matches.map(({ index, title, verdict, why }) => (
            <li key={index}>
              <button type="button" className="text-link" onClick={() => onJump(['rules', index])}>
                {title}
              </button>{' '}
              {WORDS[verdict]}
              {why && `: ${why}`}.
            </li>
          ))}
        </ol>
      ) : nearest.length > 0 ? (
        <>
          <p>Near to it are:</p>
          <ul className="mt-1 list-disc space-y-1 pl-5">
            {nearest.map(({ index, title, share }) => (
              <li key={index}>
                <button type="button" className="text-link" onClick={() => onJump(['rules', index])}>
                  {title}
                </button>
                , {Math.round(share * 100)}% of its words
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>None of its words occur in a rule.</p>
      )}
    </Alert>
  );
}

import { useState } from 'react';
import { errorClass } from '#src/components/field.ts';
import { Input } from '#src/components/Input.tsx';
import type { Json } from '#src/features/scenario/scenario.ts';
import { ConditionEditor } from './ScenarioConditions.tsx';
import {
  AddButton,
  Choice,
  ItemCard,
  JsonField,
  LineField,
  RemoveButton,
  useEditor,
  useItems,
  ValueInput,
  VariableChoice,
} from './ScenarioFields.tsx';
import { conditionOf, expressionOf, nodeOf, type ShownNode, shownNodeOf } from './scenario-conditions.ts';
import {
  type Draft,
  type DraftFact,
  type DraftPanel,
  nameProblem,
  stateOf,
  usesOf,
  type Variable,
  variablesOf,
  withRenamedVariable,
} from './scenario-draft.ts';
import { counted } from '#src/shared/counted.ts';

const KINDS = [
  { value: 'boolean', label: 'yes or no' },
  { value: 'number', label: 'number' },
  { value: 'string', label: 'text' },
  { value: 'list', label: 'list' },
  { value: 'other', label: 'other (JSON)' },
] as const;
type Kind = (typeof KINDS)[number]['value'];

function kindOf(value: Json): Kind {
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'other' : (typeof value as 'boolean' | 'number' | 'string');
}
const EMPTY: Record<Kind, Json> = { boolean: false, number: 0, string: '', list: [], other: null };

/** The variables of the situation and how a learner sees them. */
export function ScenarioSituation({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}) {
  const items = useItems<Variable>(variablesOf(draft.state), (next) => onChange({ state: stateOf(next) }));
  const variables = items.items;
  const addVariable = () => {
    const names = variables.map(({ name }) => name);
    let count = names.length + 1;
    while (nameProblem(`value${count}`, names)) count += 1;
    items.add({ name: `value${count}`, value: false });
  };
  const stateError = useEditor().findings.find(({ place }) => place[0] === 'state')?.message;
  return (
    <div className="grid gap-9">
      <section data-at="state" aria-labelledby="scenario-state">
        <h3 id="scenario-state" className="text-subheading">
          Variables
        </h3>
        <p className="mt-1 text-sm text-ink-soft">
          What can change during a run, and how it stands at the beginning. A dot groups names, as in
          disk.used. The clock is there by itself, as “minutes”.
        </p>
        {stateError && <p className={`${errorClass} mt-2`}>{stateError}</p>}
        <div
          aria-hidden="true"
          className="mt-3 hidden gap-2 pr-12 text-sm font-semibold sm:grid sm:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)]"
        >
          <span>Name</span>
          <span>Kind</span>
          <span>At the beginning</span>
        </div>
        <ul className="mt-1.5 grid gap-2.5">
          {variables.map((variable, index) => (
            <li key={items.keys[index]}>
              <VariableRow
                variable={variable}
                others={variables.filter((_, other) => other !== index).map(({ name }) => name)}
                number={index + 1}
                onRename={(name) => onChange(withRenamedVariable(draft, variable.name, name))}
                onChange={(value) => items.change(index, { ...variable, value })}
                uses={() => usesOf(draft, variable.name)}
                onRemove={() => items.remove(index, variable.name)}
              />
            </li>
          ))}
        </ul>
        <div className="mt-3">
          <AddButton onClick={addVariable}>Add variable</AddButton>
        </div>
      </section>
      <PanelList draft={draft} onChange={onChange} />
    </div>
  );
}

function VariableRow({
  variable,
  others,
  number,
  uses,
  onRename,
  onChange,
  onRemove,
}: {
  variable: Variable;
  others: string[];
  number: number;
  uses: () => number;
  onRename: (name: string) => void;
  onChange: (value: Json) => void;
  onRemove: () => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [asked, setAsked] = useState(0);
  const name = typed ?? variable.name;
  const problem = typed === null || typed === variable.name ? null : nameProblem(typed.trim(), others);
  const kind = kindOf(variable.value);
  const id = `scenario-variable-${number}`;
  const commit = () => {
    if (typed === null || problem) return;
    if (typed.trim() !== variable.name) onRename(typed.trim());
    setTyped(null);
  };
  return (
    <fieldset className="min-w-0 rounded-md border border-line bg-surface p-2 sm:border-0 sm:bg-transparent sm:p-0">
      <legend className="sr-only">Variable {variable.name}</legend>
      <div className="flex items-start gap-1">
        <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)]">
          <div>
            <Input
              aria-label="Name"
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? id : undefined}
              value={name}
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
              onBlur={commit}
              onKeyDown={(event) => {
                if (event.key === 'Enter') commit();
                if (event.key === 'Escape') setTyped(null);
              }}
            />
            {problem && (
              <p id={id} className={`${errorClass} mt-1`}>
                {problem}
              </p>
            )}
          </div>
          <Choice
            label="Kind"
            value={kind}
            options={KINDS}
            onChange={(next) => next !== kind && onChange(EMPTY[next as Kind])}
          />
          <ValueInput
            label="At the beginning"
            value={variable.value}
            like={variable.value}
            onChange={(value) => {
              // While a number is typed it may be none for a moment; the variable stays a number.
              if (kind !== 'number' || typeof value === 'number') onChange(value);
            }}
          />
        </div>
        <RemoveButton
          label={`Delete ${variable.name}`}
          onClick={() => {
            const count = uses();
            if (count > 0 && asked !== count) setAsked(count);
            else onRemove();
          }}
        />
      </div>
      <p role="status" className={asked > 0 ? `${errorClass} mt-1` : 'sr-only'}>
        {asked > 0 &&
          `${asked === 1 ? 'One goal, rule, event or panel names' : `${asked} goals, rules, events or panels name`} this variable. Press delete once more to delete it all the same.`}
      </p>
    </fieldset>
  );
}

function PanelList({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const panels = useItems<DraftPanel>(draft.panels, (next) => onChange({ panels: next }));
  const { variables } = useEditor();
  return (
    <section data-at="panels" aria-labelledby="scenario-panels">
      <h3 id="scenario-panels" className="text-subheading">
        Panels
      </h3>
      <p className="mt-1 text-sm text-ink-soft">What a learner sees of the situation, in groups of lines.</p>
      <ol className="mt-3 grid gap-3">
        {panels.items.map((panel, index) => {
          const at = `panels.${index}`;
          const kind = `Panel ${index + 1}`;
          return (
            <li key={panels.keys[index]}>
              <ItemCard
                at={at}
                kind={kind}
                title={panel.title}
                note={counted(panel.facts.length, 'line')}
                fresh={panels.keys[index] === panels.fresh}
                isFirst={index === 0}
                isLast={index === panels.items.length - 1}
                onMove={(by) => panels.move(index, by)}
                onDuplicate={() => panels.add(panel, index)}
                onRemove={() => panels.remove(index, panel.title || kind)}
              >
                <LineField
                  at={`${at}.title`}
                  label="Title"
                  required
                  value={panel.title}
                  onChange={(title) => panels.change(index, { ...panel, title })}
                />
                <FactList
                  at={at}
                  facts={panel.facts}
                  onChange={(facts) => panels.change(index, { ...panel, facts })}
                />
              </ItemCard>
            </li>
          );
        })}
      </ol>
      <div className="mt-3">
        <AddButton
          onClick={() =>
            panels.add({ title: '', facts: [{ label: '', value: { var: variables[0]?.name ?? '' } }] })
          }
        >
          Add panel
        </AddButton>
      </div>
    </section>
  );
}

function FactList({
  at,
  facts,
  onChange,
}: {
  at: string;
  facts: readonly DraftFact[];
  onChange: (facts: DraftFact[]) => void;
}) {
  const { variables } = useEditor();
  const items = useItems(facts, onChange);
  return (
    <div className="mt-5" data-at={`${at}.facts`}>
      <ol className="grid gap-4">
        {facts.map((fact, index) => (
          <li key={items.keys[index]}>
            <FactEditor
              at={`${at}.facts.${index}`}
              number={index + 1}
              fact={fact}
              onChange={(next) => items.change(index, next)}
              onRemove={() => items.remove(index, fact.label || `Line ${index + 1}`)}
            />
          </li>
        ))}
      </ol>
      <div className="mt-3">
        <AddButton onClick={() => items.add({ label: '', value: { var: variables[0]?.name ?? '' } })}>
          Add line
        </AddButton>
      </div>
    </div>
  );
}

const SHOWN = [
  { value: 'variable', label: 'A variable' },
  { value: 'texts', label: 'One of two texts' },
  { value: 'raw', label: 'A formula (JSON)' },
];
const TONES = [
  { value: 'good', label: 'green' },
  { value: 'warning', label: 'amber' },
  { value: 'bad', label: 'red' },
];

function FactEditor({
  at,
  number,
  fact,
  onChange,
  onRemove,
}: {
  at: string;
  number: number;
  fact: DraftFact;
  onChange: (fact: DraftFact) => void;
  onRemove: () => void;
}) {
  const { variables } = useEditor();
  const [asFormula, setAsFormula] = useState(false);
  const node: ShownNode = asFormula ? { kind: 'raw', json: fact.value } : shownNodeOf(fact.value);
  const set = (next: ShownNode) => onChange({ ...fact, value: expressionOf(next) });
  const tones = useItems(fact.tone ?? [], (tone) => onChange({ ...fact, tone }));
  const name = `Line ${number}`;
  const firstTest = nodeOf({ var: variables[0]?.name ?? '' });
  return (
    <fieldset className="min-w-0 rounded-md border border-line bg-sunken p-3">
      <legend className="sr-only">{name}</legend>
      <div className="grid gap-3">
        <div className="flex items-end gap-1">
          <div className="grid min-w-0 flex-1 gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <LineField
              at={`${at}.label`}
              label={`${name}: label`}
              required
              value={fact.label}
              onChange={(label) => onChange({ ...fact, label })}
            />
            <LineField
              at={`${at}.unit`}
              label="Unit"
              optional
              max={20}
              value={fact.unit ?? ''}
              onChange={(unit) => {
                const { unit: _, ...rest } = fact;
                onChange(unit === '' ? rest : { ...rest, unit });
              }}
            />
          </div>
          <RemoveButton label={`Remove line ${number}`} onClick={onRemove} />
        </div>
        <div data-at={`${at}.value`} className="grid gap-2 sm:grid-cols-2">
          <Choice
            label={`${name}: what it shows`}
            value={node.kind}
            options={SHOWN}
            onChange={(kind) => {
              setAsFormula(kind === 'raw');
              if (kind === 'variable') set({ kind, variable: variables[0]?.name ?? '' });
              if (kind === 'texts') set({ kind, when: firstTest, value: 'yes', otherwise: 'no' });
            }}
          />
          {node.kind === 'variable' && (
            <VariableChoice
              label={`${name}: variable`}
              value={node.variable}
              clock
              onChange={(variable) => set({ ...node, variable })}
            />
          )}
          {node.kind === 'raw' && (
            <JsonField
              label={`${name}, formula in JSON`}
              value={node.json}
              onChange={(json) => set({ kind: 'raw', json })}
            />
          )}
        </div>
        {node.kind === 'texts' && (
          <>
            <ConditionEditor
              at={`${at}.value.if`}
              label="If"
              value={conditionOf(node.when)}
              onChange={(when) => set({ ...node, when: nodeOf(when) })}
            />
            <div className="grid gap-2 sm:grid-cols-2">
              <LineField
                at={`${at}.value.1`}
                label="it shows"
                value={node.value}
                onChange={(value) => set({ ...node, value })}
              />
              <LineField
                at={`${at}.value.2`}
                label="otherwise"
                value={node.otherwise}
                onChange={(otherwise) => set({ ...node, otherwise })}
              />
            </div>
          </>
        )}
        <div data-at={`${at}.tone`}>
          {tones.items.length > 0 && (
            <ol className="mb-3 grid gap-3">
              {tones.items.map((one, index) => (
                <li key={tones.keys[index]} className="rounded-md border border-line bg-surface p-3">
                  <div className="flex items-end gap-1">
                    <div className="min-w-0 flex-1">
                      <p aria-hidden="true" className="mb-1 text-sm font-semibold">
                        Color
                      </p>
                      <Choice
                        label={`${name}, color ${index + 1}`}
                        value={one.tone}
                        options={TONES}
                        onChange={(tone) => tones.change(index, { ...one, tone: tone as typeof one.tone })}
                      />
                    </div>
                    <RemoveButton
                      label={`Remove color ${index + 1} of line ${number}`}
                      onClick={() => tones.remove(index, `Color ${index + 1}`)}
                    />
                  </div>
                  <div className="mt-3">
                    <ConditionEditor
                      at={`${at}.tone.${index}.when`}
                      label={`Where this holds${index > 0 ? ' and nothing above does' : ''}`}
                      value={one.when}
                      onChange={(when) => tones.change(index, { ...one, when })}
                    />
                  </div>
                </li>
              ))}
            </ol>
          )}
          <AddButton onClick={() => tones.add({ when: conditionOf(firstTest), tone: 'good' })}>
            Add color
          </AddButton>
        </div>
      </div>
    </fieldset>
  );
}

import { useState } from 'react';
import { errorClass } from '#src/components/field.ts';
import { Input } from '#src/components/Input.tsx';
import type { Json } from '#src/features/scenario/scenario.ts';
import { ItemList } from './ItemList.tsx';
import { AddButton, Choice, RemoveButton, useEditor, ValueInput } from './ScenarioFields.tsx';
import {
  type Draft,
  nameProblem,
  stateOf,
  usesOf,
  type Variable,
  variablesOf,
  withRenamedVariable,
} from './scenario-draft.ts';
import { PANELS } from './scenario-forms.tsx';
import { useItems } from './use-items.tsx';

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
      <ItemList form={PANELS} draft={draft} onChange={onChange} />
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

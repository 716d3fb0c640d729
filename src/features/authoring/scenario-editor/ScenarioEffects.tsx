import { useState } from 'react';
import type { Effect, Json } from '#src/features/scenario/scenario.ts';
import { ConditionEditor } from './ScenarioConditions.tsx';
import {
  AddButton,
  Choice,
  JsonField,
  RemoveButton,
  useEditor,
  useErrorWithin,
  ValueInput,
  VariableChoice,
} from './ScenarioFields.tsx';
import { conditionOf, type EffectRow, effectOf, formulaRow, nodeOf, rowOf } from './scenario-conditions.ts';
import type { Variable } from './scenario-draft.ts';
import { useItems } from './use-items.tsx';

const KINDS: { value: EffectRow['kind']; label: string }[] = [
  { value: 'set', label: 'Set' },
  { value: 'increase', label: 'Increase' },
  { value: 'decrease', label: 'Decrease' },
  { value: 'append', label: 'Add to the list' },
  { value: 'choose', label: 'Set, depending' },
  { value: 'formula', label: 'Set by formula' },
  { value: 'remove', label: 'Remove' },
  { value: 'raw', label: 'JSON Patch' },
];

const firstValue = (variable: Variable | undefined): Json =>
  typeof variable?.value === 'boolean' ? !variable.value : (variable?.value ?? true);

const setRow = (variable: Variable | undefined): EffectRow =>
  Array.isArray(variable?.value)
    ? { kind: 'append', variable: variable.name, value: '' }
    : { kind: 'set', variable: variable?.name ?? '', value: firstValue(variable) };

function asKind(row: EffectRow, kind: EffectRow['kind'], variable: Variable | undefined): EffectRow {
  const name = row.kind === 'raw' ? (variable?.name ?? '') : row.variable;
  const value = 'value' in row ? row.value : firstValue(variable);
  switch (kind) {
    case 'set':
    case 'append':
      return { kind, variable: name, value };
    case 'increase':
    case 'decrease':
      return { kind, variable: name, by: 'by' in row ? row.by : 1 };
    case 'choose':
      return {
        kind,
        variable: name,
        when: { kind: 'test', variable: name, comparison: '==', value },
        value,
        otherwise: variable?.value ?? null,
      };
    case 'formula': {
      const effect = effectOf(row).value;
      const isComputed = typeof effect === 'object' && effect !== null && 'logic' in effect;
      return { kind, variable: name, logic: isComputed ? (effect.logic as Json) : { var: name } };
    }
    case 'remove':
      return { kind, variable: name };
    case 'raw':
      return { kind, json: effectOf(row) as unknown as Json };
  }
}

export function EffectsEditor({
  at,
  name,
  effects,
  onChange,
}: {
  at: string;
  name: string;
  effects: readonly Effect[];
  onChange: (effects: Effect[]) => void;
}) {
  const { variables } = useEditor();
  const { keys, change, add, remove } = useItems(effects, onChange);
  return (
    <fieldset data-at={at} className="min-w-0">
      <legend className="text-sm font-semibold">What it changes</legend>
      {effects.length === 0 && <p className="mt-1 text-sm text-ink-soft">Nothing: it only informs.</p>}
      <ol className="mt-2 grid gap-2.5">
        {effects.map((effect, index) => (
          <li key={keys[index]} data-at={`${at}.${index}`}>
            <EffectEditor
              at={`${at}.${index}`}
              name={`${name}, change ${index + 1}`}
              effect={effect}
              onChange={(next) => change(index, next)}
              onRemove={() => remove(index, `Change ${index + 1}`)}
            />
          </li>
        ))}
      </ol>
      <div className="mt-2.5">
        <AddButton onClick={() => add(effectOf(setRow(variables[0])))}>Add change</AddButton>
      </div>
    </fieldset>
  );
}

function EffectEditor({
  at,
  name,
  effect,
  onChange,
  onRemove,
}: {
  at: string;
  name: string;
  effect: Effect;
  onChange: (effect: Effect) => void;
  onRemove: () => void;
}) {
  const { variables } = useEditor();
  // What is asked for as a formula stays one, even where the form has words for it.
  const [asWritten, setAsWritten] = useState<'formula' | 'raw' | null>(null);
  const row: EffectRow =
    asWritten === 'raw'
      ? { kind: 'raw', json: effect as unknown as Json }
      : (asWritten === 'formula' && formulaRow(effect)) || rowOf(effect);
  const set = (next: EffectRow) => onChange(effectOf(next));
  const find = (wanted: string) => variables.find((one) => one.name === wanted);
  const variable = row.kind === 'raw' ? undefined : find(row.variable);
  const error = useErrorWithin(at);
  const listItem = Array.isArray(variable?.value) ? variable.value[0] : undefined;
  const isPlain = row.kind === 'set' || row.kind === 'append';
  return (
    <div className={row.kind === 'choose' ? 'rounded-md border border-line bg-sunken p-3' : ''}>
      <div className="flex items-start gap-1">
        <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,1fr)]">
          <Choice
            label={`${name}: kind`}
            value={row.kind}
            options={KINDS}
            onChange={(chosen) => {
              const kind = chosen as EffectRow['kind'];
              setAsWritten(kind === 'formula' || kind === 'raw' ? kind : null);
              set(asKind(row.kind === 'raw' ? rowOf(effect) : row, kind, variable ?? variables[0]));
            }}
          />
          {row.kind === 'raw' ? (
            <div className="sm:col-span-2">
              <JsonField
                label={`${name}, JSON Patch`}
                value={row.json}
                onChange={(json) => onChange(json as unknown as Effect)}
              />
            </div>
          ) : (
            <VariableChoice
              label={`${name}: variable`}
              value={row.variable}
              onChange={(next) => {
                const isSameKind = typeof find(next)?.value === typeof variable?.value;
                set(isPlain && !isSameKind ? setRow(find(next)) : { ...row, variable: next });
              }}
            />
          )}
          {isPlain && (
            <ValueInput
              label={`${name}: value`}
              value={row.value}
              like={row.kind === 'append' ? listItem : variable?.value}
              onChange={(value) => set({ ...row, value })}
            />
          )}
          {(row.kind === 'increase' || row.kind === 'decrease') && (
            <ValueInput
              label={`${name}: by`}
              value={row.by}
              like={0}
              onChange={(by) => typeof by === 'number' && set({ ...row, by })}
            />
          )}
          {row.kind === 'formula' && (
            <JsonField
              label={`${name}, formula in JSON`}
              value={row.logic}
              onChange={(logic) => set({ ...row, logic })}
            />
          )}
        </div>
        <RemoveButton label={`Remove: ${name}`} onClick={onRemove} />
      </div>
      {row.kind === 'choose' && (
        <div className="mt-3 grid gap-3">
          <ConditionEditor
            at={`${at}.when`}
            label="If"
            value={conditionOf(row.when)}
            onChange={(when) => set({ ...row, when: nodeOf(when) })}
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <div>
              <p aria-hidden="true" className="mb-1 text-sm font-semibold">
                then
              </p>
              <ValueInput
                label={`${name}: value if it holds`}
                value={row.value}
                like={variable?.value}
                onChange={(value) => set({ ...row, value })}
              />
            </div>
            <div>
              <p aria-hidden="true" className="mb-1 text-sm font-semibold">
                otherwise
              </p>
              <ValueInput
                label={`${name}: value otherwise`}
                value={row.otherwise}
                like={variable?.value}
                onChange={(otherwise) => set({ ...row, otherwise })}
              />
            </div>
          </div>
        </div>
      )}
      {error && <p className="mt-1 text-sm font-medium text-danger">{error}</p>}
    </div>
  );
}

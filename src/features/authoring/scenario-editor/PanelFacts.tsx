import { useState } from 'react';
import { ConditionEditor } from './ScenarioConditions.tsx';
import {
  AddButton,
  Choice,
  JsonField,
  LineField,
  RemoveButton,
  useEditor,
  VariableChoice,
} from './ScenarioFields.tsx';
import { conditionOf, expressionOf, nodeOf, type ShownNode, shownNodeOf } from './scenario-conditions.ts';
import type { DraftFact } from './scenario-draft.ts';
import { withPart } from './scenario-field.ts';
import { useItems } from './use-items.tsx';

export function FactList({
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
    <div data-at={at}>
      <ol className="grid gap-4">
        {facts.map((fact, index) => (
          <li key={items.keys[index]}>
            <FactEditor
              at={`${at}.${index}`}
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
              onChange={(unit) => onChange(withPart(fact, { unit: unit || undefined }))}
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

import { Braces, ListTree } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { errorClass } from '#src/components/field.ts';
import type { Condition, Json } from '#src/features/scenario/scenario.ts';
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
import {
  COMPARISONS,
  type Comparison,
  type ConditionNode,
  conditionOf,
  nodeOf,
} from './scenario-conditions.ts';
import type { Variable } from './scenario-draft.ts';

const OFFERED_DEPTH = 2;

type Test = Extract<ConditionNode, { kind: 'test' }>;
type Group = Extract<ConditionNode, { kind: 'group' }>;

function testOf(variable: Variable | undefined): Test {
  const value = variable?.value ?? true;
  const test = { kind: 'test', variable: variable?.name ?? '' } as const;
  if (typeof value === 'boolean') return { ...test, comparison: 'yes', value: true };
  if (Array.isArray(value)) return { ...test, comparison: 'has', value: '' };
  return { ...test, comparison: '==', value };
}

const CLOCK: Variable = { name: 'minutes', value: 10 };

/** Rows of variable, comparison and value in groups; what rows cannot show is JSON. */
export function ConditionEditor({
  at,
  label,
  hint,
  value,
  onChange,
}: {
  at: string;
  label: string;
  hint?: string;
  value: Condition | undefined;
  onChange: (condition: Condition) => void;
}) {
  const [asJson, setAsJson] = useState(false);
  const { variables } = useEditor();
  const node = nodeOf(value);
  const set = (next: ConditionNode) => onChange(conditionOf(next));
  const error = useErrorWithin(at);
  return (
    <fieldset data-at={at} className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p aria-hidden="true" className="text-sm font-semibold">
          {label}
        </p>
        <Button variant="ghost" size="sm" className="max-sm:min-h-11" onClick={() => setAsJson(!asJson)}>
          {asJson ? <ListTree aria-hidden="true" /> : <Braces aria-hidden="true" />}
          {asJson ? 'Edit as rows' : 'Edit as JSON'}
          <span className="sr-only">: {label}</span>
        </Button>
      </div>
      {hint && <p className="mb-1 text-sm text-ink-soft">{hint}</p>}
      {asJson ? (
        <JsonField label={`${label}, JSON`} value={value ?? true} onChange={onChange} />
      ) : node.kind === 'always' ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="text-ink-soft">Always.</p>
          <AddButton onClick={() => set(testOf(variables[0]))}>Add condition</AddButton>
        </div>
      ) : (
        <NodeEditor
          node={node}
          name={label}
          depth={0}
          onChange={set}
          onRemove={() => set({ kind: 'always' })}
        />
      )}
      {error && <p className={`${errorClass} mt-2`}>{error}</p>}
    </fieldset>
  );
}

function NodeEditor({
  node,
  name,
  depth,
  onChange,
  onRemove,
}: {
  node: ConditionNode;
  name: string;
  depth: number;
  onChange: (node: ConditionNode) => void;
  onRemove: () => void;
}) {
  const { variables } = useEditor();
  if (node.kind === 'group')
    return <GroupEditor group={node} name={name} depth={depth} onChange={onChange} onRemove={onRemove} />;
  const row =
    node.kind === 'test' ? (
      <TestRow test={node} name={name} onChange={onChange} onRemove={onRemove} />
    ) : (
      <div className="flex items-start gap-1">
        <JsonField
          label={`${name}, a formula in JSON`}
          value={node.kind === 'raw' ? node.json : true}
          onChange={(json) => onChange(nodeOf(json as Json))}
        />
        <RemoveButton label={`Remove: ${name}`} onClick={onRemove} />
      </div>
    );
  if (depth > 0) return row;
  return (
    <div className="grid gap-2.5">
      {row}
      <div>
        <AddButton
          onClick={() => onChange({ kind: 'group', mode: 'all', parts: [node, testOf(variables[0])] })}
        >
          Add condition
        </AddButton>
      </div>
    </div>
  );
}

function GroupEditor({
  group,
  name,
  depth,
  onChange,
  onRemove,
}: {
  group: Group;
  name: string;
  depth: number;
  onChange: (node: ConditionNode) => void;
  onRemove: () => void;
}) {
  const { variables } = useEditor();
  const { mode, parts } = group;
  const setParts = (next: ConditionNode[]) => {
    if (next.length === 0) onRemove();
    // One condition needs no group around it.
    else if (next.length === 1 && parts.length === 2) onChange(next[0]!);
    else onChange({ ...group, parts: next });
  };
  return (
    <div className={depth > 0 ? 'rounded-md border border-line bg-sunken p-3' : ''}>
      <Choice
        label={`${name}: how its conditions go together`}
        value={mode}
        className="max-w-72"
        options={[
          { value: 'all', label: 'All of these hold' },
          { value: 'any', label: 'At least one of these holds' },
        ]}
        onChange={(next) => onChange({ ...group, mode: next as Group['mode'] })}
      />
      <ul className="mt-2.5 grid gap-2.5">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place in the group
          <li key={index}>
            <NodeEditor
              node={part}
              name={`${name}, condition ${index + 1}`}
              depth={depth + 1}
              onChange={(next) => setParts(parts.with(index, next))}
              onRemove={() => setParts(parts.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <AddButton onClick={() => setParts([...parts, testOf(variables[0])])}>Add condition</AddButton>
        {depth < OFFERED_DEPTH && (
          <AddButton
            onClick={() =>
              setParts([
                ...parts,
                {
                  kind: 'group',
                  mode: mode === 'all' ? 'any' : 'all',
                  parts: [testOf(variables[0]), testOf(variables[1] ?? variables[0])],
                },
              ])
            }
          >
            Add group
          </AddButton>
        )}
        {depth > 0 && (
          <Button variant="ghost" size="sm" className="min-h-11" onClick={onRemove}>
            Remove group
          </Button>
        )}
      </div>
    </div>
  );
}

function comparisonsFor(variable: Variable | undefined, present: Comparison) {
  const value = variable?.value;
  const fitting: readonly Comparison[] =
    typeof value === 'boolean'
      ? ['yes', 'no']
      : typeof value === 'number'
        ? ['==', '!=', '<', '<=', '>', '>=']
        : Array.isArray(value)
          ? ['has']
          : typeof value === 'string'
            ? ['==', '!=', 'has']
            : COMPARISONS.map((one) => one.value);
  return COMPARISONS.filter((one) => fitting.includes(one.value) || one.value === present);
}

function TestRow({
  test,
  name,
  onChange,
  onRemove,
}: {
  test: Test;
  name: string;
  onChange: (test: Test) => void;
  onRemove: () => void;
}) {
  const { variables } = useEditor();
  const find = (wanted: string) => [...variables, CLOCK].find((one) => one.name === wanted);
  const variable = find(test.variable);
  const inList = Array.isArray(variable?.value) ? variable.value[0] : undefined;
  const hasValue = test.comparison !== 'yes' && test.comparison !== 'no';
  return (
    <div className="flex items-start gap-1">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <VariableChoice
          label={`${name}: variable`}
          value={test.variable}
          clock
          onChange={(next) => {
            const [old, now] = [variable?.value, find(next)];
            const isSameKind =
              typeof old === typeof now?.value && Array.isArray(old) === Array.isArray(now?.value);
            onChange(isSameKind ? { ...test, variable: next } : { ...testOf(now), variable: next });
          }}
        />
        <Choice
          label={`${name}: comparison`}
          value={test.comparison}
          options={comparisonsFor(variable, test.comparison)}
          onChange={(next) => onChange({ ...test, comparison: next as Comparison })}
        />
        {hasValue && (
          <ValueInput
            label={`${name}: value`}
            value={test.value}
            like={test.comparison === 'has' ? inList : variable?.value}
            onChange={(value) => onChange({ ...test, value })}
          />
        )}
      </div>
      <RemoveButton label={`Remove: ${name}`} onClick={onRemove} />
    </div>
  );
}

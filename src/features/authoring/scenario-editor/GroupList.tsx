import { errorClass } from '#src/components/field.ts';
import {
  AddButton,
  CommaInput,
  JsonField,
  type Labeled,
  RemoveButton,
  useErrorWithin,
} from './ScenarioFields.tsx';
import type { Draft } from './scenario-draft.ts';
import { useItems } from './use-items.tsx';

/** Groups of words as a field of an item. */
export function GroupsField({
  at,
  label,
  hint,
  optional,
  name,
  value,
  onChange,
}: Labeled & {
  name: string;
  value: readonly string[][];
  onChange: (groups: string[][]) => void;
}) {
  return (
    <fieldset data-at={at} className="min-w-0">
      <legend className="text-sm font-semibold">
        {label} {optional && <span className="font-normal text-ink-soft">(optional)</span>}
      </legend>
      <p className="mb-2 text-sm text-ink-soft">{hint}</p>
      <GroupList at={at} name={`${name}, words`} groups={value} onChange={onChange} />
    </fieldset>
  );
}

function GroupList({
  at,
  name,
  groups,
  onChange,
}: {
  at: string;
  name: string;
  groups: readonly string[][];
  onChange: (groups: string[][]) => void;
}) {
  const { keys, change, add, remove } = useItems(groups, onChange);
  return (
    <>
      {groups.length > 0 && (
        <ul className="mb-3 grid gap-2.5">
          {groups.map((group, index) => (
            <WordGroup
              key={keys[index]}
              at={`${at}.${index}`}
              label={`${name}, group ${index + 1}`}
              words={group}
              onChange={(words) => change(index, words)}
              onRemove={(label) => remove(index, label)}
            />
          ))}
        </ul>
      )}
      <AddButton onClick={() => add([])}>Add group</AddButton>
    </>
  );
}

/** The words that mean the same in a scenario. */
export function Synonyms({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  return (
    <section data-at="synonyms" aria-labelledby="scenario-synonyms">
      <h3 id="scenario-synonyms" className="text-subheading">
        Words that mean the same
      </h3>
      <p className="mt-1 mb-3 text-sm text-ink-soft">
        Beside the general dictionary: one group in each line, its words separated by commas.
      </p>
      <GroupList
        at="synonyms"
        name="Words that mean the same"
        groups={draft.synonyms ?? []}
        onChange={(synonyms) => onChange({ synonyms })}
      />
    </section>
  );
}

function WordGroup({
  at,
  label,
  words,
  onChange,
  onRemove,
}: {
  at: string;
  label: string;
  words: string[];
  onChange: (words: string[]) => void;
  onRemove: (label: string) => void;
}) {
  const error = useErrorWithin(at);
  return (
    <li data-at={at}>
      <div className="flex items-start gap-1">
        {words.some((word) => /[,\n]|^\s|\s$/.test(word) || word === '') ? (
          <JsonField
            label={label}
            value={words}
            rows={1}
            onChange={(value) => Array.isArray(value) && onChange(value.map(String))}
          />
        ) : (
          <CommaInput label={label} value={words} invalid={Boolean(error)} onChange={onChange} />
        )}
        <RemoveButton label={`Remove: ${label}`} onClick={() => onRemove(words.join(', ') || label)} />
      </div>
      {error && <p className={`${errorClass} mt-1`}>{error}</p>}
    </li>
  );
}

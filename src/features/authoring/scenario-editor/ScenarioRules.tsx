import { useState } from 'react';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { errorClass } from '#src/components/field.ts';
import { Input } from '#src/components/Input.tsx';
import { ConditionEditor } from './ScenarioConditions.tsx';
import { EffectsEditor } from './ScenarioEffects.tsx';
import {
  AddButton,
  BlockField,
  CommaInput,
  ItemCard,
  JsonField,
  LineField,
  LinesField,
  NumberField,
  RemoveButton,
  useEditor,
  useItems,
} from './ScenarioFields.tsx';
import { type Draft, type DraftRule, freeId, isMadeId, idFrom } from './scenario-draft.ts';
import { counted } from '#src/shared/counted.ts';

const haystack = (rule: DraftRule) =>
  [rule.id, rule.title, rule.feedback, ...(rule.phrases ?? []), ...(rule.needs ?? []).flat()]
    .join('\n')
    .toLowerCase();

/** What a learner can do: the words for it, when it works, what it changes and what it costs. */
export function ScenarioRules({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}) {
  const [search, setSearch] = useState('');
  const { target } = useEditor();
  const rules = useItems<DraftRule>(draft.rules, (next) => onChange({ rules: next }));
  const wanted = search.trim().toLowerCase();
  const isShown = (rule: DraftRule, index: number) =>
    wanted === '' || haystack(rule).includes(wanted) || target?.key === `rules.${index}`;
  const shown = rules.items.filter(isShown).length;
  return (
    <div className="grid gap-9">
      <section data-at="rules" aria-labelledby="scenario-rules">
        <h3 id="scenario-rules" className="text-subheading">
          Rules
        </h3>
        <p className="mt-1 text-sm text-ink-soft">
          One for each thing a learner can do, the wrong ones too. Of the rules whose words fit and whose
          condition holds, the one with the most words found wins.
        </p>
        {rules.items.length > 5 && (
          <div className="mt-3">
            <Field label="Search the rules" hideLabel>
              <Input
                type="search"
                value={search}
                placeholder="Search titles, phrases and feedback"
                onChange={(event) => setSearch(event.target.value)}
              />
            </Field>
            <p role="status" className="mt-1.5 text-sm text-ink-soft">
              {wanted === ''
                ? counted(rules.items.length, 'rule')
                : `${shown} of ${counted(rules.items.length, 'rule')}`}
            </p>
          </div>
        )}
        <ol className="mt-3 grid gap-3">
          {rules.items.map((rule, index) => {
            const kind = `Rule ${index + 1}`;
            return (
              <li key={rules.keys[index]} hidden={!isShown(rule, index)}>
                <ItemCard
                  at={`rules.${index}`}
                  kind={kind}
                  title={rule.title}
                  note={noteOf(rule)}
                  fresh={rules.keys[index] === rules.fresh}
                  isFirst={index === 0}
                  isLast={index === rules.items.length - 1}
                  canMove={wanted === ''}
                  onMove={(by) => rules.move(index, by)}
                  onDuplicate={() => rules.add({ ...rule, id: freeId(rule.id, rules.items) }, index)}
                  onRemove={() => rules.remove(index, rule.title || kind)}
                >
                  <RuleForm
                    at={`rules.${index}`}
                    name={kind}
                    rule={rule}
                    others={rules.items.filter((_, other) => other !== index)}
                    onChange={(next) => rules.change(index, next)}
                  />
                </ItemCard>
              </li>
            );
          })}
        </ol>
        <div className="mt-3">
          <AddButton
            onClick={() => {
              setSearch('');
              rules.add({
                id: freeId('rule', rules.items),
                title: '',
                phrases: [],
                feedback: '',
                minutes: 1,
              });
            }}
          >
            Add rule
          </AddButton>
        </div>
      </section>
      <section data-at="synonyms" aria-labelledby="scenario-synonyms">
        <h3 id="scenario-synonyms" className="text-subheading">
          Words that mean the same
        </h3>
        <p className="mt-1 mb-3 text-sm text-ink-soft">
          Beside the general dictionary: one group in each line, its words separated by commas.
        </p>
        <GroupList
          at="synonyms"
          what="group"
          name="Words that mean the same"
          groups={draft.synonyms ?? []}
          onChange={(synonyms) => onChange({ synonyms })}
        />
      </section>
    </div>
  );
}

function noteOf({ minutes = 1, penalty = 0, ends }: DraftRule): string {
  return [`${minutes} min`, penalty > 0 && `−${penalty}`, ends && 'ends'].filter(Boolean).join(' · ');
}

function RuleForm({
  at,
  name,
  rule,
  others,
  onChange,
}: {
  at: string;
  name: string;
  rule: DraftRule;
  others: readonly DraftRule[];
  onChange: (rule: DraftRule) => void;
}) {
  const change = (part: Partial<DraftRule>) => onChange({ ...rule, ...part });
  return (
    <div className="grid gap-5">
      <LineField
        at={`${at}.title`}
        label="Title"
        hint="The action in your words; shown as a hint and in the path taken."
        required
        value={rule.title}
        onChange={(title) => change({ title })}
        onBlur={() =>
          isMadeId(rule.id) && idFrom(rule.title) && change({ id: freeId(idFrom(rule.title), others) })
        }
      />
      <LinesField
        at={`${at}.phrases`}
        label="Phrases"
        hint="What a learner may type, one in each line. All words of meaning must occur, in any order."
        value={rule.phrases ?? []}
        onChange={(phrases) => change({ phrases })}
      />
      <fieldset data-at={`${at}.needs`} className="min-w-0">
        <legend className="text-sm font-semibold">
          Or one word of each group <span className="font-normal text-ink-soft">(optional)</span>
        </legend>
        <p className="mb-2 text-sm text-ink-soft">
          Words separated by commas; of every group one must occur, such as “restart, reboot” and “server,
          host”.
        </p>
        <GroupList
          at={`${at}.needs`}
          what="group"
          name={`${name}, words`}
          groups={rule.needs ?? []}
          onChange={(needs) => change({ needs })}
        />
      </fieldset>
      <LinesField
        at={`${at}.unless`}
        label="Unless one of these occurs"
        optional
        hint="Words that mean something else is wanted, one in each line."
        rows={2}
        value={rule.unless ?? []}
        onChange={(unless) => change({ unless })}
      />
      <ConditionEditor
        at={`${at}.when`}
        label="It works when"
        value={rule.when}
        onChange={(when) => change({ when })}
      />
      <BlockField
        at={`${at}.blocked`}
        label="Said when the words fit and it does not work now"
        optional
        hint="Without it, the learner is told that the action was not understood."
        rows={2}
        max={2000}
        value={rule.blocked ?? ''}
        onChange={(blocked) => {
          const { blocked: _, ...rest } = rule;
          onChange(blocked === '' ? rest : { ...rest, blocked });
        }}
      />
      <EffectsEditor
        at={`${at}.effects`}
        name={name}
        effects={(rule.effects ?? []) as Parameters<typeof EffectsEditor>[0]['effects']}
        onChange={(effects) => change({ effects })}
      />
      <BlockField
        at={`${at}.feedback`}
        label="Feedback"
        hint="What the learner reads when it is done."
        required
        max={2000}
        value={rule.feedback}
        onChange={(feedback) => change({ feedback })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberField
          at={`${at}.minutes`}
          label="Cost in minutes"
          hint="On the situation’s clock."
          value={rule.minutes ?? 1}
          onChange={(minutes) => change({ minutes })}
        />
        <NumberField
          at={`${at}.penalty`}
          label="Penalty"
          hint="Points taken off, 0 to 100."
          value={rule.penalty ?? 0}
          onChange={(penalty) => change({ penalty })}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Checkbox
          label="Counts once"
          hint="A repeat changes nothing and says so."
          checked={rule.once ?? false}
          onCheckedChange={(checked) => change({ once: checked === true })}
        />
        <Checkbox
          label="Ends the run"
          hint="Such as a mistake beyond repair."
          checked={rule.ends ?? false}
          onCheckedChange={(checked) => change({ ends: checked === true })}
        />
      </div>
      <LineField
        at={`${at}.id`}
        label="Id"
        hint="The name in the file and in reports; it follows from the title."
        max={60}
        value={rule.id}
        onChange={(id) => change({ id })}
      />
    </div>
  );
}

/** Groups of words, each in a line with commas; a word that holds a comma itself shows its group as JSON. */
function GroupList({
  at,
  what,
  name,
  groups,
  onChange,
}: {
  at: string;
  what: string;
  name: string;
  groups: readonly string[][];
  onChange: (groups: string[][]) => void;
}) {
  const { findings } = useEditor();
  const { keys, change, add, remove } = useItems(groups, onChange);
  return (
    <>
      {groups.length > 0 && (
        <ul className="mb-2.5 grid gap-2.5">
          {groups.map((group, index) => {
            const error = findings.find(({ place }) =>
              `${place.join('.')}.`.startsWith(`${at}.${index}.`),
            )?.message;
            const label = `${name}, ${what} ${index + 1}`;
            return (
              <li key={keys[index]} data-at={`${at}.${index}`}>
                <div className="flex items-start gap-1">
                  {group.some((word) => /[,\n]|^\s|\s$/.test(word) || word === '') ? (
                    <JsonField
                      label={label}
                      value={group}
                      rows={1}
                      onChange={(value) => Array.isArray(value) && change(index, value.map(String))}
                    />
                  ) : (
                    <CommaInput
                      label={label}
                      value={group}
                      invalid={Boolean(error)}
                      onChange={(words) => change(index, words)}
                    />
                  )}
                  <RemoveButton
                    label={`Remove: ${label}`}
                    onClick={() => remove(index, group.join(', ') || label)}
                  />
                </div>
                {error && <p className={`${errorClass} mt-1`}>{error}</p>}
              </li>
            );
          })}
        </ul>
      )}
      <AddButton onClick={() => add([])}>Add {what}</AddButton>
    </>
  );
}

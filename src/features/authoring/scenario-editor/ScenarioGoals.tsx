import { Checkbox } from '#src/components/Checkbox.tsx';
import { ConditionEditor } from './ScenarioConditions.tsx';
import { AddButton, ItemCard, LineField, NumberField, useEditor, useItems } from './ScenarioFields.tsx';
import { conditionText, nodeOf } from './scenario-conditions.ts';
import { type Draft, type DraftGoal, freeId, isMadeId, idFrom } from './scenario-draft.ts';

/** What is to be reached, with the share of the points that each goal gives. */
export function ScenarioGoals({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}) {
  const { variables } = useEditor();
  const goals = useItems<DraftGoal>(draft.goals, (next) => onChange({ goals: next }));
  const all = draft.goals.reduce((sum, { weight }) => sum + (weight || 0), 0);
  return (
    <section data-at="goals" aria-labelledby="scenario-goals">
      <h3 id="scenario-goals" className="text-subheading">
        Goals
      </h3>
      <p className="mt-1 text-sm text-ink-soft">
        A run is over when all required goals are met. The score is the share of the weights of the goals that
        are met, less penalties.
      </p>
      <ol className="mt-3 grid gap-3">
        {goals.items.map((goal, index) => {
          const at = `goals.${index}`;
          const kind = `Goal ${index + 1}`;
          const others = goals.items.filter((_, other) => other !== index);
          const change = (part: Partial<DraftGoal>) => goals.change(index, { ...goal, ...part });
          return (
            <li key={goals.keys[index]}>
              <ItemCard
                at={at}
                kind={kind}
                title={goal.title}
                note={all > 0 ? `${Math.round((100 * (goal.weight || 0)) / all)}%` : undefined}
                fresh={goals.keys[index] === goals.fresh}
                isFirst={index === 0}
                isLast={index === goals.items.length - 1}
                onMove={(by) => goals.move(index, by)}
                onDuplicate={() => goals.add({ ...goal, id: freeId(goal.id, goals.items) }, index)}
                onRemove={() => goals.remove(index, goal.title || kind)}
              >
                <div className="grid gap-5">
                  <div className="grid gap-5 sm:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
                    <LineField
                      at={`${at}.title`}
                      label="Title"
                      hint="As learners read it."
                      required
                      value={goal.title}
                      onChange={(title) => change({ title })}
                      onBlur={() =>
                        isMadeId(goal.id) &&
                        idFrom(goal.title) &&
                        change({ id: freeId(idFrom(goal.title), others) })
                      }
                    />
                    <NumberField
                      at={`${at}.weight`}
                      label="Weight"
                      hint="1 to 100."
                      required
                      value={goal.weight}
                      onChange={(weight) => change({ weight })}
                    />
                  </div>
                  <ConditionEditor
                    at={`${at}.when`}
                    label="It is met when"
                    value={goal.when}
                    onChange={(when) => change({ when })}
                  />
                  <Checkbox
                    label="Required"
                    hint="The run goes on until it is met."
                    checked={goal.required ?? true}
                    onCheckedChange={(checked) => change({ required: checked === true })}
                  />
                  <LineField
                    at={`${at}.id`}
                    label="Id"
                    hint="The name in the file; it follows from the title."
                    max={60}
                    value={goal.id}
                    onChange={(id) => change({ id })}
                  />
                  <p className="text-sm text-ink-soft">In words: {conditionText(nodeOf(goal.when))}.</p>
                </div>
              </ItemCard>
            </li>
          );
        })}
      </ol>
      <div className="mt-3">
        <AddButton
          onClick={() =>
            goals.add({
              id: freeId('goal', goals.items),
              title: '',
              weight: 10,
              when: { var: variables[0]?.name ?? '' },
            })
          }
        >
          Add goal
        </AddButton>
      </div>
    </section>
  );
}

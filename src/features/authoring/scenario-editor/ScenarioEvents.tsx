import { Checkbox } from '#src/components/Checkbox.tsx';
import { ConditionEditor } from './ScenarioConditions.tsx';
import { EffectsEditor } from './ScenarioEffects.tsx';
import { AddButton, BlockField, ItemCard, LineField, NumberField, useItems } from './ScenarioFields.tsx';
import { type Draft, type DraftEvent, freeId } from './scenario-draft.ts';

/** What happens by itself once enough minutes have passed. */
export function ScenarioEvents({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}) {
  const events = useItems<DraftEvent>(draft.events ?? [], (next) => onChange({ events: next }));
  return (
    <section data-at="events" aria-labelledby="scenario-events">
      <h3 id="scenario-events" className="text-subheading">
        Events
      </h3>
      <p className="mt-1 text-sm text-ink-soft">
        What happens by itself, once each, when the situation’s clock has come so far. Every action moves the
        clock by its cost.
      </p>
      <ol className="mt-3 grid gap-3">
        {events.items.map((event, index) => {
          const at = `events.${index}`;
          const kind = `Event ${index + 1}`;
          const change = (part: Partial<DraftEvent>) => events.change(index, { ...event, ...part });
          return (
            <li key={events.keys[index]}>
              <ItemCard
                at={at}
                kind={kind}
                title={event.id}
                note={`after ${event.after} min`}
                fresh={events.keys[index] === events.fresh}
                isFirst={index === 0}
                isLast={index === events.items.length - 1}
                onMove={(by) => events.move(index, by)}
                onDuplicate={() => events.add({ ...event, id: freeId(event.id, events.items) }, index)}
                onRemove={() => events.remove(index, event.id || kind)}
              >
                <div className="grid gap-5">
                  <div className="grid gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
                    <LineField
                      at={`${at}.id`}
                      label="Name"
                      hint="Lower-case letters, digits and dashes; learners do not see it."
                      required
                      max={60}
                      value={event.id}
                      onChange={(id) => change({ id })}
                    />
                    <NumberField
                      at={`${at}.after`}
                      label="After minutes"
                      hint="On the situation’s clock."
                      required
                      value={event.after}
                      onChange={(after) => change({ after })}
                    />
                  </div>
                  <ConditionEditor
                    at={`${at}.when`}
                    label="It happens only when"
                    value={event.when}
                    onChange={(when) => change({ when })}
                  />
                  <EffectsEditor
                    at={`${at}.effects`}
                    name={kind}
                    effects={(event.effects ?? []) as Parameters<typeof EffectsEditor>[0]['effects']}
                    onChange={(effects) => change({ effects })}
                  />
                  <BlockField
                    at={`${at}.feedback`}
                    label="Feedback"
                    hint="What the learner reads when it happens."
                    required
                    max={2000}
                    value={event.feedback}
                    onChange={(feedback) => change({ feedback })}
                  />
                  <NumberField
                    at={`${at}.penalty`}
                    label="Penalty"
                    hint="Points taken off, 0 to 100."
                    className="sm:max-w-60"
                    value={event.penalty ?? 0}
                    onChange={(penalty) => change({ penalty })}
                  />
                  <Checkbox
                    label="Ends the run"
                    checked={event.ends ?? false}
                    onCheckedChange={(checked) => change({ ends: checked === true })}
                  />
                </div>
              </ItemCard>
            </li>
          );
        })}
      </ol>
      <div className="mt-3">
        <AddButton
          onClick={() =>
            events.add({ id: freeId('event', events.items), after: 10, feedback: '', effects: [] })
          }
        >
          Add event
        </AddButton>
      </div>
    </section>
  );
}

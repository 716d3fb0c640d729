import { LEVELS, levelLabel } from '#src/features/catalogue/catalogue.ts';
import { SCENARIO_TYPES } from '#src/features/scenario/limits.ts';
import { TYPE_LABELS } from '#src/features/scenario/texts.ts';
import {
  AddButton,
  BlockField,
  ChoiceField,
  ItemCard,
  LineField,
  NumberField,
  useItems,
} from './ScenarioFields.tsx';
import type { Draft, DraftResource } from './scenario-draft.ts';

const TYPES = SCENARIO_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }));
const DIFFICULTIES = LEVELS.map((value) => ({ value, label: levelLabel(value) }));

/** An option for what somebody wrote and the list does not have, so that it stays until it is changed. */
const withOwn = (options: { value: string; label: string }[], value: string) =>
  options.some((option) => option.value === value)
    ? options
    : [{ value, label: `${value} (unknown)` }, ...options];

/** What a learner reads first: kind, title, the situation in words, the time and the resources. */
export function ScenarioOverview({
  draft,
  onChange,
}: {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}) {
  const resources = useItems<DraftResource>(draft.resources ?? [], (next) => onChange({ resources: next }));
  return (
    <div className="grid gap-5">
      <LineField
        at="title"
        label="Title"
        required
        value={draft.title}
        onChange={(title) => onChange({ title })}
      />
      <div className="grid gap-5 sm:grid-cols-3">
        <ChoiceField
          at="type"
          label="Type"
          value={draft.type}
          options={withOwn(TYPES, draft.type)}
          onChange={(type) => onChange({ type: type as Draft['type'] })}
        />
        <ChoiceField
          at="difficulty"
          label="Difficulty"
          value={draft.difficulty ?? 'intermediate'}
          options={withOwn(DIFFICULTIES, draft.difficulty ?? 'intermediate')}
          onChange={(difficulty) => onChange({ difficulty: difficulty as NonNullable<Draft['difficulty']> })}
        />
        <NumberField
          at="timeLimit"
          label="Time limit in minutes"
          required
          value={draft.timeLimit}
          onChange={(timeLimit) => onChange({ timeLimit })}
        />
      </div>
      <BlockField
        at="description"
        label="Description"
        hint="What has happened and what the learner is to do. Markdown."
        required
        rows={8}
        max={8000}
        value={draft.description}
        onChange={(description) => onChange({ description })}
      />
      <section data-at="resources" aria-labelledby="scenario-resources">
        <h3 id="scenario-resources" className="text-subheading">
          Resources
        </h3>
        <p className="mt-1 text-sm text-ink-soft">
          What a learner can read up during the run: diagrams in words, commands, house rules.
        </p>
        <ol className="mt-3 grid gap-3">
          {resources.items.map((resource, index) => {
            const at = `resources.${index}`;
            const kind = `Resource ${index + 1}`;
            return (
              <li key={resources.keys[index]}>
                <ItemCard
                  at={at}
                  kind={kind}
                  title={resource.title}
                  fresh={resources.keys[index] === resources.fresh}
                  isFirst={index === 0}
                  isLast={index === resources.items.length - 1}
                  onMove={(by) => resources.move(index, by)}
                  onDuplicate={() => resources.add(resource, index)}
                  onRemove={() => resources.remove(index, resource.title || kind)}
                >
                  <div className="grid gap-5">
                    <LineField
                      at={`${at}.title`}
                      label="Title"
                      required
                      value={resource.title}
                      onChange={(title) => resources.change(index, { ...resource, title })}
                    />
                    <BlockField
                      at={`${at}.text`}
                      label="Text"
                      hint="Markdown."
                      required
                      rows={5}
                      max={8000}
                      value={resource.text}
                      onChange={(text) => resources.change(index, { ...resource, text })}
                    />
                  </div>
                </ItemCard>
              </li>
            );
          })}
        </ol>
        <div className="mt-3">
          <AddButton onClick={() => resources.add({ title: '', text: '' })}>Add resource</AddButton>
        </div>
      </section>
    </div>
  );
}

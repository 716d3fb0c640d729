import { LEVELS, levelLabel } from '#src/features/catalogue/catalogue.ts';
import { SCENARIO_TYPES } from '#src/features/scenario/limits.ts';
import { TYPE_LABELS } from '#src/features/scenario/texts.ts';
import { FormFields } from './FormFields.tsx';
import type { ListForm } from './ItemList.tsx';
import { FactList } from './PanelFacts.tsx';
import { conditionText, nodeOf } from './scenario-conditions.ts';
import { type Draft, freeId, isMadeId, idFrom, type Variable } from './scenario-draft.ts';
import type { FieldOf } from './scenario-field.ts';
import { counted } from '#src/shared/counted.ts';

const TYPES = SCENARIO_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }));
const DIFFICULTIES = LEVELS.map((value) => ({ value, label: levelLabel(value) }));

type Voice = NonNullable<Draft['voice']>;
const VOICE: readonly FieldOf<Voice>[] = [
  {
    as: 'line',
    name: 'name',
    label: 'Who answers',
    hint: 'Says what an action that is not understood lacks, such as “Jo from support”. Without a name, nobody in particular does.',
    optional: true,
    max: 60,
  },
  {
    as: 'lines',
    name: 'lost',
    label: 'What they say then',
    hint: 'One sentence in each line, such as “I do not follow.” The nudge of a goal comes after it.',
    optional: true,
    rows: 3,
  },
];

export const OVERVIEW: readonly FieldOf<Draft>[] = [
  { as: 'line', name: 'title', label: 'Title', required: true },
  {
    as: 'row',
    name: 'kind',
    className: 'gap-5 sm:grid-cols-3',
    fields: [
      { as: 'choice', name: 'type', label: 'Type', options: TYPES },
      {
        as: 'choice',
        name: 'difficulty',
        label: 'Difficulty',
        options: DIFFICULTIES,
        initial: 'intermediate',
      },
      { as: 'number', name: 'timeLimit', label: 'Time limit in minutes', required: true },
    ],
  },
  {
    as: 'markdown',
    name: 'description',
    label: 'Description',
    hint: 'What has happened and what the learner is to do. Markdown.',
    required: true,
    max: 8000,
  },
  {
    as: 'other',
    name: 'voice',
    draw: ({ item, onChange }) => {
      const voice = item.voice ?? { name: '', lost: [] };
      const change = (part: Partial<Voice>) => {
        const next = { ...voice, ...part, name: 'name' in part ? (part.name ?? '') : voice.name };
        const isEmpty = next.name === '' && (next.lost ?? []).length === 0;
        onChange({ voice: isEmpty ? undefined : next });
      };
      return (
        <FormFields
          key="voice"
          fields={VOICE}
          form={{ item: voice, at: 'voice', name: 'Who answers', others: [], onChange: change }}
        />
      );
    },
  },
];

const firstOf = (variables: readonly Variable[]) => ({ var: variables[0]?.name ?? '' });

function idFromTitle<T extends { id: string; title: string }>({ id, title }: T, others: readonly T[]) {
  const wanted = idFrom(title);
  return isMadeId(id) && wanted ? ({ id: freeId(wanted, others) } as Partial<T>) : undefined;
}

export const RESOURCES: ListForm<'resources'> = {
  list: 'resources',
  kind: 'Resource',
  heading: 'Resources',
  hint: 'What a learner can read up during the run: diagrams in words, commands, house rules.',
  titleOf: ({ title }) => title,
  blank: () => ({ title: '', text: '' }),
  fields: [
    { as: 'line', name: 'title', label: 'Title', required: true },
    { as: 'markdown', name: 'text', label: 'Text', hint: 'Markdown.', required: true, max: 8000 },
  ],
};

export const PANELS: ListForm<'panels'> = {
  list: 'panels',
  kind: 'Panel',
  heading: 'Panels',
  hint: 'What a learner sees of the situation, in groups of lines.',
  titleOf: ({ title }) => title,
  noteOf: ({ facts }) => counted(facts.length, 'line'),
  blank: (_, variables) => ({ title: '', facts: [{ label: '', value: firstOf(variables) }] }),
  fields: [
    { as: 'line', name: 'title', label: 'Title', required: true },
    {
      as: 'other',
      name: 'facts',
      draw: ({ item, at, onChange }) => (
        <FactList at={`${at}.facts`} facts={item.facts} onChange={(facts) => onChange({ facts })} />
      ),
    },
  ],
};

export const GOALS: ListForm<'goals'> = {
  list: 'goals',
  kind: 'Goal',
  heading: 'Goals',
  hint: 'A run is over when all required goals are met. The score is the share of the weights of the goals that are met, less penalties.',
  titleOf: ({ title }) => title,
  noteOf: (goal, goals) => {
    const all = goals.reduce((sum, { weight }) => sum + (weight || 0), 0);
    return all > 0 ? `${Math.round((100 * (goal.weight || 0)) / all)}%` : undefined;
  },
  blank: (goals, variables) => ({
    id: freeId('goal', goals),
    title: '',
    weight: 10,
    when: firstOf(variables),
  }),
  fields: [
    {
      as: 'row',
      name: 'head',
      className: 'gap-5 sm:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]',
      fields: [
        {
          as: 'line',
          name: 'title',
          label: 'Title',
          hint: 'As learners read it.',
          required: true,
          onLeave: idFromTitle,
        },
        { as: 'number', name: 'weight', label: 'Weight', hint: '1 to 100.', required: true },
      ],
    },
    { as: 'condition', name: 'when', label: 'It is met when' },
    {
      as: 'block',
      name: 'nudge',
      label: 'Nudge',
      optional: true,
      hint: 'Said to a learner who is lost while it is open. It leads towards the goal and names no action.',
      rows: 2,
      max: 2000,
    },
    {
      as: 'check',
      name: 'required',
      label: 'Required',
      hint: 'The run goes on until it is met.',
      initial: true,
    },
    {
      as: 'line',
      name: 'id',
      label: 'Id',
      hint: 'The name in the file; it follows from the title.',
      max: 60,
    },
    {
      as: 'other',
      name: 'words',
      draw: ({ item }) => (
        <p className="text-sm text-ink-soft">In words: {conditionText(nodeOf(item.when))}.</p>
      ),
    },
  ],
};

export const RULES: ListForm<'rules'> = {
  list: 'rules',
  kind: 'Rule',
  heading: 'Rules',
  hint: 'One for each thing a learner can do, the wrong ones too. Of the rules whose words fit and whose condition holds, the one with the most words found wins.',
  titleOf: ({ title }) => title,
  noteOf: ({ minutes = 1, penalty = 0, ends }) =>
    [`${minutes} min`, penalty > 0 && `−${penalty}`, ends && 'ends'].filter(Boolean).join('\u00a0· '),
  blank: (rules) => ({ id: freeId('rule', rules), title: '', phrases: [], feedback: '', minutes: 1 }),
  search: {
    placeholder: 'Search titles, phrases and feedback',
    textOf: ({ id, title, feedback, phrases = [], needs = [] }) =>
      [id, title, feedback, ...phrases, ...needs.flat()].join('\n'),
  },
  fields: [
    {
      as: 'line',
      name: 'title',
      label: 'Title',
      hint: 'The action in your words; shown as a hint and in the path taken.',
      required: true,
      onLeave: idFromTitle,
    },
    {
      as: 'lines',
      name: 'phrases',
      label: 'Phrases',
      hint: 'What a learner may type, one in each line. All words of meaning must occur, in any order.',
    },
    {
      as: 'groups',
      name: 'needs',
      label: 'Or one word of each group',
      optional: true,
      hint: 'Words separated by commas; of every group one must occur, such as “restart, reboot” and “server, host”.',
    },
    {
      as: 'lines',
      name: 'unless',
      label: 'Unless one of these occurs',
      optional: true,
      hint: 'Words that mean something else is wanted, one in each line.',
      rows: 2,
    },
    { as: 'condition', name: 'when', label: 'It works when' },
    {
      as: 'block',
      name: 'blocked',
      label: 'Said when the words fit and it does not work now',
      optional: true,
      hint: 'Without it, the learner is told that the action was not understood.',
      rows: 2,
      max: 2000,
    },
    { as: 'effects', name: 'effects' },
    {
      as: 'block',
      name: 'feedback',
      label: 'Feedback',
      hint: 'What the learner reads when it is done.',
      required: true,
      max: 2000,
    },
    {
      as: 'row',
      name: 'cost',
      className: 'gap-5 sm:grid-cols-2',
      fields: [
        {
          as: 'number',
          name: 'minutes',
          label: 'Cost in minutes',
          hint: 'On the situation’s clock.',
          initial: 1,
        },
        { as: 'number', name: 'penalty', label: 'Penalty', hint: 'Points taken off, 0 to 100.' },
      ],
    },
    {
      as: 'row',
      name: 'flags',
      className: 'gap-4 sm:grid-cols-2',
      fields: [
        {
          as: 'check',
          name: 'once',
          label: 'Counts once',
          hint: 'A repeat changes nothing and says so.',
        },
        { as: 'check', name: 'ends', label: 'Ends the run', hint: 'Such as a mistake beyond repair.' },
      ],
    },
    {
      as: 'line',
      name: 'id',
      label: 'Id',
      hint: 'The name in the file and in reports; it follows from the title.',
      max: 60,
    },
  ],
};

export const EVENTS: ListForm<'events'> = {
  list: 'events',
  kind: 'Event',
  heading: 'Events',
  hint: 'What happens by itself, once each, when the situation’s clock has come so far. Every action moves the clock by its cost.',
  titleOf: ({ id }) => id,
  noteOf: ({ after }) => `after ${after} min`,
  blank: (events) => ({ id: freeId('event', events), after: 10, feedback: '', effects: [] }),
  fields: [
    {
      as: 'row',
      name: 'head',
      className: 'gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]',
      fields: [
        {
          as: 'line',
          name: 'id',
          label: 'Name',
          hint: 'Lower-case letters, digits and dashes; learners do not see it.',
          required: true,
          max: 60,
        },
        {
          as: 'number',
          name: 'after',
          label: 'After minutes',
          hint: 'On the situation’s clock.',
          required: true,
        },
      ],
    },
    { as: 'condition', name: 'when', label: 'It happens only when' },
    { as: 'effects', name: 'effects' },
    {
      as: 'block',
      name: 'feedback',
      label: 'Feedback',
      hint: 'What the learner reads when it happens.',
      required: true,
      max: 2000,
    },
    {
      as: 'number',
      name: 'penalty',
      label: 'Penalty',
      hint: 'Points taken off, 0 to 100.',
      className: 'sm:max-w-60',
    },
    { as: 'check', name: 'ends', label: 'Ends the run' },
  ],
};

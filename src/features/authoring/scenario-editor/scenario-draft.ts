import { slugOf } from '#src/shared/slug.ts';
import { z } from 'zod';
import type { Condition, Json, ScenarioInput, State } from '#src/features/scenario/scenario.ts';
import { sameJson } from './scenario-conditions.ts';

export type Draft = ScenarioInput;
type DraftRule = Draft['rules'][number];
type DraftPanel = Draft['panels'][number];
export type DraftFact = DraftPanel['facts'][number];

const json = z.json() as z.ZodType<Json>;
const texts = z.array(z.string('must be text'), 'must be a list of texts');
const groups = z.array(texts, 'must be a list of lists of texts');
const number = z.number('must be a number');
const flag = z.boolean('must be true or false');
const written = (label = 'must be text') => z.string(label);
const list = <S extends z.ZodType>(item: S) => z.array(item, 'must be a list');
const effects = list(z.looseObject({ op: written().default('replace'), path: written().default('') }));

const shape = z.looseObject({
  title: written().default(''),
  description: written().default(''),
  type: written().default('debugging'),
  difficulty: written().optional(),
  timeLimit: number.default(30),
  goals: list(
    z.looseObject({
      id: written().default(''),
      title: written().default(''),
      weight: number.default(10),
      required: flag.optional(),
      when: json.default(true),
      nudge: written().optional(),
    }),
  ).default([]),
  voice: z.looseObject({ name: written().default(''), lost: texts.optional() }).optional(),
  resources: list(z.looseObject({ title: written().default(''), text: written().default('') })).optional(),
  panels: list(
    z.looseObject({
      title: written().default(''),
      facts: list(
        z.looseObject({
          label: written().default(''),
          value: json.default(''),
          unit: written().optional(),
          tone: list(z.looseObject({ when: json.default(true), tone: written().default('good') })).optional(),
        }),
      ).default([]),
    }),
  ).default([]),
  state: z.record(z.string(), json, 'must hold names and values').default({}),
  synonyms: groups.optional(),
  rules: list(
    z.looseObject({
      id: written().default(''),
      title: written().default(''),
      phrases: texts.optional(),
      needs: groups.optional(),
      unless: texts.optional(),
      when: json.optional(),
      effects: effects.optional(),
      feedback: written().default(''),
      blocked: written().optional(),
      minutes: number.optional(),
      penalty: number.optional(),
      once: flag.optional(),
      ends: flag.optional(),
    }),
  ).default([]),
  events: list(
    z.looseObject({
      id: written().default(''),
      after: number.default(10),
      when: json.optional(),
      effects: effects.optional(),
      feedback: written().default(''),
      penalty: number.optional(),
      ends: flag.optional(),
    }),
  ).optional(),
});

interface ShapeProblem {
  path: (string | number)[];
  message: string;
}

/** Any value as a draft, or why the form cannot show it. */
export function readDraft(
  value: unknown,
): { draft: Draft; problem?: never } | { draft?: never; problem: ShapeProblem } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: { path: [], message: 'A scenario is a list of fields, such as title: and rules:' } };
  const read = shape.safeParse(value);
  if (read.success) return { draft: read.data as unknown as Draft };
  const { path, message, code } = read.error.issues[0]!;
  const at = path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const reason = message.startsWith('must')
    ? message
    : code === 'invalid_type'
      ? 'must hold named fields'
      : 'holds a value that cannot be stored';
  return { problem: { path: at, message: `${at.join('.')} ${reason}` } };
}

/** A scenario to begin with: small, whole, and passing the check. */
export function newScenario(): Draft {
  return {
    title: '',
    description: '',
    type: 'debugging',
    difficulty: 'intermediate',
    timeLimit: 30,
    goals: [{ id: 'fixed', title: 'It works again', weight: 100, when: { var: 'fixed' } }],
    resources: [],
    panels: [{ title: 'Situation', facts: [{ label: 'Fixed', value: { var: 'fixed' } }] }],
    state: { fixed: false },
    synonyms: [],
    rules: [],
    events: [],
  };
}

/** An id from a title, such as `restart-the-server`, which begins with a letter. */
export const idFrom = (title: string): string => slugOf(title, 40).replace(/^[^a-z]+/, '');

/** The wanted id, with a number behind it where it is taken. */
export function freeId(wanted: string, taken: readonly { id: string }[]): string {
  const ids = new Set(taken.map(({ id }) => id));
  if (!ids.has(wanted)) return wanted;
  let count = 2;
  while (ids.has(`${wanted}-${count}`)) count += 1;
  return `${wanted}-${count}`;
}

/** Whether an id was made by the editor and may follow the title. */
export const isMadeId = (id: string) => id === '' || /^(rule|goal|event)(-\d+)?$/.test(id);

export interface Variable {
  name: string;
  value: Json;
  isKey?: true;
}

const isBranch = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((key) => key !== '' && !/[./~]/.test(key));

export function variablesOf(state: State): Variable[] {
  const found: Variable[] = [];
  const visit = (value: Json, name: string) => {
    if (isBranch(value)) for (const [key, part] of Object.entries(value)) visit(part, `${name}.${key}`);
    else found.push({ name, value });
  };
  for (const [key, value] of Object.entries(state)) {
    if (/[./~]/.test(key) || key === '') found.push({ name: key, value, isKey: true });
    else visit(value, key);
  }
  return found;
}

export function stateOf(variables: readonly Variable[]): State {
  const state: State = {};
  for (const { name, value, isKey } of variables) {
    const parts = isKey ? [name] : name.split('.');
    let place: State = state;
    for (const part of parts.slice(0, -1)) {
      const inner = Object.hasOwn(place, part) ? place[part] : undefined;
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) {
        Object.defineProperty(place, part, {
          value: {},
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
      place = place[part] as State;
    }
    Object.defineProperty(place, parts.at(-1)!, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return state;
}

/** Why a variable cannot have this name, or null. */
export function nameProblem(name: string, others: readonly string[]): string | null {
  if (!/^[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/.test(name))
    return 'Letters, digits, - and _, with dots between the parts, such as disk.used';
  if (name === 'minutes') return '“minutes” is the situation’s clock';
  if (name.split('.').includes('__proto__')) return 'This name cannot be used';
  for (const other of others) {
    if (other === name) return `There is a variable “${name}” already`;
    if (other.startsWith(`${name}.`) || name.startsWith(`${other}.`))
      return `“${name}” and “${other}” cannot both hold a value`;
  }
  return null;
}

function renamedIn(condition: Json, from: string, to: string): Json {
  if (Array.isArray(condition)) return condition.map((part) => renamedIn(part, from, to));
  if (typeof condition !== 'object' || condition === null) return condition;
  return Object.fromEntries(
    Object.entries(condition).map(([key, value]) => {
      if (key !== 'var') return [key, renamedIn(value, from, to)];
      if (value === from) return [key, to];
      if (Array.isArray(value) && value[0] === from) return [key, [to, ...value.slice(1)]];
      return [key, value];
    }),
  );
}

/** A draft with one variable renamed wherever it is read or changed. */
export function withRenamedVariable(draft: Draft, from: string, to: string): Draft {
  const condition = <T extends Condition | undefined>(value: T) =>
    value === undefined ? value : (renamedIn(value, from, to) as T);
  const oldPath = `/${from.replaceAll('.', '/')}`;
  const newPath = `/${to.replaceAll('.', '/')}`;
  const path = (old: string) =>
    old === oldPath || old.startsWith(`${oldPath}/`) ? newPath + old.slice(oldPath.length) : old;
  const changed = <T extends { when?: Json | undefined; effects?: DraftRule['effects'] }>(one: T): T => ({
    ...one,
    ...(one.when !== undefined && { when: condition(one.when) }),
    ...(one.effects && {
      effects: one.effects.map((effect) => ({
        ...effect,
        path: path(effect.path),
        ...(typeof effect.value === 'object' &&
          effect.value !== null &&
          'logic' in effect.value && { value: renamedIn(effect.value, from, to) }),
      })),
    }),
  });
  const variables = variablesOf(draft.state).map((one) =>
    one.name === from ? { name: to, value: one.value } : one,
  );
  return {
    ...draft,
    state: stateOf(variables),
    goals: draft.goals.map(changed),
    rules: draft.rules.map(changed),
    ...(draft.events && { events: draft.events.map(changed) }),
    panels: draft.panels.map((panel) => ({
      ...panel,
      facts: panel.facts.map((fact) => ({
        ...fact,
        value: condition(fact.value),
        ...(fact.tone && { tone: fact.tone.map((tone) => ({ ...tone, when: condition(tone.when) })) }),
      })),
    })),
  };
}

/** How many goals, rules, events and panels name a variable. */
export function usesOf(draft: Draft, name: string): number {
  const used = (part: { [key: string]: unknown }) =>
    !sameJson(part, withRenamedPart(part as unknown as DraftRule, draft, name));
  return [...draft.goals, ...draft.rules, ...(draft.events ?? []), ...draft.panels].filter((part) =>
    used(part as { [key: string]: unknown }),
  ).length;
}

function withRenamedPart(part: unknown, draft: Draft, name: string): unknown {
  const isPanel = typeof part === 'object' && part !== null && 'facts' in part;
  const alone = {
    ...draft,
    goals: [],
    events: [],
    rules: isPanel ? [] : [part as DraftRule],
    panels: isPanel ? [part as DraftPanel] : [],
  };
  const renamed = withRenamedVariable(alone, name, `${name}-`);
  return isPanel ? renamed.panels[0] : renamed.rules[0];
}

const SECTIONS = ['overview', 'situation', 'goals', 'rules', 'events', 'play', 'source'] as const;
export type Section = (typeof SECTIONS)[number];

/** A finding's place in the draft: `rules.restart` and `rules.4` are both `['rules', 4]`. */
export function placeOf(at: string, draft: Draft): (string | number)[] {
  const [field = '', second, ...rest] = at.split('.');
  if (second === undefined) return [field];
  const items = (draft as unknown as Record<string, unknown>)[field];
  const index =
    Array.isArray(items) && !/^\d+$/.test(second)
      ? items.findIndex(({ id }) => id === second)
      : Number(second);
  if (!Array.isArray(items) || index < 0) return field === 'state' ? [field, second, ...rest] : [field];
  return [field, index, ...rest.map((part) => (/^\d+$/.test(part) ? Number(part) : part))];
}

/** Which part of the editor shows a place. */
export function sectionOf(place: readonly (string | number)[]): Section {
  const [field] = place;
  if (field === 'state' || field === 'panels') return 'situation';
  if (field === 'synonyms') return 'rules';
  return field === 'goals' || field === 'rules' || field === 'events' ? field : 'overview';
}

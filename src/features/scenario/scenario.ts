import { z } from 'zod';
import { SCENARIO_TYPES, TIME_LIMIT_MAX_MINUTES } from './limits.ts';

const OPERATORS = new Set([
  'var',
  '==',
  '===',
  '!=',
  '!==',
  '>',
  '>=',
  '<',
  '<=',
  '!',
  '!!',
  'and',
  'or',
  'if',
  'in',
  '+',
  '-',
  '*',
  'min',
  'max',
]);

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type State = { [key: string]: Json };
/** `{"var": "minutes"}` is the situation's clock. */
export type Condition = Json;

/** Says what is wrong with a condition, or null. */
function conditionProblem(condition: unknown, depth = 0): string | null {
  if (depth > 12) return 'is nested too deeply';
  if (Array.isArray(condition)) {
    for (const part of condition) {
      const problem = conditionProblem(part, depth + 1);
      if (problem) return problem;
    }
    return null;
  }
  if (typeof condition !== 'object' || condition === null) return null;
  const keys = Object.keys(condition);
  if (keys.length !== 1) return 'needs exactly one operator at each level';
  const operator = keys[0]!;
  if (!OPERATORS.has(operator))
    return `does not know the operator "${operator}" (known: ${[...OPERATORS].join(' ')})`;
  return conditionProblem((condition as Record<string, unknown>)[operator], depth + 1);
}

const json = z.json() as z.ZodType<Json, Json>;
const condition = json.superRefine((value, context) => {
  const problem = conditionProblem(value);
  if (problem) context.addIssue({ code: 'custom', message: `The condition ${problem}` });
});
/** Whether a value of an effect is computed from the state when it happens. */
export function isComputed(value: Json | undefined): value is { logic: Condition } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'logic' in value;
}

const STATE_MAX_CHARACTERS = 20_000;

const identifier = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,59}$/,
    'An id is lower-case letters, digits and dashes, and starts with a letter',
  );
const sentence = z.string().trim().min(1).max(2000);
const short = z.string().trim().min(1).max(200);

/** JSON Patch; no scenario needs `from` and moves. */
const effect = z.strictObject({
  op: z.enum(['add', 'replace', 'remove']),
  path: z.string().regex(/^(\/[^/]+)+$/, 'A path starts with "/" and names a place in the state'),
  value: json
    .superRefine((value, context) => {
      if (!isComputed(value)) return;
      const problem = conditionProblem(value.logic);
      if (problem) context.addIssue({ code: 'custom', message: `The computed value ${problem}` });
    })
    .optional(),
});
export type Effect = z.output<typeof effect>;

const rule = z.strictObject({
  id: identifier,
  title: short,
  phrases: z.array(short).max(40).default([]),
  needs: z.array(z.array(short).min(1).max(30)).max(6).default([]),
  unless: z.array(short).max(20).default([]),
  when: condition.default(true),
  effects: z.array(effect).max(30).default([]),
  feedback: sentence,
  blocked: sentence.optional(),
  minutes: z.int().min(0).max(TIME_LIMIT_MAX_MINUTES).default(1),
  /** Points taken off the score (decision 53). */
  penalty: z.int().min(0).max(100).default(0),
  once: z.boolean().default(false),
  ends: z.boolean().default(false),
});
export type Rule = z.output<typeof rule>;

const event = z.strictObject({
  id: identifier,
  /** Minutes of the situation's clock after which it happens, once. */
  after: z.int().min(1).max(TIME_LIMIT_MAX_MINUTES),
  when: condition.default(true),
  effects: z.array(effect).max(30).default([]),
  feedback: sentence,
  penalty: z.int().min(0).max(100).default(0),
  ends: z.boolean().default(false),
});

const goal = z.strictObject({
  id: identifier,
  title: short,
  weight: z.int().min(1).max(100),
  required: z.boolean().default(true),
  when: condition,
  nudge: sentence.optional(),
});

const fact = z.strictObject({
  label: short,
  value: condition,
  unit: z.string().max(20).optional(),
  tone: z
    .array(z.strictObject({ when: condition, tone: z.enum(['good', 'warning', 'bad']) }))
    .max(5)
    .default([]),
});
const panel = z.strictObject({ title: short, facts: z.array(fact).min(1).max(12) });

const resource = z.strictObject({
  title: short,
  /** Markdown. */
  text: z.string().trim().min(1).max(8000),
});

const voice = z.strictObject({
  name: z.string().trim().min(1).max(60),
  lost: z.array(short).max(6).default([]),
});

/** A scenario as its author writes it (spec 3, decisions 51–53). */
export const scenarioDefinition = z
  .strictObject({
    title: short,
    description: z.string().trim().min(1).max(8000),
    type: z.enum(SCENARIO_TYPES),
    difficulty: z.enum(['beginner', 'intermediate', 'advanced']).default('intermediate'),
    /** Minutes of real time (spec 9). */
    timeLimit: z.int().min(1).max(TIME_LIMIT_MAX_MINUTES),
    goals: z.array(goal).min(1).max(20),
    voice: voice.optional(),
    resources: z.array(resource).max(20).default([]),
    panels: z.array(panel).min(1).max(12),
    state: z.record(z.string(), json),
    synonyms: z.array(z.array(short).min(2).max(30)).max(100).default([]),
    rules: z.array(rule).min(1).max(120),
    events: z.array(event).max(20).default([]),
  })
  .superRefine((scenario, context) => {
    const at = unstorable(scenario);
    if (at) {
      context.addIssue({ code: 'custom', path: at, message: 'There are characters that cannot be stored' });
    }
    if (JSON.stringify(scenario.state).length > STATE_MAX_CHARACTERS) {
      context.addIssue({
        code: 'custom',
        path: ['state'],
        message: `The initial state may have at most ${STATE_MAX_CHARACTERS.toLocaleString('en')} characters`,
      });
      return;
    }
    for (const [list, name] of [
      [scenario.rules, 'rules'],
      [scenario.events, 'events'],
      [scenario.goals, 'goals'],
    ] as const) {
      const seen = new Set<string>();
      for (const [index, { id }] of list.entries()) {
        if (seen.has(id))
          context.addIssue({ code: 'custom', path: [name, index, 'id'], message: `"${id}" is there twice` });
        seen.add(id);
      }
    }
    for (const [index, { id, phrases, needs }] of scenario.rules.entries()) {
      if (phrases.length + needs.length === 0) {
        context.addIssue({
          code: 'custom',
          path: ['rules', index],
          message: `The rule "${id}" has neither phrases nor needs: nobody can reach it`,
        });
      }
    }
    if ('minutes' in scenario.state) {
      context.addIssue({
        code: 'custom',
        path: ['state', 'minutes'],
        message: '"minutes" is the situation’s clock and cannot be part of the state',
      });
    }
    for (const [list, name] of [
      [scenario.rules, 'rules'],
      [scenario.events, 'events'],
    ] as const) {
      for (const [index, { effects }] of list.entries()) {
        for (const [position, { op, path, value }] of effects.entries()) {
          if (op !== 'remove' && value === undefined) {
            context.addIssue({
              code: 'custom',
              path: [name, index, 'effects', position],
              message: `The effect on ${path} needs a value`,
            });
          }
          if (!placeExists(scenario.state, path, op)) {
            context.addIssue({
              code: 'custom',
              path: [name, index, 'effects', position, 'path'],
              message: `The state has no place ${path}: write every place into the initial state`,
            });
          }
        }
      }
    }
  });
export type Scenario = z.output<typeof scenarioDefinition>;
export type ScenarioInput = z.input<typeof scenarioDefinition>;

function placeExists(state: State, path: string, op: Effect['op']): boolean {
  const parts = path.slice(1).split('/');
  const isAppended = op === 'add' && parts.at(-1) === '-';
  if (isAppended) parts.pop();
  let place: Json | undefined = state;
  for (const part of parts) {
    // RFC 6901: the two characters that a path cannot hold as they are.
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null) return false;
    if (Array.isArray(place) ? !/^(0|[1-9]\d*)$/.test(name) : !Object.hasOwn(place, name)) return false;
    place = (place as Record<string, Json | undefined>)[name];
  }
  return isAppended ? Array.isArray(place) : place !== undefined;
}

function unstorable(value: unknown, path: (string | number)[] = []): (string | number)[] | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const found = unstorable(key) ? path : unstorable(part, at);
    if (found) return found;
  }
  return null;
}

/** Names of the places a condition reads. */
export function variables(condition: Condition | undefined): string[] {
  if (Array.isArray(condition)) return condition.flatMap(variables);
  if (typeof condition !== 'object' || condition === null) return [];
  return Object.entries(condition).flatMap(([operator, operands]) => {
    if (operator !== 'var') return variables(operands);
    const name = Array.isArray(operands) ? operands[0] : operands;
    return typeof name === 'string' ? [name] : [];
  });
}

/** Whether any effect touches one of the places, or a part or whole of one. */
export function writes({ effects }: Pick<Rule, 'effects'>, places: Set<string>): boolean {
  return effects.some(({ path }) => {
    const target = path
      .slice(1)
      .split('/')
      .filter((part) => part !== '-')
      .join('.');
    for (const place of places) {
      if (place === target || place.startsWith(`${target}.`) || target.startsWith(`${place}.`)) return true;
    }
    return false;
  });
}

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkScenario } from '#src/features/scenario/check.ts';
import { Engine } from '#src/features/scenario/engine.ts';
import { type Effect, type Json, scenarioDefinition } from '#src/features/scenario/scenario.ts';
import {
  conditionOf,
  conditionText,
  effectOf,
  expressionOf,
  nodeOf,
  rowOf,
  sameJson,
  shownNodeOf,
} from './scenario-conditions.ts';
import {
  type Draft,
  freeId,
  isMadeId,
  nameProblem,
  newScenario,
  placeOf,
  readDraft,
  sectionOf,
  idFrom,
  stateOf,
  usesOf,
  variablesOf,
  withRenamedVariable,
} from './scenario-draft.ts';
import { readSource, sourceOf } from './scenario-source.ts';

const courses = resolve(import.meta.dirname, '../../../../db/seed/courses');
/** Every scenario of the demo data, as its author wrote it. */
const DEMO = readdirSync(courses, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)scenarios\/[^/]+\.ya?ml$/.test(file))
  .map((file) => ({ file, definition: parse(readFileSync(join(courses, file), 'utf8')) as Draft }));

/** Every condition and computed value that a scenario holds. */
function conditionsOf(definition: Draft): Json[] {
  const { goals, rules, events = [], panels } = definition;
  return [
    ...[...goals, ...rules, ...events].flatMap(({ when }) => (when === undefined ? [] : [when])),
    ...panels.flatMap(({ facts }) =>
      facts.flatMap(({ value, tone = [] }) => [value, ...tone.map(({ when }) => when)]),
    ),
  ];
}
const effectsOf = ({ rules, events = [] }: Draft) =>
  [...rules, ...events].flatMap(({ effects = [] }) => effects as Effect[]);

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const variable = fc.stringMatching(/^[a-z]{1,4}(\.[a-z]{1,4}){0,2}$/);
const read = variable.map((name) => ({ var: name }));
/** Conditions in the words of the definition, and things that look a little like them. */
const condition: fc.Arbitrary<Json> = fc.letrec<{ it: Json }>((tie) => ({
  it: fc.oneof(
    { maxDepth: 4 },
    fc.constant(true),
    read,
    read.map((one) => ({ '!': one })),
    read.map((one) => ({ '!': [one] })),
    fc
      .tuple(fc.constantFrom('==', '===', '!=', '<', '<=', '>', '>='), read, scalar)
      .map(([operator, one, value]) => ({ [operator]: [one, value] })),
    fc.tuple(read, scalar).map(([one, value]) => ({ in: [value, one] })),
    fc
      .tuple(fc.constantFrom('and', 'or', 'if', 'min'), fc.array(tie('it'), { maxLength: 4 }))
      .map(([operator, parts]) => ({ [operator]: parts })),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  ),
})).it;

describe('conditions and effects in rows', () => {
  it('are there for the demo scenarios', () => {
    expect(DEMO.length).toBeGreaterThan(0);
  });

  it.each(DEMO)('lose nothing of $file', ({ definition }) => {
    for (const one of conditionsOf(definition)) {
      expect(conditionOf(nodeOf(one))).toEqual(one);
      expect(expressionOf(shownNodeOf(one))).toEqual(one);
    }
    for (const effect of effectsOf(definition)) expect(effectOf(rowOf(effect))).toEqual(effect);
  });

  it.each(DEMO)('show nearly everything of $file in words', ({ definition }) => {
    const { goals, rules, events = [] } = definition;
    const whens = [...goals, ...rules, ...events].flatMap(({ when }) => (when === undefined ? [] : [when]));
    const rows = [...whens.map(nodeOf), ...effectsOf(definition).map(rowOf)];
    const raw = rows.filter(({ kind }) => kind === 'raw');
    expect(raw.length / rows.length).toBeLessThan(0.15);
  });

  it('give any condition back as it was', () => {
    fc.assert(
      fc.property(condition, (one) => {
        expect(sameJson(conditionOf(nodeOf(one)), one)).toBe(true);
        expect(sameJson(expressionOf(shownNodeOf(one)), one)).toBe(true);
        expect(conditionText(nodeOf(one))).toEqual(expect.any(String));
      }),
      { numRuns: 500 },
    );
  });

  it('give any effect back as it was', () => {
    const path = fc.oneof(
      variable.map((name) => `/${name.replaceAll('.', '/')}`),
      variable.map((name) => `/${name}/-`),
      fc.constantFrom('/a~1b', '/a/0', '', 'x', '/'),
    );
    const logic = fc.oneof(
      condition,
      fc.tuple(condition, scalar, scalar).map((parts) => ({ if: parts })),
      fc
        .tuple(fc.constantFrom('+', '-'), read, fc.integer())
        .map(([operator, one, by]) => ({ [operator]: [one, by] })),
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
      logic.map((one) => ({ logic: one })),
    );
    const effect = fc.record(
      { op: fc.constantFrom('add', 'replace', 'remove'), path, value },
      { requiredKeys: ['op', 'path'] },
    );
    fc.assert(
      fc.property(effect, (one) => {
        expect(sameJson(effectOf(rowOf(one as Effect)), one)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [true, { kind: 'always' }],
    [{ var: 'a.b' }, { kind: 'test', variable: 'a.b', comparison: 'yes' }],
    [{ '!': { var: 'a' } }, { kind: 'test', variable: 'a', comparison: 'no' }],
    [{ '!': [{ var: 'a' }] }, { kind: 'test', variable: 'a', comparison: 'no' }],
    [{ '!': [{ var: 'a' }, 1] }, { kind: 'raw' }],
    [{ '<': [{ var: 'disk' }, 80] }, { kind: 'test', variable: 'disk', comparison: '<', value: 80 }],
    [{ in: ['db', { var: 'hosts' }] }, { kind: 'test', variable: 'hosts', comparison: 'has', value: 'db' }],
    [{ and: [{ var: 'a' }, { or: [{ var: 'b' }] }] }, { kind: 'group', mode: 'all' }],
    [{ '<': [1, { var: 'a' }, 5] }, { kind: 'raw' }],
    [{ var: ['a', 0] }, { kind: 'raw' }],
  ])('show %j as a row', (one, node) => {
    expect(nodeOf(one as Json)).toMatchObject(node);
  });

  it.each([
    [
      { op: 'replace', path: '/a/b', value: 1 },
      { kind: 'set', variable: 'a.b', value: 1 },
    ],
    [
      { op: 'add', path: '/hosts/-', value: 'db' },
      { kind: 'append', variable: 'hosts', value: 'db' },
    ],
    [
      { op: 'replace', path: '/n', value: { logic: { '+': [{ var: 'n' }, 2] } } },
      { kind: 'increase', variable: 'n', by: 2 },
    ],
    [
      { op: 'replace', path: '/n', value: { logic: { if: [{ var: 'x' }, 1, 2] } } },
      { kind: 'choose', variable: 'n', value: 1, otherwise: 2 },
    ],
    [
      { op: 'replace', path: '/n', value: { logic: { max: [{ var: 'n' }, 4] } } },
      { kind: 'formula', variable: 'n' },
    ],
    [
      { op: 'remove', path: '/n' },
      { kind: 'remove', variable: 'n' },
    ],
    [{ op: 'add', path: '/a', value: 1 }, { kind: 'raw' }],
  ])('show the effect %j as a row', (effect, row) => {
    expect(rowOf(effect as Effect)).toMatchObject(row);
  });
});

describe('variables', () => {
  it.each(DEMO)('make up the same state again: $file', ({ definition }) => {
    expect(stateOf(variablesOf(definition.state))).toEqual(definition.state);
  });

  it('make up any state again', () => {
    const key = fc.oneof(
      fc.stringMatching(/^[a-z]{1,3}$/),
      fc.constantFrom('a.b', '', '~', 'x/y', '__proto__', '.'),
    );
    const state = fc.dictionary(
      key,
      fc.letrec<{ it: Json }>((tie) => ({
        it: fc.oneof(
          { maxDepth: 3 },
          scalar,
          fc.array(scalar),
          fc.dictionary(key, tie('it')),
        ) as fc.Arbitrary<Json>,
      })).it,
    );
    fc.assert(
      fc.property(state, (one) => {
        expect(sameJson(stateOf(variablesOf(one)), one)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each(DEMO)('are renamed wherever they are named, so that $file plays on as before', ({ definition }) => {
    const first = variablesOf(definition.state)[0]!.name;
    const renamed = withRenamedVariable(definition, first, 'renamed.place');
    expect(JSON.stringify(renamed)).not.toContain(`{"var":"${first}"}`);
    expect(usesOf(definition, first)).toBeGreaterThan(0);
    expect(usesOf(renamed, first)).toBe(0);
    expect(usesOf(renamed, 'renamed.place')).toBe(usesOf(definition, first));
    const [before, after] = [definition, renamed].map((one) => new Engine(scenarioDefinition.parse(one)));
    for (const rule of before!.scenario.rules) {
      const [a, b] = [before!.fire(before!.begin(), rule.id), after!.fire(after!.begin(), rule.id)];
      expect(a?.kind).toBe(b?.kind);
      if (a?.kind === 'done' && b?.kind === 'done') {
        expect(after!.panels(b.run)).toEqual(before!.panels(a.run));
        expect(after!.score(b.run)).toBe(before!.score(a.run));
      }
    }
    expect(sameJson(withRenamedVariable(renamed, 'renamed.place', first), definition)).toBe(true);
  });

  it('may not take a name that is taken, holds others, or is the clock', () => {
    expect(nameProblem('disk.used', ['disk.free'])).toBeNull();
    expect(nameProblem('disk', ['disk.free'])).toContain('cannot both');
    expect(nameProblem('disk.free.now', ['disk.free'])).toContain('cannot both');
    expect(nameProblem('disk.free', ['disk.free'])).toContain('already');
    expect(nameProblem('minutes', [])).toContain('clock');
    for (const name of ['', 'a b', '.a', 'a.', '1a', 'a..b', '__proto__', 'a/b'])
      expect(nameProblem(name, [])).not.toBeNull();
  });
});

describe('the source', () => {
  it.each(DEMO)('of $file keeps everything in both formats', ({ definition }) => {
    for (const format of ['yaml', 'json'] as const) {
      const { draft } = readSource(sourceOf(definition, format));
      expect(sameJson(draft, definition)).toBe(true);
      expect(scenarioDefinition.parse(draft)).toEqual(scenarioDefinition.parse(definition));
    }
  });

  it('keeps fields that nobody knows, for the check to name', () => {
    const { draft } = readSource('title: A\nauthor: Ada\nrules:\n  - { id: a, points: 3 }\n');
    expect(draft).toMatchObject({ title: 'A', author: 'Ada', rules: [{ id: 'a', points: 3 }] });
  });

  it.each([
    ['title: [unclosed', 1],
    ['title: A\nrules:\n  - id: a\n   title: b', 4],
    ['title: A\ntitle: B', 2],
    ['title: A\nrules: 5', 2],
    ['title: A\nrules:\n  - id: a\n    title: 7', 4],
    ['title: A\nrules:\n  - id: a\n    phrases: [a, 3]', 4],
    ['- a list', 1],
    ['just words', 1],
    ['', 1],
    ['{"title": "A",\n "timeLimit": "soon"}', 2],
    ['state: { a: .nan }', 1],
  ])('names the line of what it cannot read: %j', (text, line) => {
    const { problem, draft } = readSource(text);
    expect(draft).toBeUndefined();
    expect(problem?.line).toBe(line);
    expect(problem?.message.length).toBeGreaterThan(10);
  });

  it('refuses aliases that would grow without bounds, and more than 1 MB', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let index = 0; index < 9; index += 1) {
      const [name, before] = [String.fromCharCode(98 + index), String.fromCharCode(97 + index)];
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`);
    }
    expect(readSource(bomb.join('\n')).problem?.message).toMatch(/alias/i);
    expect(readSource(`title: ${'x'.repeat(1_100_000)}`).problem?.message).toBe(
      'A scenario may have at most 1 MB.',
    );
  });
});

describe('a draft', () => {
  it('begins with a scenario to which only words and rules are missing', () => {
    const draft: Draft = {
      ...newScenario(),
      title: 'A lamp',
      description: 'It is dark.',
      rules: [
        {
          id: 'fix',
          title: 'Change the bulb',
          phrases: ['change the bulb'],
          effects: [{ op: 'replace', path: '/fixed', value: true }],
          feedback: 'Light.',
        },
      ],
    };
    expect(checkScenario(draft).findings).toEqual([]);
  });

  it('fills in what the form needs and is missing, and names what it cannot show', () => {
    expect(readDraft({}).draft).toMatchObject({ title: '', goals: [], rules: [], state: {} });
    for (const wrong of [
      null,
      5,
      'x',
      [],
      { rules: {} },
      { rules: [1] },
      { state: [] },
      { goals: [{ weight: '1' }] },
    ])
      expect(readDraft(wrong).problem?.message).toEqual(expect.any(String));
  });

  it('makes ids from titles', () => {
    expect(idFrom('Restart the Server!')).toBe('restart-the-server');
    expect(idFrom('4.12 Überprüfen')).toBe('uberprufen');
    expect(idFrom('日本')).toBe('');
    expect(freeId('a', [{ id: 'a' }, { id: 'a-2' }])).toBe('a-3');
    expect(['rule', 'rule-2', 'goal-11', ''].every(isMadeId)).toBe(true);
    expect(isMadeId('restart')).toBe(false);
  });

  it('finds the place of a finding, by id and by number', () => {
    const draft = { ...newScenario(), rules: [{ id: 'a' }, { id: 'b' }] } as Draft;
    expect(placeOf('rules.b', draft)).toEqual(['rules', 1]);
    expect(placeOf('rules.0.effects.2.path', draft)).toEqual(['rules', 0, 'effects', 2, 'path']);
    expect(placeOf('rules.gone', draft)).toEqual(['rules']);
    expect(placeOf('timeLimit', draft)).toEqual(['timeLimit']);
    expect(placeOf('state.minutes', draft)).toEqual(['state', 'minutes']);
    expect(placeOf('scenario', draft)).toEqual(['scenario']);
    expect(sectionOf(['rules', 1])).toBe('rules');
    expect(sectionOf(['panels', 0])).toBe('situation');
    expect(sectionOf(['timeLimit'])).toBe('overview');
  });
});

import type { z } from 'zod';
import { Engine, type Run } from './engine.ts';
import {
  type Condition,
  isComputed,
  type Json,
  type Rule,
  type Scenario,
  type State,
  scenarioDefinition,
  variables,
  writes,
} from './scenario.ts';
import { counted } from '#src/shared/counted.ts';
import type { Dictionary } from './words/vocabulary.ts';

export const MAX_STATES = 20_000;
const MAX_WALKED_STATES = 4_000;
const MAX_WAITED_RUNS = 50;
const SECONDS_PER_ACTION = 15;
const REPEATS = 4;

export interface Finding {
  level: 'error' | 'warning';
  code:
    | 'invalid'
    | 'unknown-place'
    | 'ambiguous'
    | 'shadowed'
    | 'not-understood'
    | 'unreachable-goal'
    | 'no-ending'
    | 'below-100'
    | 'dead-end'
    | 'unused-rule'
    | 'unused-event'
    | 'too-large'
    | 'too-long'
    | 'too-short'
    | 'met-at-start'
    | 'endless';
  at: string;
  message: string;
}

export interface CheckReport {
  findings: Finding[];
  states: number;
  /** The best way: the fewest penalties, then the fewest actions. */
  solution: string[] | null;
  bestScore: number | null;
  minutes: number | null;
}

export function isPublishable({ findings }: CheckReport): boolean {
  return findings.every(({ level }) => level !== 'error');
}

/**
 * Proves that the goals can be reached, that no action leads to a dead end, that no phrase means two things
 * and that 100 points are possible.
 */
export function checkScenario(input: unknown, dictionary?: Dictionary): CheckReport {
  const parsed = scenarioDefinition.safeParse(input, { reportInput: true });
  if (!parsed.success) {
    const findings = parsed.error.issues.map(
      (issue): Finding => ({
        level: 'error',
        code: 'invalid',
        at: issue.path.map(String).join('.') || 'scenario',
        message: inWords(issue),
      }),
    );
    return { findings, states: 0, solution: null, bestScore: null, minutes: null };
  }
  return new Check(parsed.data, dictionary).report();
}

function inWords(issue: z.core.$ZodIssue): string {
  const isText = 'origin' in issue && issue.origin === 'string';
  switch (issue.code) {
    case 'too_small':
      if (isText) return 'This is required';
      return issue.origin === 'array'
        ? `There must be at least ${issue.minimum} here`
        : `This must be at least ${issue.minimum}`;
    case 'too_big':
      if (isText) return `This may have at most ${issue.maximum} characters`;
      return issue.origin === 'array'
        ? `There may be at most ${issue.maximum} here`
        : `This must be at most ${issue.maximum}`;
    case 'invalid_type':
      if (issue.expected === 'number' || issue.expected === 'int') return 'This must be a whole number';
      return issue.input === undefined
        ? 'This is required'
        : `This must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `This must be one of: ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return `Nobody knows ${issue.keys.map((key) => `"${key}"`).join(', ')}: remove it, or correct its spelling`;
    default:
      return issue.message;
  }
}

const KINDS: Record<string, string> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of named fields',
  record: 'a group of named values',
};

interface Node {
  run: Run;
  cost: number;
  from: Node | null;
  by: string | null;
  before: Node[];
  completed: boolean;
}

class Check {
  readonly #scenario: Scenario;
  readonly #engine: Engine;
  readonly #findings: Finding[] = [];
  readonly #read: Set<string>;
  readonly #relevant: Rule[];
  readonly #keyOf: (run: Run) => string;

  constructor(scenario: Scenario, dictionary?: Dictionary) {
    this.#scenario = scenario;
    this.#engine = new Engine(scenario, dictionary);
    const read = this.#placesThatMatter();
    this.#read = read;
    this.#relevant = scenario.rules.filter((rule) => rule.ends || writes(rule, read));
    const horizon = this.#horizon(read);
    const remembered = this.#rulesToRemember();
    this.#keyOf = (run) =>
      JSON.stringify([
        [...read].map((place) => valueAt(run.state, place)),
        run.fired.filter((id) => remembered.has(id)).sort(),
        horizon > 0 ? [Math.min(run.minutes, horizon), [...run.happened].sort()] : 0,
        run.ended,
      ]);
  }

  report(): CheckReport {
    this.#checkPlaces();
    const pairs = this.#checkPhrases();
    const { nodes, complete } = this.#search();
    const walked = this.#walk(nodes);
    const runs = [...nodes.map(({ run }) => run), ...walked.runs];
    this.#checkGoals(nodes, complete);
    const best = this.#checkEnding(nodes);
    if (complete) this.#checkDeadEnds(nodes);
    this.#checkUse(runs, complete && walked.complete);
    this.#checkRepeats(runs);
    this.#checkPairs(pairs, runs);
    const path: Node[] = [];
    for (let node: Node | null = best; node?.by; node = node.from) path.unshift(node);
    const titles = new Map(this.#scenario.rules.map(({ id, title }) => [id, title]));
    return {
      findings: this.#findings,
      states: nodes.length,
      solution: best && path.map(({ by }) => titles.get(by!)!),
      bestScore: best && this.#engine.score(best.run),
      minutes: best?.run.minutes ?? null,
    };
  }

  #add(level: Finding['level'], code: Finding['code'], at: string, message: string): void {
    this.#findings.push({ level, code, at, message });
  }

  #checkPlaces(): void {
    const { goals, rules, events, panels } = this.#scenario;
    const computed = ({ effects }: Pick<Rule, 'effects'>) =>
      effects.flatMap(({ value }) => (isComputed(value) ? [value.logic] : []));
    const readers: { at: string; what: string; conditions: Condition[] }[] = [
      ...goals.map(({ id, title, when }) => ({
        at: `goals.${id}`,
        what: `goal "${title}"`,
        conditions: [when],
      })),
      ...rules.map((rule) => ({
        at: `rules.${rule.id}`,
        what: `rule "${rule.title}"`,
        conditions: [rule.when, ...computed(rule)],
      })),
      ...events.map((event) => ({
        at: `events.${event.id}`,
        what: `event "${event.id}"`,
        conditions: [event.when, ...computed(event)],
      })),
      ...panels.map(({ title, facts }, index) => ({
        at: `panels.${index}`,
        what: `panel "${title}"`,
        conditions: facts.flatMap(({ value, tone }) => [value, ...tone.map(({ when }) => when)]),
      })),
    ];
    for (const { at, what, conditions } of readers) {
      for (const name of new Set(conditions.flatMap(variables))) {
        if (name === 'minutes' || name === '' || hasPlace(this.#scenario.state, name)) continue;
        this.#add(
          'error',
          'unknown-place',
          at,
          `The ${what} reads "${name}", which is not in the initial state.`,
        );
      }
    }
  }

  #placesThatMatter(): Set<string> {
    const { goals, rules, events } = this.#scenario;
    const read = new Set(goals.flatMap(({ when }) => variables(when)));
    for (let size = -1; size !== read.size; ) {
      size = read.size;
      for (const one of [...rules, ...events]) {
        if (!one.ends && !writes(one, read)) continue;
        for (const place of variables(one.when)) read.add(place);
        for (const { value } of one.effects)
          for (const place of variables(value as Condition)) read.add(place);
      }
    }
    return read;
  }

  #horizon(read: Set<string>): number {
    const { events, rules, goals } = this.#scenario;
    const due = events.filter((event) => event.ends || event.penalty > 0 || writes(event, read));
    let horizon = Math.max(0, ...due.map(({ after }) => after));
    if (read.has('minutes')) {
      const conditions = [...rules, ...events, ...goals].map(({ when }) => when);
      horizon =
        Math.max(
          horizon,
          ...conditions.filter((one) => variables(one).includes('minutes')).flatMap(numbers),
        ) + 1;
    }
    return horizon;
  }

  #rulesToRemember(): Set<string> {
    const { rules, events } = this.#scenario;
    const changes = [...rules, ...events].map(({ id, effects }) => ({ id, effects }));
    return new Set(
      rules
        .filter((rule) => rule.once)
        .filter(({ id, effects }) =>
          effects.some(
            ({ op, path, value }) =>
              op !== 'replace' ||
              isComputed(value) ||
              changes.some(
                (other) =>
                  other.id !== id &&
                  other.effects.some((effect) => effect.path === path && !same(effect.value, value)),
              ),
          ),
        )
        .map(({ id }) => id),
    );
  }

  #search(): { nodes: Node[]; complete: boolean } {
    const engine = this.#engine;
    const begin = engine.begin();
    const first: Node = {
      run: begin,
      cost: 0,
      from: null,
      by: null,
      before: [],
      completed: engine.isCompleted(begin),
    };
    const known = new Map<string, Node>([[this.#keyOf(begin), first]]);
    const queue: Node[][] = [[first]];
    const done = new Set<Node>();
    for (let cost = 0; cost < queue.length; cost += 1) {
      for (let index = 0; index < (queue[cost]?.length ?? 0); index += 1) {
        const node = queue[cost]![index]!;
        if (done.has(node) || node.cost !== cost) continue;
        done.add(node);
        if (node.completed) continue;
        for (const rule of this.#relevant) {
          const outcome = engine.fire(node.run, rule.id);
          if (outcome?.kind !== 'done') continue;
          const { run } = outcome;
          const key = this.#keyOf(run);
          const price = cost + 1 + (run.penalties - node.run.penalties) * 100;
          const old = known.get(key);
          if (old) {
            if (old === node) continue;
            old.before.push(node);
            if (price < old.cost) {
              Object.assign(old, { run, cost: price, from: node, by: rule.id });
              enqueue(queue, price, old);
            }
            continue;
          }
          if (known.size >= MAX_STATES) {
            this.#add(
              'error',
              'too-large',
              'rules',
              `More than ${MAX_STATES.toLocaleString('en')} different situations can arise, too many to prove anything. ` +
                `Most of them differ in ${this.#busiest([...known.values()])}. ` +
                'Let fewer rules change places that goals or conditions read, or make steps depend on each other.',
            );
            return { nodes: [...known.values()], complete: false };
          }
          const next: Node = {
            run,
            cost: price,
            from: node,
            by: rule.id,
            before: [node],
            completed: engine.isCompleted(run),
          };
          known.set(key, next);
          enqueue(queue, price, next);
        }
      }
    }
    return { nodes: [...known.values()], complete: true };
  }

  #busiest(nodes: Node[]): string {
    return [...this.#read]
      .map((place) => ({
        place,
        values: new Set(nodes.map(({ run }) => JSON.stringify(valueAt(run.state, place)))),
      }))
      .sort((a, b) => b.values.size - a.values.size)
      .slice(0, 3)
      .map(({ place, values }) => `"${place}" (${values.size})`)
      .join(', ');
  }

  #walk(nodes: Node[]): { runs: Run[]; complete: boolean } {
    const seen = new Set<string>();
    const runs: Run[] = [];
    const open = nodes.filter(({ completed }) => !completed).map(({ run }) => run);
    const usable = new Set<string>();
    for (let index = 0; index < open.length; index += 1) {
      const run = open[index]!;
      const fresh = this.#scenario.rules.filter(({ id }) => this.#engine.isOpen(run, id));
      for (const { id } of fresh) usable.add(id);
      for (const rule of fresh) {
        if (this.#relevant.includes(rule) || rule.effects.length === 0) continue;
        const outcome = this.#engine.fire(run, rule.id);
        if (outcome?.kind !== 'done') continue;
        const key = JSON.stringify([outcome.run.state, outcome.run.ended]);
        if (seen.has(key)) continue;
        if (seen.size >= MAX_WALKED_STATES)
          return { runs, complete: usable.size === this.#scenario.rules.length };
        seen.add(key);
        runs.push(outcome.run);
        open.push(outcome.run);
      }
    }
    return { runs, complete: true };
  }

  #checkGoals(nodes: Node[], complete: boolean): void {
    for (const goal of this.#scenario.goals) {
      const met = nodes.some(({ run }) =>
        this.#engine.goals(run).some(({ id, met }) => id === goal.id && met),
      );
      if (!met && complete) {
        this.#add(
          'error',
          'unreachable-goal',
          `goals.${goal.id}`,
          `No way leads to the goal "${goal.title}".`,
        );
      }
    }
  }

  #checkEnding(nodes: Node[]): Node | null {
    const good = nodes.filter(({ completed, run }) => completed && this.#requiredMet(run));
    const [best] = good
      .map((node) => ({ node, score: this.#engine.score(node.run) }))
      .sort((a, b) => b.score - a.score || a.node.cost - b.node.cost);
    if (!best) {
      this.#add('error', 'no-ending', 'goals', 'No way was found on which all required goals are met.');
      return null;
    }
    if (best.score < 100) {
      this.#add(
        'error',
        'below-100',
        'goals',
        `The best possible score is ${best.score}. A run ends once all required goals are met: optional ones must be reachable before, without a penalty.`,
      );
    }
    if (best.node.by === null) {
      this.#add(
        'error',
        'met-at-start',
        'goals',
        'All required goals are met before the first action: the run would be over as it begins.',
      );
    }
    let actions = 0;
    for (let node: Node | null = best.node; node?.by; node = node.from) actions += 1;
    if (actions * SECONDS_PER_ACTION > this.#scenario.timeLimit * 60) {
      const least = Math.ceil((actions * SECONDS_PER_ACTION) / 60);
      this.#add(
        'error',
        'too-short',
        'timeLimit',
        `The shortest way takes ${counted(actions, 'action')}, and a learner needs ${SECONDS_PER_ACTION} seconds for each at least: give ${counted(least, 'minute')} or more, not ${this.#scenario.timeLimit}.`,
      );
    }
    if (best.node.run.minutes > this.#scenario.timeLimit * 4) {
      this.#add(
        'warning',
        'too-long',
        'timeLimit',
        `The best way takes ${counted(best.node.run.minutes, 'minute')} of the situation's clock; the time limit is ${this.#scenario.timeLimit}.`,
      );
    }
    return best.node;
  }

  #requiredMet(run: Run): boolean {
    const goals = this.#engine.goals(run);
    const required = goals.filter((goal) => goal.required);
    return (required.length > 0 ? required : goals).every(({ met }) => met);
  }

  #checkDeadEnds(nodes: Node[]): void {
    const alive = new Set(nodes.filter(({ completed }) => completed));
    const queue = [...alive];
    for (let node = queue.pop(); node; node = queue.pop()) {
      for (const before of node.before) {
        if (alive.has(before)) continue;
        alive.add(before);
        queue.push(before);
      }
    }
    const dead = nodes.filter((node) => !alive.has(node)).sort((a, b) => a.cost - b.cost);
    if (dead.length === 0 || alive.size === 0) return;
    const steps: string[] = [];
    for (let node: Node | null = dead[0]!; node?.by; node = node.from) steps.unshift(node.by);
    this.#add(
      'error',
      'dead-end',
      `rules.${steps.at(-1) ?? ''}`,
      `After ${steps.join(' → ')} no end can be reached any more. Let the last step end the run, or give a way out. (${dead.length} such situations)`,
    );
  }

  #checkUse(runs: Run[], complete: boolean): void {
    const level = complete ? 'error' : 'warning';
    for (const rule of this.#scenario.rules) {
      if (!runs.some((run) => this.#engine.isOpen(run, rule.id))) {
        this.#add(level, 'unused-rule', `rules.${rule.id}`, `The condition of "${rule.title}" never holds.`);
      }
    }
    for (const event of this.#scenario.events) {
      if (!runs.some((run) => run.happened.includes(event.id)) && !this.#comesByWaiting(event.id, runs)) {
        this.#add(
          'warning',
          'unused-event',
          `events.${event.id}`,
          `The event "${event.id}" was not seen to happen.`,
        );
      }
    }
  }

  #comesByWaiting(event: string, runs: Run[]): boolean {
    const { rules, events } = this.#scenario;
    const idle = rules.find(
      ({ once, ends, minutes, effects }) => !once && !ends && minutes > 0 && !effects.length,
    );
    const last = Math.max(0, ...events.map(({ after }) => after));
    if (!idle) return false;
    return runs.slice(0, MAX_WAITED_RUNS).some((start) => {
      for (let run = start; !run.ended && run.minutes < last; ) {
        const outcome = this.#engine.fire(run, idle.id);
        if (outcome?.kind !== 'done') return false;
        run = outcome.run;
        if (run.happened.includes(event)) return true;
      }
      return false;
    });
  }

  #checkRepeats(runs: Run[]): void {
    for (const rule of this.#scenario.rules) {
      if (rule.once || rule.minutes > 0 || rule.penalty > 0 || rule.ends || rule.effects.length === 0)
        continue;
      const start = runs.find((run) => !run.ended && this.#engine.isOpen(run, rule.id));
      if (!start) continue;
      const seen = new Set([JSON.stringify(start.state)]);
      for (let run: Run | null = start; run && seen.size <= REPEATS; ) {
        const outcome = this.#engine.fire(run, rule.id);
        run = outcome?.kind === 'done' ? outcome.run : null;
        if (!run || seen.has(JSON.stringify(run.state))) break;
        seen.add(JSON.stringify(run.state));
      }
      if (seen.size > REPEATS) {
        this.#add(
          'warning',
          'endless',
          `rules.${rule.id}`,
          `"${rule.title}" takes no minutes and changes something each time, without end. Let it count once, cost minutes, or stop by its condition.`,
        );
      }
    }
  }

  #checkPhrases(): { text: string; own: string; other: string; tie: boolean }[] {
    const pairs: { text: string; own: string; other: string; tie: boolean }[] = [];
    for (const rule of this.#scenario.rules) {
      for (const text of [...rule.phrases, ...spelledOut(rule.needs)]) {
        const matches = this.#engine.understanding.matches(text);
        const own = matches.find(({ ruleId }) => ruleId === rule.id);
        if (!own) {
          this.#add(
            'error',
            'not-understood',
            `rules.${rule.id}`,
            `"${text}" does not lead to its own rule: it holds no word of meaning, or one that the rule excludes.`,
          );
          continue;
        }
        for (const other of matches) {
          if (other.ruleId === rule.id || other.specificity < own.specificity) continue;
          const tie = other.specificity === own.specificity;
          pairs.push({ text, own: rule.id, other: other.ruleId, tie });
        }
      }
    }
    return pairs;
  }

  #checkPairs(pairs: { text: string; own: string; other: string; tie: boolean }[], runs: Run[]): void {
    const told = new Set<string>();
    const canMeet = new Map<string, boolean>();
    for (const { text, own, other, tie } of pairs) {
      const key = [own, other].sort().join(' ');
      if (!canMeet.has(key)) {
        canMeet.set(
          key,
          runs.some((run) => this.#engine.isOpen(run, own) && this.#engine.isOpen(run, other)),
        );
      }
      if (!canMeet.get(key) || told.has(`${key} ${text}`)) continue;
      told.add(`${key} ${text}`);
      this.#add(
        'error',
        tie ? 'ambiguous' : 'shadowed',
        `rules.${own}`,
        tie
          ? `"${text}" fits "${own}" and "${other}" equally well.`
          : `"${text}" of "${own}" is taken by "${other}", which finds more of its own words in it.`,
      );
    }
  }
}

function enqueue(queue: Node[][], cost: number, node: Node): void {
  const bucket = queue[cost];
  if (bucket) bucket.push(node);
  else queue[cost] = [node];
}

function spelledOut(needs: string[][]): string[] {
  if (needs.length === 0) return [];
  const first = needs.map((group) => group[0]!);
  const texts = needs.flatMap((group, index) =>
    group.map((term) => first.map((word, position) => (position === index ? term : word)).join(' ')),
  );
  return [...new Set(texts)];
}

function numbers(condition: Condition): number[] {
  if (typeof condition === 'number') return [condition];
  if (Array.isArray(condition)) return condition.flatMap(numbers);
  if (typeof condition !== 'object' || condition === null) return [];
  return Object.values(condition).flatMap(numbers);
}

function hasPlace(state: State, name: string): boolean {
  let place: Json | undefined = state;
  for (const part of name.split('.')) {
    if (typeof place !== 'object' || place === null) return false;
    // Elements of a list come and go.
    if (Array.isArray(place)) return /^\d+$/.test(part) || part === 'length';
    if (!Object.hasOwn(place, part)) return false;
    place = place[part];
  }
  return true;
}

function valueAt(state: unknown, place: string): unknown {
  return (
    place
      .split('.')
      .reduce<unknown>((value, part) => (value as Record<string, unknown> | null)?.[part], state) ?? null
  );
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

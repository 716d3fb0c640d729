import { LogicEngine } from 'json-logic-engine';
import { applyPatch, type Operation } from 'rfc6902';
import {
  type Condition,
  type Effect,
  isComputed,
  type Json,
  type Rule,
  type Scenario,
  type State,
} from './scenario.ts';
import { Understanding } from './understanding.ts';

/** A run between two actions: everything that decides what comes next. Plain data. */
export interface Run {
  state: State;
  /** The situation's clock. */
  minutes: number;
  /** Rules that have fired, once each. */
  fired: string[];
  /** Events that have happened. */
  happened: string[];
  penalties: number;
  ended: boolean;
}

export interface GoalStatus {
  id: string;
  title: string;
  weight: number;
  required: boolean;
  met: boolean;
}

export interface ShownPanel {
  title: string;
  facts: { label: string; value: string; tone: 'plain' | 'good' | 'warning' | 'bad' }[];
}

/** What an action came to. `unknown` leaves the run as it was (decision 52). */
export type Outcome =
  | { kind: 'unknown'; nearest: string[] }
  | {
      /** `done` changed the run; `repeated` and `blocked` only answered. */
      kind: 'done' | 'repeated' | 'blocked';
      ruleId: string;
      title: string;
      feedback: string;
      /** Timed events that the action's minutes brought about. */
      events: { id: string; feedback: string }[];
      run: Run;
    };

const NEAREST_MAX = 3;
const NEAREST_SHARE = 0.3;
const REPEATED = 'You have done that already. Nothing changes.';

const logic = new LogicEngine();

/** A scenario made ready to be played: pure, without clock, chance or input, so equal inputs give equal runs. */
export class Engine {
  readonly scenario: Scenario;
  readonly understanding: Understanding;
  readonly #rules: Map<string, Rule>;

  /** @param scenario parsed by `scenarioDefinition` */
  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.understanding = new Understanding(scenario);
    this.#rules = new Map(scenario.rules.map((rule) => [rule.id, rule]));
  }

  /** A run before its first action. */
  begin(): Run {
    return {
      state: copyOf(this.scenario.state),
      minutes: 0,
      fired: [],
      happened: [],
      penalties: 0,
      ended: false,
    };
  }

  /**
   * Understands a learner's text and does what it says: the most specific rule whose condition holds (decision 52).
   * The given run is never changed.
   */
  act(run: Run, text: string): Outcome {
    const matches = this.understanding.matches(text);
    const named = matches.map(({ ruleId }) => this.#rules.get(ruleId)!);
    const open = named.find((rule) => !this.#isSpent(rule, run) && this.#holds(rule.when, run));
    if (open) return this.#done(open, run);
    const spent = named.find((rule) => this.#isSpent(rule, run));
    if (spent) return this.#said('repeated', spent, REPEATED, run);
    const blocked = named.find((rule) => rule.blocked !== undefined);
    if (blocked) return this.#said('blocked', blocked, blocked.blocked!, run);
    const nearest = this.understanding
      .nearest(text)
      .filter(({ share }) => share >= NEAREST_SHARE)
      .map(({ ruleId }) => this.#rules.get(ruleId)!)
      .filter((rule) => !this.#isSpent(rule, run) && this.#holds(rule.when, run))
      .map(({ title }) => title);
    return { kind: 'unknown', nearest: [...new Set(nearest)].slice(0, NEAREST_MAX) };
  }

  /** Fires a rule by its id, as the checker and replays do; null where its condition does not hold. */
  fire(run: Run, ruleId: string): Outcome | null {
    const rule = this.#rules.get(ruleId);
    if (!rule || this.#isSpent(rule, run) || !this.#holds(rule.when, run)) return null;
    return this.#done(rule, run);
  }

  /** Whether a rule could fire now. */
  isOpen(run: Run, ruleId: string): boolean {
    const rule = this.#rules.get(ruleId);
    return rule !== undefined && !this.#isSpent(rule, run) && this.#holds(rule.when, run);
  }

  /** The goals as they stand. */
  goals(run: Run): GoalStatus[] {
    return this.scenario.goals.map(({ id, title, weight, required, when }) => ({
      id,
      title,
      weight,
      required,
      met: this.#holds(when, run),
    }));
  }

  /** Weight of the goals met in percent, less the penalties, 0 to 100 (decision 53). */
  score(run: Run): number {
    const goals = this.goals(run);
    const all = goals.reduce((sum, { weight }) => sum + weight, 0);
    const met = goals.reduce((sum, goal) => sum + (goal.met ? goal.weight : 0), 0);
    return Math.max(0, Math.min(100, Math.round((100 * met) / all) - run.penalties));
  }

  /** True when an ending rule has fired or all required goals are met (decision 53). */
  isCompleted(run: Run): boolean {
    if (run.ended) return true;
    const goals = this.goals(run);
    const required = goals.filter((goal) => goal.required);
    return (required.length > 0 ? required : goals).every(({ met }) => met);
  }

  /** The situation for people. */
  panels(run: Run): ShownPanel[] {
    return this.scenario.panels.map(({ title, facts }) => ({
      title,
      facts: facts.map(({ label, value, unit, tone }) => ({
        label,
        value: shown(this.#value(value, run)) + (unit ? ` ${unit}` : ''),
        tone: tone.find(({ when }) => this.#holds(when, run))?.tone ?? 'plain',
      })),
    }));
  }

  #isSpent(rule: Rule, run: Run): boolean {
    return rule.once && run.fired.includes(rule.id);
  }

  #said(kind: 'repeated' | 'blocked', rule: Rule, feedback: string, run: Run): Outcome {
    return { kind, ruleId: rule.id, title: rule.title, feedback, events: [], run };
  }

  /** The action's own effects come first; then its minutes pass, and what was due in them happens. */
  #done(rule: Rule, before: Run): Outcome {
    const run: Run = {
      ...before,
      state: this.#changed(rule.effects, before),
      minutes: before.minutes + rule.minutes,
      fired: before.fired.includes(rule.id) ? before.fired : [...before.fired, rule.id],
      penalties: before.penalties + rule.penalty,
      ended: before.ended || rule.ends,
    };
    const events: { id: string; feedback: string }[] = [];
    if (!this.isCompleted(run)) {
      const due = this.scenario.events
        .filter(({ id, after }) => after <= run.minutes && !run.happened.includes(id))
        .sort((a, b) => a.after - b.after);
      for (const event of due) {
        if (!this.#holds(event.when, run)) continue;
        run.state = this.#changed(event.effects, run);
        run.happened = [...run.happened, event.id];
        run.penalties += event.penalty;
        run.ended ||= event.ends;
        events.push({ id: event.id, feedback: event.feedback });
      }
    }
    return { kind: 'done', ruleId: rule.id, title: rule.title, feedback: rule.feedback, events, run };
  }

  #changed(effects: Effect[], run: Run): State {
    if (effects.length === 0) return run.state;
    const state = copyOf(run.state);
    for (const { op, path, value } of effects) {
      const given = isComputed(value) ? this.#value(value.logic, { ...run, state }) : value;
      applyPatch(state, [{ op, path, value: given } as Operation]);
    }
    return state;
  }

  #holds(condition: Condition, run: Run): boolean {
    return Boolean(this.#value(condition, run));
  }

  #value(condition: Condition, run: Run): Json {
    return logic.run(condition, { ...run.state, minutes: run.minutes }) as Json;
  }
}

// States are JSON by definition, and this is several times faster than structuredClone.
const copyOf = (state: State): State => JSON.parse(JSON.stringify(state)) as State;

/** A value of the state in words. */
function shown(value: Json): string {
  if (value === null || value === '') return '–';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${key}: ${shown(one)}`)
      .join(', ');
  return String(value);
}

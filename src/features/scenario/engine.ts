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
  variables,
  writes,
} from './scenario.ts';
import { askedAbout, NO, Replies, whichOf } from './replies.ts';
import { SURE_LEAD, Understanding, type Understood } from './words/understanding.ts';
import type { Dictionary } from './words/vocabulary.ts';

/** Plain data: everything that decides what comes next. */
export interface Run {
  state: State;
  minutes: number;
  fired: string[];
  happened: string[];
  penalties: number;
  ended: boolean;
  asked?: string[];
}

interface GoalStatus {
  id: string;
  title: string;
  weight: number;
  required: boolean;
  met: boolean;
}

interface ShownPanel {
  title: string;
  facts: { label: string; value: string; tone: 'plain' | 'good' | 'warning' | 'bad' }[];
}

/** An action that was carried out, or that named a rule which cannot be carried out now. */
interface Acted {
  kind: 'done' | 'repeated' | 'blocked';
  ruleId: string;
  title: string;
  feedback: string;
  events: { id: string; feedback: string }[];
  run: Run;
}

/** An answer to words that nothing was done for (decision 52). */
export interface Replied {
  /** `asked` may mean a rule; `answered` was a question, or says what not to do. */
  kind: 'unknown' | 'asked' | 'answered';
  reply: string;
  ruleIds: string[];
  run: Run;
}

export type Outcome = Acted | Replied;

/** Whether something was carried out, or a rule at least named. */
export const isActed = (outcome: Outcome): outcome is Acted => 'ruleId' in outcome;

const IDLE_MINUTES = 11;
const FACTS_MAX = 3;
const REPEATED = 'You have done that already. Nothing changes.';

const logic = new LogicEngine();

/** Pure, without clock, chance or input: equal inputs give equal runs. */
export class Engine {
  readonly scenario: Scenario;
  readonly understanding: Understanding;
  readonly #rules: Map<string, Rule>;
  readonly #replies: Replies;

  constructor(scenario: Scenario, dictionary?: Dictionary) {
    this.scenario = scenario;
    this.understanding = new Understanding(scenario, dictionary);
    this.#rules = new Map(scenario.rules.map((rule) => [rule.id, rule]));
    this.#replies = new Replies(scenario.voice);
  }

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

  act(before: Run, text: string): Outcome {
    const { asked = [], ...run } = before;
    const asides = asked.map((id) => this.#rules.get(id)!).filter(Boolean);
    if (asides.length > 0) {
      const which = whichOf(text);
      if (asides[which]) return this.#named([asides[which]], run);
      if (NO.test(text)) return this.#reply('answered', this.#replies.leftAlone(this.#nudge(run, '')), run);
    }
    const understood = this.understanding.understand(text);
    if (understood.kind === 'clear') {
      const outcome = this.#clear(understood, run, text);
      return this.#asksFor(understood, outcome);
    }
    return this.#answer(understood, run, text);
  }

  #clear({ matches, rivals }: Extract<Understood, { kind: 'clear' }>, run: Run, text: string): Outcome {
    const ruleOf = ({ ruleId }: { ruleId: string }) => this.#rules.get(ruleId)!;
    const [best] = matches;
    const named = matches.filter(({ specificity }) => specificity === best!.specificity).map(ruleOf);
    if (named[0]!.blocked !== undefined && !named.some(({ id }) => this.isOpen(run, id)))
      return this.#named(named, run, text);
    const open = matches.filter(({ ruleId }) => this.isOpen(run, ruleId));
    const lead = (open[0]?.specificity ?? 0) * SURE_LEAD;
    const near = [
      ...rivals.map((id) => this.#rules.get(id)!),
      ...open.filter(({ specificity }) => specificity > lead).map(ruleOf),
    ];
    if (new Set(near.map(({ title }) => title)).size > 1)
      return this.#ask(near.slice(0, 2), 'unclear', run, text);
    return this.#named(matches.map(ruleOf), run, text);
  }

  #asksFor({ also, more }: Extract<Understood, { kind: 'clear' }>, outcome: Outcome): Outcome {
    if ((also.length === 0 && !more) || !isActed(outcome) || this.isCompleted(outcome.run)) return outcome;
    const { run } = outcome;
    const rules = also.map((id) => this.#rules.get(id)!).filter((rule) => !this.#isSpent(rule, run));
    if (rules.length === 0 && !more) return outcome;
    const asked = rules.filter(
      (rule) => !isTrap(rule) && (rule.blocked !== undefined || this.#holds(rule.when, run)),
    );
    const titles = [...new Set(asked.map(({ title }) => title))];
    const question =
      titles.length > 0
        ? askedAbout(this.#replies, titles, 'also')
        : this.#replies.say('One thing at a time: say the rest in a sentence of its own.');
    return {
      ...outcome,
      feedback: `${outcome.feedback}\n\n${question}`,
      run: titles.length > 0 ? { ...run, asked: asked.map(({ id }) => id) } : run,
    };
  }

  #named(named: Rule[], run: Run, text = ''): Outcome {
    const open = named.find((rule) => !this.#isSpent(rule, run) && this.#holds(rule.when, run));
    if (open) return this.#done(open, run);
    const spent = named.find((rule) => this.#isSpent(rule, run));
    if (spent) return this.#said('repeated', spent, REPEATED, run);
    const blocked = named.find((rule) => rule.blocked !== undefined);
    if (blocked) return this.#said('blocked', blocked, blocked.blocked!, run);
    return this.#reply('unknown', this.#replies.lost(text, this.#nudge(run, text)), run);
  }

  #answer(understood: Exclude<Understood, { kind: 'clear' }>, run: Run, text: string): Outcome {
    const replies = this.#replies;
    const fact = this.#factOf(understood, run, text);
    if (fact) return this.#reply('answered', replies.facts([fact]), run);
    const nudge = this.#nudge(run, text);
    switch (understood.kind) {
      case 'unsure': {
        const rules = understood.ruleIds.map((id) => this.#rules.get(id)!);
        return this.#ask(rules, understood.doubt, run, text);
      }
      case 'denied':
        return this.#reply('answered', replies.leftAlone(nudge), run);
      case 'help':
        return this.#reply('answered', replies.help(text, nudge), run);
      case 'status':
        return this.#reply('answered', replies.facts(this.#worstFacts(run)), run);
      case 'question':
        return this.#reply('answered', replies.question(nudge), run);
      case 'vague':
        return this.#reply('answered', replies.vague(understood.word), run);
      default:
        return this.#reply('unknown', replies.lost(text, nudge), run);
    }
  }

  /** What does harm or only takes time is never proposed. */
  #ask(rules: Rule[], doubt: 'weighed' | 'past' | 'unclear', run: Run, text: string): Outcome {
    const ruleIds = rules.map(({ id }) => id);
    const fresh = rules.filter((rule) => !this.#isSpent(rule, run));
    if (fresh.length === 0) return this.#said('repeated', rules[0]!, REPEATED, run);
    const possible = fresh.filter(
      (rule) => rule.blocked !== undefined || this.#holds(rule.when, run) || fresh.length === 1,
    );
    const titles = new Map(
      (isTrap(fresh[0]!) ? [] : possible.filter((rule) => !isTrap(rule))).map((rule) => [rule.title, rule]),
    );
    const asked = [...titles.values()];
    if (asked.length === 0) {
      const reply = this.#replies.sayPlainly(doubt, this.#nudge(run, text));
      return { kind: 'asked', reply, ruleIds, run };
    }
    const reply = askedAbout(
      this.#replies,
      asked.map(({ title }) => title),
      doubt === 'past' && run.fired.includes(asked[0]!.id) ? 'unclear' : doubt,
    );
    return { kind: 'asked', reply, ruleIds, run: { ...run, asked: asked.map(({ id }) => id) } };
  }

  #reply(kind: Replied['kind'], reply: string, run: Run): Replied {
    return { kind, reply, ruleIds: [], run };
  }

  #factOf(understood: Understood, run: Run, text: string): { label: string; value: string } | null {
    if (understood.kind !== 'question' && understood.kind !== 'nothing') return null;
    const facts = this.panels(run).flatMap((panel) => panel.facts);
    const index = this.understanding.aboutOneOf(
      text,
      facts.map(({ label }) => label),
    );
    return index === null ? null : facts[index]!;
  }

  #worstFacts(run: Run): ShownPanel['facts'] {
    const facts = this.panels(run).flatMap((panel) => panel.facts);
    const [bad, warning] = (['bad', 'warning'] as const).map((tone) =>
      facts.filter((fact) => fact.tone === tone),
    );
    const open = [...bad!, ...warning!];
    return (open.length > 0 ? open : facts).slice(0, FACTS_MAX);
  }

  #nudge(run: Run, text: string): string {
    const open = new Set(
      this.goals(run)
        .filter(({ met }) => !met)
        .map(({ id }) => id),
    );
    const goals = this.scenario.goals.filter(({ id }) => open.has(id));
    const near = this.understanding
      .nearest(text)
      .map(({ ruleId }) => this.#rules.get(ruleId)!)
      .filter((rule) => !isTrap(rule))
      .map((rule) => goals.find(({ when }) => writes(rule, new Set(variables(when)))))
      .find(Boolean);
    const goal = near ?? goals.find(({ required }) => required) ?? goals[0];
    return goal ? (goal.nudge ?? `What is still open: ${goal.title}.`) : '';
  }

  /** Null where its condition does not hold. */
  fire(run: Run, ruleId: string): Acted | null {
    const rule = this.#rules.get(ruleId);
    if (!rule || this.#isSpent(rule, run) || !this.#holds(rule.when, run)) return null;
    return this.#done(rule, run);
  }

  isOpen(run: Run, ruleId: string): boolean {
    const rule = this.#rules.get(ruleId);
    return rule !== undefined && !this.#isSpent(rule, run) && this.#holds(rule.when, run);
  }

  goals(run: Run): GoalStatus[] {
    return this.scenario.goals.map(({ id, title, weight, required, when }) => ({
      id,
      title,
      weight,
      required,
      met: this.#holds(when, run),
    }));
  }

  /** Weight of the met goals in percent, less the penalties, 0 to 100 (decision 53). */
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

  /** By the stored rule, whatever its words would mean today. */
  replay(run: Run, ruleId: string): Outcome | null {
    const rule = this.#rules.get(ruleId);
    const { asked: _, ...plain } = run;
    return rule ? this.#named([rule], plain) : null;
  }

  askedTitles({ asked = [] }: Run): string[] {
    return asked.flatMap((id) => this.#rules.get(id)?.title ?? []);
  }

  #isSpent(rule: Rule, run: Run): boolean {
    return rule.once && run.fired.includes(rule.id);
  }

  #said(kind: 'repeated' | 'blocked', rule: Rule, feedback: string, run: Run): Acted {
    return { kind, ruleId: rule.id, title: rule.title, feedback, events: [], run };
  }

  #done(rule: Rule, before: Run): Acted {
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

const isTrap = ({ penalty, ends, effects, minutes }: Rule): boolean =>
  penalty > 0 || (ends && effects.length === 0) || (effects.length === 0 && minutes >= IDLE_MINUTES);

// States are JSON by definition, and this is several times faster than structuredClone.
const copyOf = (state: State): State => JSON.parse(JSON.stringify(state)) as State;

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

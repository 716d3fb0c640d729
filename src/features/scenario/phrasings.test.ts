import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkScenario } from './check.ts';
import { Engine, isActed, type Run } from './engine.ts';
import {
  judgeStrangers,
  measurePhrasings,
  phrasingList,
  strangerList,
} from '../../../tests/scenarios/phrasings.ts';
import { scenarioDefinition } from './scenario.ts';
import { wordNet } from './words/wordnet.server.ts';
import { unseenList } from '../../../tests/scenarios/unseen-list.ts';

const LISTS = 'tests/scenarios';
const COURSES = 'db/seed/courses';
/** Shares of a list that must be understood; the texts held out are not tuned for and may miss a little more. */
const UNDERSTOOD = 0.9;
const UNDERSTOOD_HELD_OUT = 0.8;
/** Its scenario has "no rehearsal" as an action: whoever says so leaves it out. */
const DENIAL_THAT_ACTS = 'no rehearsal, we have no time for that';
/** Of texts by people who do not know the rules: done, or rightly asked about. */
const UNDERSTOOD_STRANGERS = 0.85;

const read = (path: string): unknown => parse(readFileSync(path, 'utf8'));

const demo = readdirSync(LISTS)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => {
    const list = phrasingList.parse(read(join(LISTS, name)));
    const [course, scenario] = list.scenario.split('/');
    const definition = read(join(COURSES, course!, 'scenarios', `${scenario}.yaml`));
    const texts = ['strangers', 'managers'].flatMap((folder) => {
      const { scenario: sameScenario, texts } = strangerList.parse(read(join(LISTS, folder, name)));
      expect(sameScenario).toBe(list.scenario);
      return texts;
    });
    return {
      name: scenario!,
      list,
      texts,
      definition,
      engine: new Engine(scenarioDefinition.parse(definition), wordNet),
    };
  });

const table: string[] = [];
afterAll(() => {
  console.log(['scenario: listed, held out', ...table].join('\n'));
});

/** Plays to the end of the texts or of the run; a text that means nothing fails the test. */
function play(engine: Engine, actions: string[]): Run {
  let run = engine.begin();
  for (const action of actions) {
    expect(engine.isCompleted(run), `the run was over before "${action}"`).toBe(false);
    const outcome = engine.act(run, action);
    expect(isActed(outcome), action).toBe(true);
    run = outcome.run;
  }
  return run;
}

it('every scenario of the demo has its list, two of each type at least', () => {
  const files = readdirSync(COURSES).flatMap((course) => {
    try {
      return readdirSync(join(COURSES, course, 'scenarios')).map(
        (file) => `${course}/${file.replace('.yaml', '')}`,
      );
    } catch {
      return [];
    }
  });
  expect(demo.map(({ list }) => list.scenario).sort()).toEqual(files.sort());
  for (const type of ['debugging', 'project_building', 'problem_solving']) {
    expect(demo.filter(({ engine }) => engine.scenario.type === type).length).toBeGreaterThanOrEqual(2);
  }
});

describe.each(demo)('$name', ({ name, list, texts, definition, engine }) => {
  it('can be published: no finding, 100 points, a way of sensible length', () => {
    const report = checkScenario(definition, wordNet);
    expect(report.findings).toEqual([]);
    expect(report.bestScore).toBe(100);
    expect(report.solution!.length).toBeGreaterThanOrEqual(5);
    expect(report.solution!.length).toBeLessThanOrEqual(12);
    expect(engine.scenario.rules.length).toBeGreaterThanOrEqual(15);
  });

  it('gives a run of somebody who knows the trade its points', () => {
    const run = play(engine, list.good.actions);
    expect(engine.goals(run).filter(({ met }) => !met)).toEqual([]);
    expect(engine.isCompleted(run)).toBe(true);
    expect(engine.score(run)).toBe(list.good.score);
  });

  it('lets a bad run end badly, with words to learn from', () => {
    const run = play(engine, list.bad.actions);
    expect(engine.score(run)).toBe(list.bad.score);
    expect(run.ended).toBe(list.bad.ended);
    expect(run.penalties).toBeGreaterThanOrEqual(20);
  });

  it('understands what learners type, and takes none of it for something else', () => {
    const listed = measurePhrasings(engine, list.learners, list.none);
    const heldOut = measurePhrasings(engine, list.heldOut, list.heldOutNone);
    table.push(
      `${name}: ${listed.understood}/${listed.total} (${listed.wrong.length} wrong), ` +
        `${heldOut.understood}/${heldOut.total} (${heldOut.wrong.length} wrong)`,
    );
    expect(listed.total).toBeGreaterThanOrEqual(30);
    expect(heldOut.total).toBeGreaterThanOrEqual(10);
    expect(listed.wrong).toEqual([]);
    expect(listed.understood / listed.total).toBeGreaterThanOrEqual(UNDERSTOOD);
    expect(heldOut.understood / heldOut.total).toBeGreaterThanOrEqual(UNDERSTOOD_HELD_OUT);
    const rules = new Set(engine.scenario.rules.map(({ id }) => id));
    for (const id of [...Object.keys(list.learners), ...Object.keys(list.heldOut)]) {
      expect(rules, 'rules that the list names').toContain(id);
    }
  });

  it('understands strangers or asks back, misreads none of them, and refuses what is off-topic', () => {
    const judged = judgeStrangers(engine, texts);
    const titles = new Set(engine.scenario.rules.map(({ id }) => id));
    for (const id of texts.flatMap(({ actions }) => actions))
      expect(titles, 'rules that the list names').toContain(id);
    const wrong = (verdict: string) =>
      judged.filter((one) => one.verdict === verdict).map(({ text, found }) => `${text}: ${found}`);
    expect(wrong('misread')).toEqual([]);
    const off = judged.filter(({ kind }) => kind === 'off');
    expect(off.length).toBeGreaterThanOrEqual(3);
    expect(off.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
    const rest = judged.filter(({ kind }) => kind !== 'off');
    expect(rest.length).toBeGreaterThanOrEqual(30);
    const right = rest.filter(({ verdict }) => verdict === 'right').length;
    expect(right / rest.length, wrong('missed').join('\n')).toBeGreaterThanOrEqual(UNDERSTOOD_STRANGERS);
  });

  it('does nothing that was only weighed, denied, or is about something else', () => {
    const unseen = unseenList.parse(read(join(LISTS, 'unseen', `${name}.yaml`)));
    const idle = unseen.texts.filter(
      ({ kind, verdict }) => ['negation', 'weighed', 'off'].includes(kind) && verdict !== 'misread',
    );
    expect(idle.length).toBeGreaterThanOrEqual(10);
    const changed = idle.flatMap(({ text, meant }) => {
      const outcome = engine.act(engine.begin(), text);
      return outcome.kind === 'done' && /^nothing/.test(meant) && text !== DENIAL_THAT_ACTS
        ? [`${text}: ${outcome.ruleId}`]
        : [];
    });
    expect(changed).toEqual([]);
  });

  it('never proposes what does harm, never more than two actions, and names none where it does not ask', () => {
    const harmful = engine.scenario.rules.filter(({ penalty, ends }) => penalty > 0 || ends);
    const said = texts
      .map(({ text }) => engine.act(engine.begin(), text))
      .filter((outcome) => !isActed(outcome));
    expect(said.length).toBeGreaterThan(5);
    for (const { reply, run } of said) {
      const asked = engine.askedTitles(run);
      expect(asked.length).toBeLessThanOrEqual(2);
      for (const { title } of harmful) expect(asked).not.toContain(title);
      for (const { title } of engine.scenario.rules) {
        if (!asked.includes(title)) expect(reply.toLowerCase()).not.toContain(title.toLowerCase());
      }
    }
  });

  it('answers in its voice, with a nudge for each of its goals', () => {
    expect(engine.scenario.voice?.lost.length).toBeGreaterThan(0);
    for (const { nudge, id } of engine.scenario.goals) expect(nudge, id).toBeTruthy();
    const outcome = engine.act(engine.begin(), 'dance with me');
    expect(outcome).toMatchObject({ kind: 'unknown' });
    const { name: speaker, lost } = engine.scenario.voice!;
    if (isActed(outcome)) throw new Error(outcome.title);
    expect(outcome.reply.startsWith(`${speaker}: “`)).toBe(true);
    expect(lost.some((line) => outcome.reply.includes(line))).toBe(true);
    expect(engine.scenario.goals.some(({ nudge }) => outcome.reply.includes(nudge!))).toBe(true);
  });

  it('lets a learner verify how things stand, at the start and at the end', () => {
    const ids = engine.scenario.rules.filter(({ id }) => id.startsWith('verify-')).map(({ id }) => id);
    const open = (run: Run) => ids.filter((id) => engine.isOpen(run, id));
    const begin = engine.begin();
    const end = play(engine, list.good.actions);
    expect([open(begin).length, open(end).length]).toEqual([1, 1]);
    expect(open(begin)).not.toEqual(open(end));
  });
});

import { describe, expect, it } from 'vitest';
import { checkScenario, isPublishable } from './check.ts';
import { Engine } from './engine.ts';
import { scenarioDefinition } from './scenario.ts';

const set = (path: string, value: unknown) => ({ op: 'replace', path, value });
const is = (name: string, value: unknown) => ({ '==': [{ var: name }, value] });

/** A small scenario that is right; each test breaks it in one place. */
function sound() {
  return {
    title: 'A lamp',
    description: 'The lamp is dark.',
    type: 'debugging',
    timeLimit: 10,
    state: { bulb: 'old', power: false, seen: false },
    panels: [{ title: 'Lamp', facts: [{ label: 'Bulb', value: { var: 'bulb' } }] }],
    goals: [
      {
        id: 'bright',
        title: 'There is light',
        weight: 70,
        when: { and: [is('bulb', 'new'), { var: 'power' }] },
      },
      { id: 'seen', title: 'The cause is known', weight: 30, when: { var: 'seen' } },
    ] as object[],
    rules: [
      {
        id: 'look',
        title: 'Look at the bulb',
        needs: [['look'], ['bulb']],
        effects: [set('/seen', true)],
        feedback: 'It is burnt.',
      },
      {
        id: 'swap',
        title: 'Change the bulb',
        needs: [['swap', 'unscrew'], ['bulb']],
        when: { '!': { var: 'power' } },
        blocked: 'Not while the power is on.',
        effects: [set('/bulb', 'new')],
        feedback: 'A new bulb is in.',
        minutes: 3,
      },
      {
        id: 'power',
        title: 'Turn the power on',
        phrases: ['turn on the power'],
        effects: [set('/power', true)],
        feedback: 'Click.',
      },
      {
        id: 'off',
        title: 'Turn the power off',
        phrases: ['turn off the power'],
        effects: [set('/power', false)],
        feedback: 'Clack.',
      },
    ] as Record<string, unknown>[],
    events: [] as object[],
  };
}
const codes = (scenario: unknown) => checkScenario(scenario).findings.map(({ code, at }) => `${code} ${at}`);

describe('the check of a scenario', () => {
  it('finds nothing wrong with a sound one, and its shortest way to 100 points', () => {
    const report = checkScenario(sound());
    expect(report.findings).toEqual([]);
    expect(isPublishable(report)).toBe(true);
    expect(report.bestScore).toBe(100);
    expect(report.solution).toHaveLength(3);
    expect(new Set(report.solution)).toEqual(
      new Set(['Look at the bulb', 'Change the bulb', 'Turn the power on']),
    );
  });

  it('finds a goal that no way leads to', () => {
    const scenario = sound();
    scenario.goals.push({
      id: 'paid',
      title: 'It is paid',
      weight: 5,
      required: false,
      when: is('bulb', 'paid'),
    });
    expect(codes(scenario)).toEqual(['unreachable-goal goals.paid', 'below-100 goals']);
  });

  it('finds that the required goals cannot be met together', () => {
    const scenario = sound();
    scenario.goals.push({ id: 'dark', title: 'It is dark', weight: 5, when: { '!': { var: 'power' } } });
    expect(codes(scenario)).toContain('no-ending goals');
  });

  it('finds a dead end, with the steps that lead there', () => {
    const scenario = sound();
    scenario.rules.push({
      id: 'smash',
      title: 'Smash the socket',
      phrases: ['smash the socket'],
      effects: [set('/bulb', 'broken')],
      feedback: 'That was the socket.',
    });
    scenario.rules[1] = {
      ...scenario.rules[1]!,
      when: { and: [{ '!': { var: 'power' } }, is('bulb', 'old')] },
    };
    const found = checkScenario(scenario).findings.find(({ code }) => code === 'dead-end');
    expect(found?.at).toBe('rules.smash');
    expect(found?.message).toContain('smash');
  });

  it('takes an ending rule for an end', () => {
    const scenario = sound();
    scenario.rules.push({
      id: 'smash',
      title: 'Smash the socket',
      phrases: ['smash the socket'],
      effects: [set('/bulb', 'broken')],
      feedback: 'That was the socket.',
      ends: true,
    });
    expect(codes(scenario)).toEqual([]);
  });

  it('finds a rule whose condition never holds', () => {
    const scenario = sound();
    scenario.rules.push({
      id: 'sell',
      title: 'Sell it',
      phrases: ['sell the lamp'],
      when: is('bulb', 'gold'),
      feedback: 'Sold.',
    });
    expect(codes(scenario)).toEqual(['unused-rule rules.sell']);
  });

  it('finds words that fit two rules at once, and words another rule takes', () => {
    const scenario = sound();
    scenario.rules.push({ id: 'stare', title: 'Stare', needs: [['look'], ['bulb']], feedback: 'Nothing.' });
    expect(codes(scenario)).toEqual(['ambiguous rules.look']);
    scenario.rules[4] = {
      id: 'stare',
      title: 'Stare',
      phrases: ['look closely at the bulb'],
      feedback: 'Hm.',
    };
    scenario.rules[0] = {
      ...scenario.rules[0]!,
      needs: [['look'], ['bulb']],
      phrases: ['look closely at the old bulb'],
    };
    expect(codes(scenario)).toEqual([]);
    scenario.rules[4] = {
      id: 'stare',
      title: 'Stare',
      needs: [['look'], ['bulb'], ['closely']],
      feedback: 'Hm.',
    };
    scenario.rules[0] = { ...scenario.rules[0]!, phrases: ['look closely at the bulb'] };
    expect(codes(scenario).some((code) => /^(ambiguous|shadowed) /.test(code))).toBe(true);
  });

  it('does not mind two rules with the same words whose conditions exclude each other', () => {
    const scenario = sound();
    scenario.rules.push({
      id: 'shock',
      title: 'Change the bulb under power',
      needs: [['swap', 'unscrew'], ['bulb']],
      when: { var: 'power' },
      feedback: 'Ouch.',
      penalty: 20,
    });
    expect(codes(scenario)).toEqual([]);
  });

  it('finds a phrase without a word of meaning', () => {
    const scenario = sound();
    scenario.rules[0] = { ...scenario.rules[0]!, phrases: ['please do it now'] };
    expect(codes(scenario)).toEqual(['not-understood rules.look']);
  });

  it('finds that 100 points are out of reach because of penalties', () => {
    const scenario = sound();
    scenario.rules[1] = { ...scenario.rules[1]!, penalty: 10 };
    const report = checkScenario(scenario);
    expect(report.findings.map(({ code }) => code)).toEqual(['below-100']);
    expect(report.bestScore).toBe(90);
  });

  it.each([
    ['a place that is not in the state', { effects: [set('/socket', 1)] }, 'rules.0.effects.0.path'],
    [
      'an unknown operator in a computed value',
      { effects: [set('/seen', { logic: { eval: ['1'] } })] },
      'rules.0.effects.0.value',
    ],
    ['an operator it does not know', { when: { eval: ['1'] } }, 'rules.0.when'],
    ['a rule that nobody can reach', { needs: [], phrases: [] }, 'rules.0'],
    ['an id that is there twice', { id: 'off' }, 'rules.3.id'],
    ['an unknown key', { points: 3 }, 'rules.0'],
  ])('says where %s is', (_, change, at) => {
    const scenario = sound();
    scenario.rules[0] = { ...scenario.rules[0]!, ...change };
    const { findings } = checkScenario(scenario);
    expect(findings.map((finding) => [finding.code, finding.at])).toContainEqual(['invalid', at]);
  });

  it('gives up on too many situations with words for the author', () => {
    const scenario = sound();
    const names = Array.from({ length: 16 }, (_, index) => `s${index}`);
    Object.assign(scenario.state, Object.fromEntries(names.map((name) => [name, false])));
    for (const name of names) {
      scenario.rules.push({
        id: name,
        title: name,
        phrases: [`set ${name}`],
        effects: [set(`/${name}`, true)],
        feedback: 'Set.',
      });
    }
    scenario.goals.push({
      id: 'all',
      title: 'All',
      weight: 1,
      when: { and: names.map((name) => ({ var: name })) },
    });
    const report = checkScenario(scenario);
    expect(report.findings.map(({ code }) => code)).toContain('too-large');
    expect(report.findings.find(({ code }) => code === 'too-large')?.message).toMatch(
      /^More than 20,000 different situations can arise.*differ in "/,
    );
    expect(isPublishable(report)).toBe(false);
  });

  it('gives up on a counter without end, and names it', () => {
    const scenario = sound();
    Object.assign(scenario.state, { turns: 0 });
    scenario.rules.push({
      id: 'turn',
      title: 'Turn the lamp',
      phrases: ['turn the lamp round'],
      effects: [set('/turns', { logic: { '+': [{ var: 'turns' }, 1] } })],
      feedback: 'It turns.',
      minutes: 0,
    });
    scenario.goals.push({ id: 'dizzy', title: 'Dizzy', weight: 5, when: { '>': [{ var: 'turns' }, 1e6] } });
    const found = checkScenario(scenario).findings;
    expect(found.find(({ code }) => code === 'too-large')?.message).toContain('"turns" (');
    expect(found).toContainEqual(expect.objectContaining({ code: 'endless', at: 'rules.turn' }));
  });

  it('finds a rule that changes something each time at no cost, but no switch that goes to and fro', () => {
    const scenario = sound();
    Object.assign(scenario.state, { notes: [] });
    for (const rule of scenario.rules) rule.minutes = 0;
    scenario.rules.push({
      id: 'note',
      title: 'Write a note',
      phrases: ['write a note'],
      effects: [{ op: 'add', path: '/notes/-', value: 'looked' }],
      feedback: 'Written.',
      minutes: 0,
    });
    expect(codes(scenario)).toEqual(['endless rules.note']);
    expect(isPublishable(checkScenario(scenario))).toBe(true);
    for (const stop of [
      { once: true },
      { minutes: 1 },
      { penalty: 1 },
      { when: { '!': { in: ['looked', { var: 'notes' }] } } },
    ]) {
      expect(
        codes({ ...scenario, rules: scenario.rules.with(4, { ...scenario.rules[4]!, ...stop }) }),
      ).toEqual([]);
    }
  });

  it('finds a place that is read and that the state does not have', () => {
    const wrong: [string, (scenario: ReturnType<typeof sound>) => void][] = [
      ['rules.swap', ({ rules }) => Object.assign(rules[1]!, { when: is('blub', 'old') })],
      [
        'rules.look',
        ({ rules }) => Object.assign(rules[0]!, { effects: [set('/seen', { logic: { var: 'bulb.type' } })] }),
      ],
      [
        'goals.seen',
        ({ goals }) =>
          Object.assign(goals[1]!, { when: { or: [{ var: 'seen' }, { var: ['sean', false] }] } }),
      ],
      [
        'events.night',
        ({ events }) => events.push({ id: 'night', after: 1, when: { var: 'dark' }, feedback: 'Night.' }),
      ],
      ['panels.0', ({ panels }) => Object.assign(panels[0]!.facts[0]!, { value: { var: 'lamp' } })],
    ];
    for (const [at, change] of wrong) {
      const scenario = sound();
      change(scenario);
      const found = checkScenario(scenario).findings.filter(({ code }) => code === 'unknown-place');
      expect(found.map((finding) => [finding.at, finding.level])).toEqual([[at, 'error']]);
    }
  });

  it('does not mind the clock, and elements of a list', () => {
    const scenario = sound();
    Object.assign(scenario.state, { hosts: [] });
    Object.assign(scenario.panels[0]!.facts[0]!, {
      value: { if: [{ '>': [{ var: 'minutes' }, 3] }, { var: 'hosts.0' }, { var: 'hosts.length' }] },
    });
    expect(codes(scenario)).toEqual([]);
  });

  it('finds a time limit that the shortest way does not fit into', () => {
    const scenario = { ...sound(), timeLimit: 1 };
    for (const rule of scenario.rules) rule.minutes = 0;
    expect(codes(scenario)).toEqual([]);
    const phrases = ['kitchen', 'bathroom', 'cellar'];
    Object.assign(scenario.state, Object.fromEntries(phrases.map((name) => [name, false])));
    for (const name of phrases) {
      scenario.rules.push({
        id: name,
        title: `Look into the ${name}`,
        phrases: [`open the ${name} door`],
        effects: [set(`/${name}`, true)],
        feedback: 'Dark.',
        minutes: 0,
      });
      scenario.goals.push({ id: name, title: name, weight: 5, when: { var: name } });
    }
    expect(codes(scenario)).toEqual(['too-short timeLimit']);
    expect(checkScenario(scenario).findings[0]).toMatchObject({
      level: 'error',
      message: expect.stringContaining('takes 6 actions'),
    });
  });

  it('finds a way that is far longer on the situation’s clock than the time limit', () => {
    const scenario = sound();
    Object.assign(scenario.rules[1]!, { minutes: 200 });
    expect(codes(scenario)).toEqual(['too-long timeLimit']);
  });

  it('finds goals that are met before anything is done', () => {
    const scenario = sound();
    scenario.state = { bulb: 'new', power: true, seen: true };
    expect(codes(scenario)).toContain('met-at-start goals');
  });

  it('finds an event that nothing brings about', () => {
    const scenario = sound();
    scenario.events.push({ id: 'flood', after: 1, when: is('bulb', 'wet'), feedback: 'Water.' });
    expect(codes(scenario)).toEqual(['unused-event events.flood']);
  });

  it.each([
    ['NUL in a text', { title: 'A\0lamp' }, 'title'],
    ['half a character', { description: 'A \ud800 lamp' }, 'description'],
    ['NUL in a name', { state: { ...sound().state, 'a\0': 1 } }, 'state'],
    ['a state that is too large', { state: { ...sound().state, text: 'x'.repeat(20_000) } }, 'state'],
    ['the clock as a variable', { state: { ...sound().state, minutes: 1 } }, 'state.minutes'],
    ['no goals', { goals: [] }, 'goals'],
    ['a type that there is not', { type: 'quiz' }, 'type'],
    ['a time limit that is no number', { timeLimit: null }, 'timeLimit'],
    ['a time limit beyond a day', { timeLimit: 1441 }, 'timeLimit'],
  ])('names the field of %s, in words', (_, change, at) => {
    const { findings } = checkScenario({ ...sound(), ...change });
    expect(findings.map((finding) => [finding.code, finding.at])).toEqual([['invalid', at]]);
    expect(findings[0]!.message).not.toMatch(/^(Invalid|Too|expected)/);
  });

  it.each([null, undefined, 5, 'a scenario', [], { rules: 5 }])('says what is wrong with %j', (input) => {
    const report = checkScenario(input);
    expect(report.findings.length).toBeGreaterThan(0);
    expect(report.solution).toBeNull();
    expect(isPublishable(report)).toBe(false);
  });
});

describe('the engine', () => {
  const engine = new Engine(scenarioDefinition.parse(sound()));

  it('plays the same actions to the same run, always, and never changes the run it was given', () => {
    const texts = ['look at the bulb', 'unscrew the bulb', 'turn on the power'];
    const play = () =>
      texts.reduce((run, text) => {
        const before = JSON.stringify(run);
        const outcome = engine.act(run, text);
        expect(JSON.stringify(run)).toBe(before);
        if (outcome.kind === 'unknown') throw new Error(text);
        return outcome.run;
      }, engine.begin());
    expect(play()).toEqual(play());
    expect(engine.score(play())).toBe(100);
    expect(engine.isCompleted(play())).toBe(true);
    expect(play().minutes).toBe(5);
  });

  it('says why something understood cannot be done now, and changes nothing', () => {
    const on = engine.fire(engine.begin(), 'power');
    if (on?.kind !== 'done') throw new Error('The power does not come on.');
    expect(engine.act(on.run, 'swap the bulb')).toMatchObject({
      kind: 'blocked',
      feedback: 'Not while the power is on.',
      run: on.run,
    });
  });

  it('takes the condition into account before the number of words', () => {
    const scenario = sound();
    scenario.rules.push({
      id: 'shock',
      title: 'Under power',
      needs: [['swap', 'unscrew'], ['bulb']],
      when: { var: 'power' },
      feedback: 'Ouch.',
      penalty: 20,
      once: true,
    });
    const other = new Engine(scenarioDefinition.parse(scenario));
    const on = other.fire(other.begin(), 'power');
    if (on?.kind !== 'done') throw new Error('The power does not come on.');
    const hurt = other.act(on.run, 'swap the bulb');
    expect(hurt).toMatchObject({ kind: 'done', ruleId: 'shock', feedback: 'Ouch.' });
    if (hurt.kind !== 'done') return;
    expect(hurt.run.penalties).toBe(20);
    expect(other.act(hurt.run, 'swap the bulb')).toMatchObject({ kind: 'repeated', run: hurt.run });
  });

  it('lets events happen once their minutes have passed and their condition holds', () => {
    const scenario = sound();
    scenario.events.push({
      id: 'night',
      after: 4,
      when: { '!': { var: 'power' } },
      effects: [],
      feedback: 'It is night.',
      penalty: 5,
    });
    const other = new Engine(scenarioDefinition.parse(scenario));
    const swapped = other.act(other.begin(), 'swap the bulb');
    if (swapped.kind !== 'done') throw new Error('not swapped');
    expect(swapped.events).toEqual([]);
    const looked = other.act(swapped.run, 'look at the bulb');
    if (looked.kind !== 'done') throw new Error('not looked');
    expect(looked.events).toEqual([{ id: 'night', feedback: 'It is night.' }]);
    const again = other.act(looked.run, 'look at the bulb');
    if (again.kind !== 'done') throw new Error('not looked again');
    expect(again.events).toEqual([]);
    expect(other.score(again.run)).toBe(25);
  });
});

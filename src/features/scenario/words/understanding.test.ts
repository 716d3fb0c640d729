import { describe, expect, it } from 'vitest';
import { scenarioDefinition } from '../scenario.ts';
import { wordNet } from './wordnet.server.ts';
import { Understanding } from './understanding.ts';

const rule = (id: string, parts: object) => ({ id, title: id, feedback: 'Done.', ...parts });
const understandingOf = (rules: object[]) =>
  new Understanding(
    scenarioDefinition.parse({
      title: 'Words',
      description: 'A scenario about words.',
      type: 'others',
      timeLimit: 10,
      state: { done: false },
      panels: [{ title: 'State', facts: [{ label: 'Done', value: { var: 'done' } }] }],
      goals: [{ id: 'g', title: 'Goal', weight: 1, when: { var: 'done' } }],
      synonyms: [['order service', 'checkout']],
      rules,
    }),
    wordNet,
  );
const words = understandingOf([
  rule('restart-web', { phrases: ['systemctl restart nginx'], needs: [['restart'], ['web server']] }),
  rule('restart-db', { needs: [['restart'], ['database']] }),
  rule('rollback', { needs: [['rollback'], ['checkout', 'deployment']] }),
  rule('read-log', { needs: [['check'], ['log']], unless: ['database'] }),
  rule('keep-shut', { phrases: ['do not open the attachment'] }),
  rule('open-it', { phrases: ['open the attachment'] }),
]);
const first = (text: string) => words.matches(text)[0]?.ruleId ?? null;

describe('understanding', () => {
  it.each([
    ['restart the web server', 'restart-web'],
    ['Please could you RESTART nginx now?', 'restart-web'],
    ['rebooting Apache', 'restart-web'],
    ['systemctl restart nginx', 'restart-web'],
    ['sudo systemctl restart nginx.service', 'restart-web'],
    ['restrat the web srever', 'restart-web'],
    ['bounce postgres', 'restart-db'],
    ['restart the databse', 'restart-db'],
    ['roll back the deployment', 'rollback'],
    ['kubectl rollout undo deployment/checkout', 'rollback'],
    ['revert the order service to the previous version', 'rollback'],
    ['look at the logs', 'read-log'],
    ['tail -f /var/log/syslog', 'read-log'],
    ['I’d like to check the log files', 'read-log'],
    ['don’t open the attachment', 'keep-shut'],
    ['never open that attachment', 'keep-shut'],
    ['open the attachment', 'open-it'],
  ])('takes "%s" for %s', (text, expected) => {
    expect(first(text)).toBe(expected);
  });

  it.each([
    "don't restart the web server",
    'do not, under any circumstances: without restarting nginx',
    'check the log of the database',
    'restart',
    'the web server',
    'sing a song',
    '',
    '???',
    '💥',
    'x'.repeat(500),
  ])('finds no rule in "%s"', (text) => {
    expect(first(text)).toBeNull();
  });

  it('names each of several objects of one verb', () => {
    expect(words.understand('restart nginx, the database')).toMatchObject({
      matches: [{ ruleId: 'restart-web' }],
      also: ['restart-db'],
    });
  });

  it.each([
    ['restart nginx. I want to know how it is', [], false],
    ['restart nginx, write a letter', [], true],
    ['restart nginx and look at the log of the checkout', ['read-log'], false],
    ['restart nginx: I fear for it, roll back the deployment', [], false],
    ['restart the database and look at the log', ['read-log'], false],
  ])('in "%s" hears the further orders %j, and others: %s', (text, also, more) => {
    expect(words.understand(text)).toMatchObject({ kind: 'clear', also, more });
  });

  it('ends a negation with its clause', () => {
    expect(first("don't touch nginx, restart the database")).toBe('restart-db');
    expect(first('roll back the deployment instead of restarting the database')).toBe('rollback');
  });

  it('takes the intent that is named first where two are equally specific', () => {
    expect(first('restart the web server and then the database')).toBe('restart-web');
    expect(first('restart the database and then the web server')).toBe('restart-db');
  });

  it('names what is nearest for words that mean nothing known', () => {
    expect(words.nearest('restart it').map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining(['restart-web', 'restart-db']),
    );
    expect(words.nearest('dance')).toEqual([]);
  });

  const kindOf = (text: string) => {
    const understood = words.understand(text);
    if (understood.kind === 'clear') return `clear ${understood.matches[0]!.ruleId}`;
    if (understood.kind === 'unsure') return `${understood.doubt} ${understood.ruleIds.join(' ')}`;
    return understood.kind;
  };

  it.each([
    ['could you please restart nginx', 'clear restart-web'],
    ['would you be so kind and restart nginx', 'clear restart-web'],
    ['would you mind restarting nginx', 'clear restart-web'],
    ['look at the log. If it is full, we stop', 'clear read-log'],
    ['if it is full, restart nginx', 'weighed restart-web'],
    ['restart nginx 3 times at 10:40', 'clear restart-web'],
    ['should I restart nginx?', 'weighed restart-web'],
    ['can we restart nginx', 'weighed restart-web'],
    ['what if I restart the database', 'weighed restart-db'],
    ['maybe restart the database', 'weighed restart-db'],
    ['why don’t we restart the database', 'weighed restart-db'],
    ['if it gets worse, restart the database', 'weighed restart-db'],
    ['I restarted the database', 'past restart-db'],
    ['we restarted the database to be sure', 'past restart-db'],
    ['yesterday I reset it and restarted the database', 'past restart-db'],
    ['who has checked the log?', 'weighed read-log'],
    ['which deployment was rolled back?', 'weighed rollback'],
    ['nobody restarts the database', 'denied'],
    ['restarting the database is what I fear', 'unclear restart-db'],
    ['look at the log with the intern', 'unclear read-log'],
    ['we have already rolled back the deployment', 'past rollback'],
    ['the deployment must be rolled back', 'clear rollback'],
    ['turn the order service back to the previous version', 'unclear rollback'],
    ['before you restart nginx look at the logs', 'clear read-log'],
    ['instead of restarting the database roll back the deployment', 'clear rollback'],
    ['do not restart nginx and roll back the deployment', 'unclear rollback'],
    ['never restart nginx without a look at the logs', 'unclear read-log'],
    ['don’t restart nginx', 'denied'],
    ['leave the database alone', 'denied'],
    ['nobody should restart the database', 'denied'],
    ['restarting the database would be a terrible idea', 'denied'],
    ['tell Bob to shut up about the deployment', 'denied'],
    ['cancel the restart of the database', 'denied'],
    ['restart the database? no way', 'denied'],
    ['what should I do?', 'help'],
    ['show me all possible actions', 'help'],
    ['I am stuck', 'help'],
    ['did it work?', 'status'],
    ['restart', 'vague'],
    ['bake a cake for the database', 'nothing'],
    ['tell me a joke', 'nothing'],
  ])('hears "%s" as %s', (text, expected) => {
    expect(kindOf(text)).toBe(expected);
  });

  /** So many words, each of its own. */
  const ownWords = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `qu${String.fromCharCode(97 + (at % 24), 97 + (at >> 2), 122)}x`,
    );

  it('ends with a long phrase that is said whole, or but for one word', () => {
    const said = ownWords(26);
    const long = understandingOf([
      rule('long', { phrases: [`restart ${said.join(' ')}`] }),
      rule('longer', { phrases: [`restart ${said.join(' ')} quorum`] }),
    ]);
    const text = `restart ${said.join(' ')}`;
    expect(long.matches(text).map(({ ruleId }) => ruleId)).toEqual(['long']);
    expect(long.understand(text)).toMatchObject({ kind: 'clear', matches: [{ ruleId: 'long' }] });
    expect(long.nearest(text).map(({ ruleId }) => ruleId)).toEqual(['long', 'longer']);
  });

  it('ends where each of many groups may be met by each of many words', () => {
    const all = ownWords(30);
    const needs = Array.from({ length: 5 }, (_, at) => [...all.slice(at), ...all.slice(0, at)]);
    const many = understandingOf([rule('whole', { needs }), rule('more', { needs: [...needs, ['quorum']] })]);
    expect(many.matches(all.join(' ')).map(({ ruleId }) => ruleId)).toEqual(['whole']);
  });

  it('asks about harm that accounts for half of a text alone, also where a phrase of its rule has no words', () => {
    const harm = rule('cut-off', {
      phrases: ['please do it now'],
      needs: [['restart'], ['router']],
      penalty: 10,
    });
    const asked = understandingOf([harm]);
    expect(asked.understand('restart the router')).toMatchObject({ kind: 'clear' });
    expect(asked.understand('restart the router of the printer department')).toMatchObject({
      kind: 'unsure',
    });
  });
});

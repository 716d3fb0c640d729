import { describe, expect, it } from 'vitest';
import { scenarioDefinition } from '../scenario.ts';
import { Understanding } from './understanding.ts';

const rule = (id: string, parts: object) => ({ id, title: id, feedback: 'Done.', ...parts });
const scenario = scenarioDefinition.parse({
  title: 'Words',
  description: 'A scenario about words.',
  type: 'others',
  timeLimit: 10,
  state: { done: false },
  panels: [{ title: 'State', facts: [{ label: 'Done', value: { var: 'done' } }] }],
  goals: [{ id: 'g', title: 'Goal', weight: 1, when: { var: 'done' } }],
  synonyms: [['order service', 'checkout']],
  rules: [
    rule('restart-web', { phrases: ['systemctl restart nginx'], needs: [['restart'], ['web server']] }),
    rule('restart-db', { needs: [['restart'], ['database']] }),
    rule('rollback', { needs: [['rollback'], ['checkout', 'deployment']] }),
    rule('read-log', { needs: [['check'], ['log']], unless: ['database'] }),
    rule('keep-shut', { phrases: ['do not open the attachment'] }),
    rule('open-it', { phrases: ['open the attachment'] }),
  ],
});
const words = new Understanding(scenario);
const first = (text: string) => words.matches(text)[0]?.ruleId ?? null;

describe('understanding', () => {
  it.each([
    ['restart the web server', 'restart-web'],
    ['Please could you RESTART nginx now?', 'restart-web'],
    ['rebooting Apache', 'restart-web'],
    ['systemctl restart nginx', 'restart-web'],
    ['sudo systemctl restart nginx.service', 'restart-web'],
    ['restrat the web sever', 'restart-web'],
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
});

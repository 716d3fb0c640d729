import type { ScenarioInput } from '#src/features/scenario/scenario.ts';

export const SCENARIO_EXAMPLE: ScenarioInput = {
  title: 'The site is down',
  description: 'Visitors see an error page. Find out why, and bring the site back.',
  type: 'debugging',
  difficulty: 'beginner',
  timeLimit: 10,
  state: { causeKnown: false, running: false },
  goals: [
    { id: 'find-cause', title: 'Find out why the site is down', weight: 40, when: { var: 'causeKnown' } },
    { id: 'bring-back', title: 'Bring the site back', weight: 60, when: { var: 'running' } },
  ],
  resources: [],
  panels: [
    {
      title: 'Website',
      facts: [
        {
          label: 'Status',
          value: { if: [{ var: 'running' }, 'Up', 'Down'] },
          tone: [
            { when: { var: 'running' }, tone: 'good' },
            { when: { '!': [{ var: 'running' }] }, tone: 'bad' },
          ],
        },
      ],
    },
  ],
  rules: [
    {
      id: 'read-logs',
      title: 'Read the logs',
      phrases: ['read the logs', 'look at the log file'],
      effects: [{ op: 'replace', path: '/causeKnown', value: true }],
      feedback: 'The last line says that the server ran out of disk space.',
      once: true,
    },
    {
      id: 'free-space',
      title: 'Free disk space and start the server',
      phrases: ['free disk space', 'delete old files and start the server'],
      when: { var: 'causeKnown' },
      blocked: 'You do not know yet what the server is short of.',
      effects: [{ op: 'replace', path: '/running', value: true }],
      feedback: 'The server starts, and visitors see the site again.',
      once: true,
    },
  ],
};

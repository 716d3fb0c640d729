import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { POOL_OF } from '#src/judge/pools.ts';
import type { Language } from '#src/judge/protocol.ts';
import type { Observation } from '#src/judge/runner.ts';
import { hostileRealm } from './hostile-realm.ts';
import { NO_LAYERS, probeChild } from './probing.ts';
import type { RealmPlan } from './realm-probe.ts';

interface Found {
  seen: Observation[];
  answers: { reached: string[]; objects: number; fired: unknown }[];
}

const ENVIRONMENT = 'canary-of-the-environment';
const HIDDEN = 'canary-of-a-hidden-test';
const MARK = '$marked';
/** By what a second program left in its realm; an interpreter is closed before any program comes, and leaves nothing. */
const OF_SECOND: Record<RealmPlan['runner'], string> = {
  javascript: `globalThis.${MARK} === true`,
  typescript: `globalThis.${MARK} === true`,
  web: `globalThis.${MARK} === true || document.documentElement.outerHTML.includes('${MARK}')`,
  python: 'true',
};

let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
beforeAll(async () => {
  process.env.ACADEMY_CANARY = ENVIRONMENT;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  delete process.env.ACADEMY_CANARY;
  server.close();
});

type Case = [
  language: Language,
  runner: RealmPlan['runner'],
  first: [code: string, input: string],
  second: [code: string, input: string],
];

const CASES: Case[] = [
  [
    'javascript',
    'javascript',
    ['const echo = (text) => text;', `echo("${HIDDEN}")`],
    [`globalThis.${MARK} = true;`, '1'],
  ],
  [
    'typescript',
    'typescript',
    ['const echo = (text: string): string => text;', `echo("${HIDDEN}")`],
    [`Object.assign(globalThis, { ${MARK}: true });`, '1'],
  ],
  [
    'react',
    'web',
    ['export default function App({ text }) { return <h1>{text}</h1>; }', `<App text="${HIDDEN}" /> | text`],
    [`globalThis.${MARK} = true; export default function App() { return <h1>Hello</h1>; }`, '<App /> | text'],
  ],
  ['html', 'web', [`<h1>${HIDDEN}</h1>`, 'h1'], [`<h1>${MARK}</h1>`, 'h1']],
  [
    'css',
    'web',
    [`h1 { --mark: ${HIDDEN}; }`, 'h1 | color'],
    [`h1 { color: red; } /* ${MARK} */`, 'h1 | color'],
  ],
  [
    'python',
    'python',
    ['def echo(text):\n    return text\n', `echo("${HIDDEN}")`],
    ['def one():\n    return 1\n', 'one()'],
  ],
];

test.each(CASES)(
  'a program that breaks out into the realm around %s finds nothing there that leads further',
  async (language, runner, ...programs) => {
    const { port } = server.address() as AddressInfo;
    const fixture = language === 'css' ? '<h1>Hello</h1>' : '';
    const plan: RealmPlan = {
      runner,
      programs: programs.map(([code, input]) => ({
        language,
        code,
        fixture,
        inputs: [{ input, mode: 'call' }],
      })),
      hostile: hostileRealm([ENVIRONMENT, HIDDEN], port),
      isOfSecond: OF_SECOND[runner],
    };
    // Without the other walls, so that what holds is the realm.
    const { seen, answers } = await probeChild<Found>(POOL_OF[language], 'realm-probe', plan, NO_LAYERS);
    expect(seen.map(({ kind, error }) => error ?? kind)).toEqual(['value', 'value']);
    expect(answers.length).toBeGreaterThan(0);
    for (const { reached, objects, fired } of answers) {
      expect({ reached, fired }).toEqual({ reached: [], fired: false });
      expect(objects).toBeGreaterThan(100);
    }
    expect(connections).toBe(0);
  },
);

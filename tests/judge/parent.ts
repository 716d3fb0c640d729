import { Supervisor } from '#src/judge/supervisor.ts';

// A process that has judge children and is killed while one of them runs an endless program.
const judge = new Supervisor({ children: { web: 2 } });
await judge.judge({ language: 'javascript', code: '1', tests: [] });
void judge.judge(
  { language: 'javascript', code: 'for (;;) {}', tests: [] },
  { testMs: 60_000, totalMs: 60_000 },
);
console.log(JSON.stringify(judge.processIds('web')));

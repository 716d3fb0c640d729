import { createJudgeServer } from '../src/judge/server.ts';
import { Supervisor } from '../src/judge/supervisor.ts';

// Reads its own two variables instead of the site's: beside a judge there is no database and no secret.
const port = Number(process.env.JUDGE_PORT ?? 4330);
const host = process.env.JUDGE_HOST ?? '127.0.0.1';
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('Configuration: JUDGE_PORT must be a whole number up to 65535');
  process.exit(1);
}

const log = (line: string) => console.log(line);
const supervisor = new Supervisor({ log });
const server = createJudgeServer(supervisor, log);

async function stop(): Promise<void> {
  server.close();
  server.closeIdleConnections();
  await supervisor.stop();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
// Without a listener Node answers this one by opening its inspector to every program of the machine.
process.on('SIGUSR1', () => {});
server.once('error', (error) => {
  console.error(`Cannot start: ${error.message}`);
  process.exit(1);
});
server.listen(port, host, () => {
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  console.log(`The judge is ready at http://${host}:${bound}`);
  void supervisor.preparePools();
});

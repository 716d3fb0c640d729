import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { InvalidSubmission, JudgeUnavailable, LANGUAGES } from './protocol.ts';
import type { Supervisor } from './supervisor.ts';

const BODY_LIMIT = 8 * 1_048_576;
const REQUEST_TIMEOUT_MS = 10_000;
/** More sockets would only wait for a refusal. */
const MAX_CONNECTIONS = 512;

const limit = z.int().positive().optional();

const request = z.strictObject({
  submission: z.strictObject({
    language: z.enum(LANGUAGES),
    code: z.string(),
    tests: z.array(
      z.strictObject({
        input: z.string(),
        expectedOutput: z.string(),
        mode: z.enum(['call', 'stdin']).optional(),
        hidden: z.boolean().optional(),
        strict: z.boolean().optional(),
      }),
    ),
    expectedOutput: z.string().optional(),
    fixture: z.string().optional(),
    owner: z.string().max(200).optional(),
    isVisitor: z.literal(true).optional(),
    traced: z.literal(true).optional(),
  }),
  limits: z.strictObject({ testMs: limit, totalMs: limit, memoryMb: limit, outputBytes: limit }).optional(),
});

class TooLarge extends Error {}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new TooLarge(`The request is larger than ${BODY_LIMIT / 1_048_576} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function answer(response: ServerResponse, status: number, body: object | null, retryAfter?: number): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  response.end(JSON.stringify(body));
}

async function judgeRequest(
  ask: Supervisor['judge'] | Supervisor['proveHint'],
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let body: unknown;
  try {
    body = JSON.parse(await readBody(message));
  } catch (error) {
    if (error instanceof TooLarge) {
      response.setHeader('connection', 'close');
      return answer(response, 413, { message: error.message });
    }
    return answer(response, 400, { message: 'The request is no JSON.' });
  }
  const parsed = request.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return answer(response, 400, { message: `${issue?.path.join('.')}: ${issue?.message}` });
  }
  const { submission, limits = {} } = parsed.data;
  try {
    answer(response, 200, await ask(submission, limits));
  } catch (error) {
    if (error instanceof InvalidSubmission) return answer(response, 400, { message: error.message });
    if (!(error instanceof JudgeUnavailable)) throw error;
    const { reason, message: why, retryAfterSeconds } = error;
    const status = reason === 'own_runs' ? 429 : 503;
    answer(response, status, { reason, message: why }, retryAfterSeconds);
  }
}

async function route(supervisor: Supervisor, message: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(message.url ?? '/', 'http://judge');
  if (pathname === '/health') {
    const health = await supervisor.health();
    return answer(response, health.ok ? 200 : 503, health);
  }
  if (pathname !== '/judge' && pathname !== '/hint')
    return answer(response, 404, { message: 'There is no such path.' });
  if (message.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return answer(response, 405, { message: 'Only POST is answered here.' });
  }
  const ask = pathname === '/hint' ? supervisor.proveHint : supervisor.judge;
  return judgeRequest(ask.bind(supervisor), message, response);
}

/**
 * `POST /judge` and `POST /hint` take `{ submission, limits? }`; 400 for what it does not take, 503 with `Retry-After`, 429
 * for an owner's too many runs.
 */
export function createJudgeServer(supervisor: Supervisor, log: (line: string) => void): Server {
  const server = createServer((message, response) => {
    route(supervisor, message, response).catch((error: unknown) => {
      log(`judge: a request failed: ${String(error)}`);
      if (!response.headersSent) answer(response, 500, { reason: 'failed', message: 'The judge failed.' });
      else response.destroy();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = REQUEST_TIMEOUT_MS;
  return server;
}

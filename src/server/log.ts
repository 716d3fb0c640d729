import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { requestFacts } from './http/request-facts.ts';
import { loggableError } from './loggable-error.ts';

const FLUSH_MS = 200;

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'password',
  'newPassword',
  'token',
  'auth_token',
  'sessionId',
  'secret',
  'clientSecret',
  'client_secret',
  'secretKey',
  'webhookSecret',
  'apiKey',
  'DATABASE_URL',
];

const at = (parent: string, field: string) =>
  field.startsWith('[') ? `${parent}${field}` : `${parent}.${field}`;

// The library matches exact depths only: the top, one below, and two below (`req.headers.cookie`).
const redactedPaths = SECRET_FIELDS.flatMap((field) => [field, at('*', field), at('*.*', field)]);

function wantsPretty(): boolean {
  if (!process.stdout.isTTY || process.env.NODE_ENV === 'production') return false;
  try {
    // A development package: absent after an install without them.
    createRequire(import.meta.url).resolve('pino-pretty');
    return true;
  } catch {
    return false;
  }
}

export function loggerOptions(): LoggerOptions {
  return {
    level: process.env.LOG_LEVEL?.trim().toLowerCase() || 'info',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    base: null,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const requestId = requestFacts.getStore()?.requestId;
      return requestId ? { requestId } : {};
    },
    serializers: { err: (error) => stdSerializers.err(loggableError(error) as Error) },
    redact: { paths: redactedPaths, censor: '[redacted]' },
  };
}

/** The library writes what is left when the process ends, and at once what is fatal. */
function buffered(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: FLUSH_MS });
}

function createLogger(): Logger {
  const options = loggerOptions();
  if (!pino.levels.values[options.level!] && options.level !== 'silent') options.level = 'info';
  if (!wantsPretty()) return pino(options, buffered());
  return pino({
    ...options,
    formatters: {},
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
  });
}

export const log: Logger = createLogger();

const TOLD_TO_NOBODY =
  'token|code|secret|password|email|firstName|lastName|auth_token|payment_intent_client_secret|setup_intent_client_secret';
const SECRET_PARAMETERS = new RegExp(`([?&](?:${TOLD_TO_NOBODY})=)[^&#]*`, 'gi');
/**
 * Also encoded once or several times, inside the value of another parameter (`next=%2Fclaim%3Ftoken%3D…`).
 */
const NESTED_PARAMETERS = new RegExp(
  `(%(?<level>(?:25)*)(?:3F|26)(?:${TOLD_TO_NOBODY})(?:=|%\\k<level>3D))(?:(?!%\\k<level>(?:26|23))[^&#])*`,
  'gi',
);

/** Blanks values that prove or tell who someone is, or pay. */
export function loggableUrl(target: string): string {
  return target
    .slice(0, 2_000)
    .replace(SECRET_PARAMETERS, '$1[redacted]')
    .replace(NESTED_PARAMETERS, '$1[redacted]');
}

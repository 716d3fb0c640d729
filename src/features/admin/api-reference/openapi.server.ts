import { z } from 'zod';
import * as account from '#src/features/account/schema.ts';
import * as secondFactor from '#src/features/account/second-factor/schema.ts';
import * as instructors from '#src/features/authoring/instructors/schema.ts';
import * as catalogue from '#src/features/catalogue/schema.ts';
import * as company from '#src/features/company/schema.ts';
import * as questions from '#src/features/learn/questions/schema.ts';
import * as learn from '#src/features/learn/schema.ts';
import * as organisations from '#src/features/organisations/schema.ts';
import * as webhooks from '#src/features/organisations/webhooks/schema.ts';
import * as groups from '#src/features/practice/groups/schema.ts';
import * as practice from '#src/features/practice/schema.ts';
import * as scenario from '#src/features/scenario/schema.ts';
import * as store from '#src/features/store/schema.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { env } from '#src/server/start/env.ts';
import type { Contract } from '#src/shared/contract.ts';

const ROOMS = {
  Accounts: { ...account, ...secondFactor },
  Courses: { ...catalogue, ...instructors },
  'Cart, orders and payments': store,
  Organisations: { ...organisations, ...webhooks },
  Learning: { ...learn, ...questions },
  'Coding lessons': { ...practice, ...groups },
  Scenarios: scenario,
  'The firm': company,
} as const;

type JsonSchema = Record<string, unknown>;

/** A call as the reference shows it. */
export interface PublicCall {
  room: string;
  /** The contract's name, which no other call has. */
  id: string;
  method: string;
  path: string;
  params: JsonSchema | null;
  query: JsonSchema | null;
  input: JsonSchema | null;
  output: JsonSchema;
}

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'output' in value;

/** A schema as JSON Schema. What only code can check (such as a sum of money) is told by the messages of a refusal. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return made;
}

let made: PublicCall[] | undefined;

/** Every call of the site that is not for administrators alone, made from the contracts that the endpoints answer to. */
export function publicCalls(): PublicCall[] {
  made ??= Object.entries(ROOMS).flatMap(([room, module]) =>
    Object.entries(module as Record<string, unknown>).flatMap(([name, value]) => {
      if (!isContract(value) || value.path.startsWith('/api/admin/')) return [];
      return [
        {
          room,
          id: name.replace(/Call$/, ''),
          method: value.method,
          path: value.path,
          params: value.params ? jsonSchema(value.params, 'input') : null,
          query: value.query ? jsonSchema(value.query, 'input') : null,
          input: value.input ? jsonSchema(value.input, 'input') : null,
          output: jsonSchema(value.output, 'output'),
        },
      ];
    }),
  );
  return made;
}

const ERROR: JsonSchema = {
  type: 'object',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', description: 'A sentence for people.' },
    code: { type: 'string', description: 'The same for the same cause.' },
    requestId: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' }, description: 'Messages by field.' },
  },
};

const parametersOf = (schema: JsonSchema | null, place: 'path' | 'query') =>
  Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || ((schema?.required ?? []) as string[]).includes(name),
    schema: of,
  }));

/** The public calls as an OpenAPI 3.1 document. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const call of publicCalls()) {
    const parameters = [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')];
    paths[call.path] ??= {};
    paths[call.path]![call.method.toLowerCase()] = {
      operationId: call.id,
      tags: [call.room],
      ...(parameters.length > 0 && { parameters }),
      ...(call.input && {
        requestBody: { required: true, content: { 'application/json': { schema: call.input } } },
      }),
      responses: {
        '2XX': { description: 'Done.', content: { 'application/json': { schema: call.output } } },
        default: {
          description: 'Refused: 401 without a sign-in where one is needed, 404 for what is not yours.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: siteName(),
      version: '1',
      description:
        'Sign in with `POST /api/auth/login` and send its token as a bearer. Times are in UTC, prices decimal strings of US dollars.',
    },
    servers: [{ url: env().siteUrl }],
    tags: Object.keys(ROOMS).map((name) => ({ name })),
    security: [{}, { bearer: [] }],
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

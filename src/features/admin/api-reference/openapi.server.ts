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
import * as compare from '#src/features/practice/compare/schema.ts';
import * as groups from '#src/features/practice/groups/schema.ts';
import * as practice from '#src/features/practice/schema.ts';
import * as review from '#src/features/review/schema.ts';
import * as tables from '#src/features/practice/tables/schema.ts';
import * as replay from '#src/features/practice/replay/schema.ts';
import * as scenario from '#src/features/scenario/schema.ts';
import * as bundles from '#src/features/store/bundles/schema.ts';
import * as cart from '#src/features/store/cart/schema.ts';
import * as checkout from '#src/features/store/checkout/schema.ts';
import * as coupons from '#src/features/store/coupons/schema.ts';
import * as guests from '#src/features/store/guests/schema.ts';
import * as invoices from '#src/features/store/invoices/schema.ts';
import * as orders from '#src/features/store/orders/schema.ts';
import { siteName } from '#src/server/mail/mail-layout.ts';
import { env } from '#src/server/start/env.ts';
import type { Contract } from '#src/shared/contract.ts';
import {
  describeFields,
  exampleOf,
  type JsonSchema,
  limitSentence,
  type Refusal,
  refusalsOf,
} from './examples.server.ts';
import { accounts } from './words/accounts.server.ts';
import { FIELDS } from './words/fields.server.ts';
import { learning } from './words/learning.server.ts';
import { organisations as organisationWords } from './words/organisations.server.ts';
import { store as storeWords } from './words/store.server.ts';
import type { Words } from './words/words.server.ts';

export const ROOMS = {
  Accounts: { ...account, ...secondFactor },
  Courses: { ...catalogue, ...instructors },
  'Cart, orders and payments': {
    ...cart,
    ...coupons,
    ...bundles,
    ...checkout,
    ...guests,
    ...orders,
    ...invoices,
  },
  Organisations: { ...organisations, ...webhooks },
  Learning: { ...learn, ...review, ...questions },
  'Coding lessons': { ...practice, ...groups, ...compare, ...tables, ...replay },
  Scenarios: scenario,
  'The firm': company,
} as const;

export const WORDS: Words = { ...accounts, ...storeWords, ...organisationWords, ...learning };

export interface PublicCall {
  room: string;
  /** Unique name of the contract. */
  id: string;
  method: string;
  path: string;
  params: JsonSchema | null;
  query: JsonSchema | null;
  input: JsonSchema | null;
  output: JsonSchema;
  /** The first sentence, and all. */
  summary: string;
  description: string;
  open: boolean;
  /** Undefined without a body. */
  example: unknown;
  /** Undefined without a body. */
  answer: unknown;
  refusals: Refusal[];
}

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'output' in value;

/** Checks in code, such as sums of money, appear as refusals. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  describeFields(made);
  return made;
}

function publicCall(room: string, id: string, contract: Contract): PublicCall {
  const { method, path } = contract;
  const words = WORDS[`${method} ${path}`];
  const says = words?.says ?? id;
  const input = contract.input ? jsonSchema(contract.input, 'input') : null;
  const output = jsonSchema(contract.output, 'output');
  return {
    room,
    id,
    method,
    path,
    params: contract.params ? jsonSchema(contract.params, 'input') : null,
    query: contract.query ? jsonSchema(contract.query, 'input') : null,
    input,
    output,
    summary: says.replace(/\.( .*)?$/s, ''),
    description: says + limitSentence(words),
    open: words?.open ?? false,
    example: input ? (words?.input ?? exampleOf(input)) : undefined,
    answer: contract.output instanceof z.ZodUndefined ? undefined : exampleOf(output),
    refusals: refusalsOf(contract, words),
  };
}

let made: PublicCall[] | undefined;

/** All but the administrators' calls. */
export function publicCalls(): PublicCall[] {
  made ??= Object.entries(ROOMS).flatMap(([room, module]) =>
    Object.entries(module as Record<string, unknown>).flatMap(([name, value]) => {
      if (!isContract(value) || value.path.startsWith('/api/admin/')) return [];
      return [publicCall(room, name.replace(/Call$/, ''), value)];
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
    ...(FIELDS[name]?.says && { description: FIELDS[name].says }),
    schema: of,
    example: exampleOf(of, name),
  }));

const json = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, example } });

/** By status, then code. */
function refusalResponses(refusals: Refusal[]): Record<string, unknown> {
  const byStatus = Map.groupBy(refusals, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.map(({ body }) => `\`${body.code}\`: ${body.message}`).join('\n'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(some.map(({ body }) => [body.code, { value: body }])),
          },
        },
      },
    ]),
  );
}

/** OpenAPI 3.1. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const call of publicCalls()) {
    const parameters = [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')];
    paths[call.path] ??= {};
    paths[call.path]![call.method.toLowerCase()] = {
      operationId: call.id,
      tags: [call.room],
      summary: call.summary,
      description: call.description,
      security: call.open ? [{}, { bearer: [] }] : [{ bearer: [] }],
      ...(parameters.length > 0 && { parameters }),
      ...(call.input && { requestBody: { required: true, content: json(call.input, call.example) } }),
      responses: {
        '2XX': {
          description: 'Done.',
          ...(call.answer !== undefined && { content: json(call.output, call.answer) }),
        },
        ...refusalResponses(call.refusals),
        default: {
          description: 'A fault of ours, such as 500 or 503.',
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
    paths,
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

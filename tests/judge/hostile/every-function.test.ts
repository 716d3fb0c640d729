import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Verdict } from '#src/judge/protocol.ts';
import { PatientJudge, expectTrueVerdicts, SMALL_LIMITS } from '../controls.ts';

// Every function of PostgreSQL that takes a path, loads code, changes roles or settings, or outlives a transaction, by
// the catalogue's own list, called with values that it takes.

const judge = new PatientJudge({ children: { sql: 1 } });
afterAll(() => judge.stop());

const POWERS =
  'file|dir|path|load|import|export|lo_|lob|role|authid|user|priv|acl|config|setting|seed|lock|sleep|notify|listen|terminate|cancel|reload|rotate|replication|slot|origin|backup|wal|snapshot|promote|recovery|stat_reset|stat_clear|restore|tablespace|xact|xid|logical|advisory|prepared|cursor|query_to|table_to|schema_to|database_to|_in$|_recv$|handler|validator|extension|collation|nextoid|binary_upgrade|amvalidate|brin|gin_clean|index_|relation_|database|postmaster|signal|log_|control|conf|hba|ident|version|server|inet_|client|environment|icu|encoding|ts_|dict|xml|json_populate';

/** A value of each type that such functions take. */
const VALUES: Record<string, string> = {
  text: "'/etc/passwd'",
  name: "'postgres'",
  cstring: "'postgres'",
  integer: '1',
  smallint: '1::smallint',
  bigint: '1',
  boolean: 'true',
  oid: '10::oid',
  bytea: "'\\x00'::bytea",
  regclass: "'pg_authid'::regclass",
  regrole: '10::regrole',
  '"char"': `'r'::"char"`,
  'double precision': '0.5',
  interval: "'1 hour'::interval",
  'timestamp with time zone': 'now()',
  pg_lsn: "'0/0'::pg_lsn",
  xid: "'3'::xid",
  xid8: "'3'::xid8",
  refcursor: "'x'::refcursor",
  json: "'{}'::json",
  jsonb: "'{}'::jsonb",
  xml: 'NULL::xml',
  internal: 'NULL::internal',
  'text[]': "'{a}'::text[]",
};

async function rows(code: string): Promise<string[]> {
  const verdict = await judge.judge({
    language: 'sql',
    code,
    tests: [{ input: 'result', expectedOutput: '' }],
  });
  expect(verdict.error, code).toBeNull();
  return verdict.tests[0]!.got!.split('\n').slice(1);
}

/** What a session may have changed for the next one. */
const STATE = `SELECT (SELECT md5(string_agg(name || coalesce(setting, ''), ',' ORDER BY name)) FROM pg_settings) AS settings,
  (SELECT md5(string_agg(r::text, ',' ORDER BY oid)) FROM pg_roles r) AS roles,
  (SELECT count(*) FROM pg_proc) AS functions, (SELECT count(*) FROM pg_class) AS relations,
  (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks,
  (SELECT count(*) FROM pg_prepared_statements) AS statements, (SELECT count(*) FROM pg_cursors) AS cursors,
  (SELECT count(*) FROM pg_listening_channels()) AS channels,
  (SELECT count(*) FROM pg_largeobject_metadata) AS objects, pg_current_xact_id() AS transaction`;

let calls: string[] = [];
let before: string[] = [];

beforeAll(async () => {
  before = await rows(STATE);
  const found = await rows(
    `SELECT p.proname || ':' || coalesce(string_agg(format_type(a.type, NULL), ';' ORDER BY a.at), '') FROM pg_proc p
     LEFT JOIN LATERAL unnest(p.proargtypes) WITH ORDINALITY AS a (type, at) ON true
     WHERE p.prokind = 'f' AND p.proname ~ '${POWERS}' GROUP BY p.oid, p.proname ORDER BY 1`,
  );
  calls = found.map((line) => {
    const [name = '', types = ''] = line.replace(/^"|"$/g, '').split(':');
    const values = types === '' ? [] : types.split(';').map((type) => VALUES[type] ?? `NULL::${type}`);
    return `${name}(${values.join(', ')})`;
  });
}, 60_000);

test('no function of the catalogue gives more than an error or a harmless value, or reaches the next program', async () => {
  expect(calls.length).toBeGreaterThan(500);
  const seen: Partial<Record<Verdict['kind'], number>> = {};
  for (const [at, call] of calls.entries()) {
    const verdict = await judge.judge(
      { language: 'sql', code: `SELECT ${call} AS got`, tests: [{ input: 'result', expectedOutput: 'x' }] },
      SMALL_LIMITS,
    );
    seen[verdict.kind] = (seen[verdict.kind] ?? 0) + 1;
    expect(/root:|PATH=|SCRAM-SHA|\/node_modules/.exec(JSON.stringify(verdict))?.[0], call).toBeUndefined();
    if (at % 100 === 0) expect(await rows(STATE), call).toEqual(before);
  }
  expect(await rows(STATE)).toEqual(before);
  await expectTrueVerdicts(judge, 'sql');
  const { counters } = await judge.health();
  expect(counters).toMatchObject({ deaths: 0, killedForTime: 0, killedForMemory: 0 });
  expect(seen.runtime_error).toBeGreaterThan(100);
}, 400_000);

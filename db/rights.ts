import type postgres from 'postgres';

export class UnfitDatabaseError extends Error {
  override name = 'UnfitDatabaseError';
}

type Facts = {
  database: string;
  user: string;
  is_standby: boolean;
  is_read_only: boolean;
  is_ours: boolean;
  lacks_schema: boolean;
  may_create_schemas: boolean;
  has_public: boolean;
  may_use_public: boolean;
  foreign_table: string | null;
  other_owner: string | null;
  lacks_extension: string | null;
};

/**
 * Checks without writing that a database can be migrated: a migration that fails halfway leaves schemas
 * behind. @throws {UnfitDatabaseError}
 */
export async function checkRights(sql: postgres.Sql, isBehind: boolean): Promise<void> {
  const [facts] = await sql<Facts[]>`
    select quote_ident(current_database()) as database, quote_ident(current_user) as user,
      pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only,
      to_regclass('drizzle.__drizzle_migrations') is not null as is_ours,
      to_regnamespace('drizzle') is null or to_regnamespace('pgboss') is null as lacks_schema,
      has_database_privilege(current_database(), 'CREATE') as may_create_schemas,
      to_regnamespace('public') is not null as has_public,
      coalesce(has_schema_privilege(to_regnamespace('public'), 'CREATE')
        and has_schema_privilege(to_regnamespace('public'), 'USAGE'), false) as may_use_public,
      (select relname from pg_class c where relnamespace = to_regnamespace('public') and relkind in ('r', 'p', 'v', 'm', 'f')
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
        order by relname limit 1) as foreign_table,
      (select quote_ident(pg_get_userbyid(relowner)) from pg_class
        where relnamespace = to_regnamespace('public') and relkind in ('r', 'p')
        and not pg_has_role(relowner, 'USAGE') limit 1) as other_owner,
      (select string_agg(name, ' and ' order by name) from unnest(array['pg_trgm', 'unaccent']) as name
        where not exists (select 1 from pg_available_extensions available where available.name = name.name)) as lacks_extension`;
  const fault = faultOf(facts!, isBehind);
  if (fault) throw new UnfitDatabaseError(`The database ${facts!.database} ${fault}`);
}

function faultOf(facts: Facts, isBehind: boolean): string | null {
  const { database, user } = facts;
  if (facts.is_standby)
    return 'is a standby, which can only be read: let DATABASE_URL name its primary server.';
  if (facts.is_read_only) {
    return `can only be read: run "ALTER DATABASE ${database} SET default_transaction_read_only = off" and "ALTER ROLE ${user} SET default_transaction_read_only = off", or let DATABASE_URL name another.`;
  }
  if (!facts.is_ours && facts.foreign_table) {
    return `holds tables of another program, such as ${facts.foreign_table}: make one for this site alone with "CREATE DATABASE academy OWNER ${user}", and let DATABASE_URL name it.`;
  }
  const missing = missingRights(facts, isBehind);
  if (missing.length > 0) {
    return `lacks rights for ${user}: as its owner run ${missing.map((statement) => `"${statement}"`).join(' and ')} in it.`;
  }
  if (!isBehind) return null;
  if (!facts.is_ours && facts.lacks_extension) {
    return `is on a server without ${facts.lacks_extension}: install PostgreSQL's contrib package there.`;
  }
  return null;
}

function missingRights(facts: Facts, isBehind: boolean): string[] {
  const { database, user } = facts;
  const createsSchemas =
    facts.lacks_schema && !facts.may_create_schemas
      ? [`GRANT CREATE ON DATABASE ${database} TO ${user}`]
      : [];
  if (!isBehind) return createsSchemas;
  const usesPublic = !facts.has_public
    ? [`CREATE SCHEMA public AUTHORIZATION ${user}`]
    : facts.may_use_public
      ? []
      : [`GRANT USAGE, CREATE ON SCHEMA public TO ${user}`];
  const changesTables = facts.other_owner ? [`GRANT ${facts.other_owner} TO ${user}`] : [];
  return [...createsSchemas, ...usesPublic, ...changesTables];
}

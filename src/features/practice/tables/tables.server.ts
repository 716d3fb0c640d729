import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { judge, parseTable } from '#src/judge/client.ts';
import { AppError } from '#src/shared/errors.ts';
import { lessonNotFound, readableLesson } from '../practice.server.ts';
import { type LessonTable, tableColumn } from './schema.ts';

type Viewer = Parameters<typeof readableLesson>[1];

const ROWS = 20;
const TABLES = 12;

const CATALOGUE = `SELECT json_agg(t ORDER BY t.oid) AS tables FROM (
  SELECT c.oid, c.relname AS name, (
    SELECT json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'isRequired', a.attnotnull,
      'isKey', EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)),
      'references', (
        SELECT json_build_object('table', f.confrelid::regclass::text, 'column', b.attname)
        FROM pg_constraint f JOIN pg_attribute b
          ON b.attrelid = f.confrelid AND b.attnum = f.confkey[array_position(f.conkey, a.attnum)]
        WHERE f.conrelid = c.oid AND f.contype = 'f' AND a.attnum = ANY (f.conkey) ORDER BY f.oid LIMIT 1)
    ) ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  ) AS columns
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'p') ORDER BY c.oid LIMIT ${TABLES}
) t`;

const catalogue = z.array(z.object({ name: z.string(), columns: z.array(tableColumn) })).nullable();

/** A class that begins asks once. */
const known = new LRUCache<string, Promise<LessonTable[]>>({ max: 50 });

/**
 * A SQL lesson's tables with their first rows.
 * @throws {AppError} not_found; unavailable where the judge could not make them
 */
export async function lessonTables(viewer: Viewer, id: number): Promise<LessonTable[]> {
  const { codingLanguage, content } = await readableLesson(id, viewer);
  if (codingLanguage !== 'sql') throw lessonNotFound();
  const before = known.get(content);
  if (before) return before;
  const made = readTables(content);
  known.set(content, made);
  made.catch(() => known.delete(content));
  return made;
}

async function readTables(fixture: string): Promise<LessonTable[]> {
  const [json] = await ask(fixture, [CATALOGUE]);
  const tables = catalogue.parse(JSON.parse(json?.rows[0]?.[0] ?? 'null')) ?? [];
  if (tables.length === 0) return [];
  const named = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const rows = await ask(
    fixture,
    tables.map(({ name }) => `SELECT * FROM ${named(name)} LIMIT ${ROWS + 1}`),
  );
  return tables.map((table, at) => {
    const all = (rows[at]?.rows ?? []).filter((row) => row.length === table.columns.length);
    return { ...table, rows: all.slice(0, ROWS), hasMore: all.length > ROWS };
  });
}

async function ask(fixture: string, queries: string[]): Promise<ReturnType<typeof parseTable>[]> {
  const tests = queries.map((input) => ({ input, expectedOutput: '' }));
  const verdict = await judge({ language: 'sql', code: 'SELECT 1', fixture, tests }).catch(
    (error: unknown) => {
      throw unavailable(error);
    },
  );
  const [first] = verdict.tests;
  if (!first || first.got === null) throw unavailable(new Error(first?.error?.message ?? 'no rows came'));
  return verdict.tests.map(({ got }) => (got === null ? null : parseTable(got)));
}

const unavailable = (cause: unknown) =>
  new AppError('unavailable', 'The tables of this lesson cannot be shown at the moment.', {
    retryAfterSeconds: 5,
    cause,
  });

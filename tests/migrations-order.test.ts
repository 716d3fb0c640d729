import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const folder = resolve(import.meta.dirname, '../db/migrations');
/** The rule holds for what came after it. */
const LAST_WITHOUT = '0058';

/** What takes something away that an older program may use, by the name of its kind. */
const TAKES_AWAY =
  /\b(?:drop\s+(?:table|column|constraint|view|type|function|trigger|schema|sequence|default)|rename\s+(?:to|column|constraint)|set\s+not\s+null|alter\s+column\s+\S+\s+(?:set\s+data\s+)?type)\b/i;
const RELEASE = /^-- unused since \d+\.\d+\.\d+$/m;

/** Statements that take something away without the release that stopped to use it in the comment before them. */
const unnamed = (migration: string) =>
  migration
    .split('--> statement-breakpoint')
    .map((statement) => statement.trim())
    .filter(
      (statement) => TAKES_AWAY.test(statement.replace(/--.*|'[^']*'/g, '')) && !RELEASE.test(statement),
    );

it('a migration takes nothing away before a release has stopped to use it, which a comment names', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const later = names.filter((name) => name.slice(0, 4) > LAST_WITHOUT);
  const wrong = later.flatMap((name) =>
    unnamed(readFileSync(resolve(folder, name), 'utf8')).map((statement) => `${name}: ${statement}`),
  );
  expect(wrong).toEqual([]);
});

it.each([
  'ALTER TABLE "users" DROP COLUMN "name";',
  'DROP TABLE "users";',
  'ALTER TABLE "users" RENAME COLUMN "name" TO "word";',
  'ALTER TABLE "users" RENAME TO "people";',
  'ALTER TABLE "users" DROP CONSTRAINT "users_key";',
  'alter table "users" alter column "name" set not null;',
  'ALTER TABLE "users" ALTER COLUMN "age" SET DATA TYPE text;',
  'select 1;--> statement-breakpoint\n-- unused since 0.1.0\nselect 2;--> statement-breakpoint\nDROP TABLE "users";',
])('is noticed: %s', (migration) => {
  expect(unnamed(migration)).toHaveLength(1);
});

it.each([
  '-- unused since 0.1.0\nALTER TABLE "users" DROP COLUMN "name";',
  'ALTER TABLE "users" ADD COLUMN "name" text;',
  'DROP INDEX "users_idx";',
  "-- drop table later\ninsert into words values ('drop table');",
])('is allowed: %s', (migration) => {
  expect(unnamed(migration)).toEqual([]);
});

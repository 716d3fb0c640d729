import type { Engine } from './engine.ts';
import { statementsOf } from '../statements.ts';

/** Warms up: functions are compiled at their first call. */
const REHEARSAL = `BEGIN;
CREATE TABLE a (id serial PRIMARY KEY, name text NOT NULL UNIQUE, at date CHECK (at > '2000-01-01'));
CREATE TABLE b (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a integer REFERENCES a (id), price numeric(10, 2));
INSERT INTO a (name, at) VALUES ('x', '2026-01-01'), ('y', NULL);
INSERT INTO b (a, price) VALUES (1, 2.5), (1, 3), (2, NULL);
SELECT a.name, count(*), sum(price), string_agg(b.id::text, ',' ORDER BY b.id) FROM a LEFT JOIN b ON b.a = a.id
WHERE name LIKE '%x%' OR at IS NULL GROUP BY a.name HAVING count(*) > 0 ORDER BY 2 DESC, 1 LIMIT 5 OFFSET 0;
WITH one AS (SELECT DISTINCT a, row_number() OVER (PARTITION BY a ORDER BY price) AS n FROM b)
SELECT * FROM one WHERE n IN (SELECT 1 UNION SELECT 2) AND EXISTS (SELECT 1 FROM a WHERE id = one.a);
UPDATE b SET price = coalesce(price, 0) + 1 WHERE a = 2;
DELETE FROM b WHERE price > 3;
SELECT CASE WHEN price > 1 THEN upper('a') ELSE 'b' END, price::text || 'x' FROM b;
EXPLAIN (COSTS OFF, FORMAT JSON) SELECT * FROM a JOIN b ON b.a = a.id;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION f();
DO $$ BEGIN INSERT INTO a (name) VALUES ('z'); END $$;
SELECT to_tsvector('english', 'running');
ROLLBACK;
RESET ALL; SET search_path = public, pg_temp; RESET search_path`;

export function rehearse(engine: Engine): void {
  for (const { text } of statementsOf(REHEARSAL)) {
    const { failure } = engine.run(text);
    if (failure) throw new Error(`the rehearsal failed: ${failure.message}`);
  }
}

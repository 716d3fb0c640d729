import { describe, expect, test } from 'vitest';
import { statementsOf } from './statements.ts';

const texts = (text: string) => statementsOf(text).map((statement) => statement.text);

describe('a text is parted into statements as PostgreSQL reads it', () => {
  test.each([
    ['a line comment ends at a carriage return', 'SELECT 1 --\r; COMMIT', ['SELECT 1 --\r', 'COMMIT']],
    [
      'a line comment ends at a line feed',
      'SELECT 1 -- a; b\n; SELECT 2',
      ['SELECT 1 -- a; b\n', 'SELECT 2'],
    ],
    ['a line comment reaches to the end of the text', 'SELECT 1 -- a; b', ['SELECT 1']],
    [
      'comments in stars nest',
      'SELECT 1 /* a /* ; */ ; */ ; SELECT 2',
      ['SELECT 1 /* a /* ; */ ; */ ', 'SELECT 2'],
    ],
    ['a text may hold a semicolon', "SELECT ';'; SELECT 2", ["SELECT ';'", 'SELECT 2']],
    ['a plain text knows no backslash', "SELECT '\\'; SELECT 2", ["SELECT '\\'", 'SELECT 2']],
    ['a text with escapes does', "SELECT E'\\'; '; SELECT 2", ["SELECT E'\\'; '", 'SELECT 2']],
    [
      'a text goes on in the next line with its escapes',
      "SELECT E'a'\n'\\'; '; SELECT 2",
      ["SELECT E'a'\n'\\'; '", 'SELECT 2'],
    ],
    [
      'a text goes on behind a comment',
      "SELECT E'a' -- x\n'\\'; '; SELECT 2",
      ["SELECT E'a' -- x\n'\\'; '", 'SELECT 2'],
    ],
    ['a text in dollars', 'SELECT $a$;$b$;$a$; SELECT 2', ['SELECT $a$;$b$;$a$', 'SELECT 2']],
    ['a dollar inside a name begins no text', 'SELECT a$b$; SELECT $b$', ['SELECT a$b$', 'SELECT $b$']],
    ['a name in quotes', 'SELECT 1 AS "a;b"; SELECT 2', ['SELECT 1 AS "a;b"', 'SELECT 2']],
    [
      'brackets',
      'CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3',
      ['CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)', 'SELECT 3'],
    ],
    [
      'the body of a function in SQL',
      'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; SELECT 3',
      [
        'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END',
        'SELECT 3',
      ],
    ],
    ['a transaction is no such body', 'BEGIN; SELECT 1; END', ['BEGIN', 'SELECT 1', 'END']],
    [
      'a space that is none for PostgreSQL',
      'SELECT 1 AS a\u00a0b; SELECT 2',
      ['SELECT 1 AS a\u00a0b', 'SELECT 2'],
    ],
  ])('%s', (_, text, parts) => expect(texts(text)).toEqual(parts));
});

import { describe, expect, it } from 'vitest';
import { readPeople } from './people-list.ts';

const addresses = (text: string) => readPeople(text).map(({ email }) => email);

describe('a pasted list of people', () => {
  it('has one address per line, in any case and with space around it', () => {
    expect(addresses('  Ana@Example.com \r\n\nbo@example.com\n')).toEqual([
      'ana@example.com',
      'bo@example.com',
    ]);
  });

  it('may be a table whose first line names its columns', () => {
    expect(addresses('Name;E-Mail\nAna Bo;ana@example.com\n"Cho";"cho@example.com"')).toEqual([
      'ana@example.com',
      'cho@example.com',
    ]);
  });

  it('takes what a mail program copies, with names that hold commas and addresses', () => {
    expect(
      addresses('Ana Bo <ana@example.com>, "Cho, Dee" <cho@example.com>; eve@example.com <Eve@Example.com>'),
    ).toEqual(['ana@example.com', 'cho@example.com', 'eve@example.com']);
    expect(addresses('Ana <ana@example.com> Bo <bo@example.com>')).toEqual([
      'ana@example.com',
      'bo@example.com',
    ]);
  });

  it.each([', ', ',', ';', '; ', ' ', '  ', '\t', '\n', '\r\n'])('may be separated by %j', (between) => {
    expect(addresses(['ana@example.com', 'bo@example.com', 'cho@example.com'].join(between))).toEqual([
      'ana@example.com',
      'bo@example.com',
      'cho@example.com',
    ]);
  });

  it('says which line cannot be read, by its place in the text', () => {
    expect(readPeople('ana@example.com\n\nnobody\na@b.com, c@d\n@example.com')).toEqual([
      { line: 1, text: 'ana@example.com', email: 'ana@example.com' },
      { line: 3, text: 'nobody', email: null },
      { line: 4, text: 'a@b.com', email: 'a@b.com' },
      { line: 4, text: 'c@d', email: null },
      { line: 5, text: '@example.com', email: null },
    ]);
  });

  it('does not take a single line for the names of columns', () => {
    expect(readPeople('email')).toEqual([{ line: 1, text: 'email', email: null }]);
  });
});

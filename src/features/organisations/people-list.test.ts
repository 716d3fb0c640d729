import { describe, expect, it } from 'vitest';
import { readPeople } from './people-list.ts';

const addresses = (text: string) => readPeople(text).map(({ email }) => email);

describe('a pasted list of people', () => {
  it('has addresses in any case, with space around them and a byte order mark', () => {
    expect(addresses('\uFEFF  Ana@Example.com \r\n\n')).toEqual(['ana@example.com']);
  });

  it('may be a table whose first line names its columns', () => {
    expect(addresses('sep=;\nName;E-Mail\nAna Bo;ana@example.com\n"Cho";"cho@example.com"')).toEqual([
      'ana@example.com',
      'cho@example.com',
    ]);
  });

  it('takes what a mail program copies, with names that hold commas and addresses', () => {
    const copied = 'Ana Bo <ana@a.com>, "Cho, Dee" <cho@a.com>; eve@a.com <Eve@A.com> Fay <fay@a.com>';
    expect(addresses(copied)).toEqual(['ana@a.com', 'cho@a.com', 'eve@a.com', 'fay@a.com']);
  });

  it.each([', ', ';', ' ', '\t', '\r\n'])('may be separated by %j', (between) => {
    expect(addresses(`ana@a.com${between}bo@b.com`)).toEqual(['ana@a.com', 'bo@b.com']);
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

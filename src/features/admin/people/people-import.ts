import Papa from 'papaparse';
import { USERNAME_MAX } from '#src/features/account/schema.ts';
import { mailbox } from '#src/shared/fields.ts';
import { nameLine } from '#src/shared/names.ts';
import { IMPORT_ROWS_MAX } from './schema.ts';

/** Columns of a list of people; `email` alone must be there. */
export const IMPORT_COLUMNS = ['email', 'name', 'course'] as const;
type Column = (typeof IMPORT_COLUMNS)[number];

const SEPARATORS = [';', '\t', ','];

/** How people head these columns too. */
const ALIASES: Record<string, Column> = {
  'e-mail': 'email',
  'email address': 'email',
  username: 'name',
  'full name': 'name',
  'course title': 'course',
};

/** Rows that are read at most, empty ones among them: a file of nothing but line ends has millions. */
const ROWS_READ_MAX = 10 * IMPORT_ROWS_MAX;

/** One row of the file. */
export interface ListedPerson {
  /** Row of the table, the heading being 1. */
  line: number;
  email: string;
  name: string;
  course: string;
  errors: { column: string; message: string }[];
}

/** What is wrong with a file as a whole, for the person who chose it. */
export class ImportFileError extends Error {
  override name = 'ImportFileError';
}

/** The file's text. A byte order mark is honored and dropped. */
function decode(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ImportFileError(
      'The file is not encoded as UTF-8, so letters such as é would be wrong. Save it as “CSV UTF-8” and choose it again.',
    );
  }
}

const nameField = nameLine('Name', { min: 0, max: USERNAME_MAX });
const mailField = mailbox();

/**
 * Reads a CSV file of people: separated by commas, semicolons or tabs, in UTF-8 or UTF-16, with or without a byte order
 * mark. Empty rows are passed over.
 *
 * @returns the rows, each with what is wrong in itself, the column named
 * @throws {ImportFileError} for a file that cannot be read as such a list
 */
export function readPeople(bytes: Uint8Array): ListedPerson[] {
  const text = decode(bytes);
  if (text.includes('\0')) {
    throw new ImportFileError('The file contains zero bytes: it is not a CSV file, or it is damaged.');
  }
  if (!text.trim()) throw new ImportFileError('The file is empty.');
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter: separatorOf(text),
    preview: ROWS_READ_MAX + 1,
  });
  if (data.length > ROWS_READ_MAX) {
    throw new ImportFileError(
      `The file has more than ${ROWS_READ_MAX.toLocaleString('en-US')} rows, empty ones counted; ${IMPORT_ROWS_MAX.toLocaleString('en-US')} at most go at once. Split it.`,
    );
  }
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) {
    throw new ImportFileError(`Row ${(quotes.row ?? 0) + 1} has a quotation mark that is not closed.`);
  }
  const [heading = [], ...rows] = data;
  const columns = readHeading(heading);
  const filled = rows
    .map((cells, index) => ({ cells, line: index + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) throw new ImportFileError('The file has a heading and no rows.');
  if (filled.length > IMPORT_ROWS_MAX) {
    throw new ImportFileError(
      `The file has ${filled.length.toLocaleString('en-US')} rows; ${IMPORT_ROWS_MAX.toLocaleString('en-US')} at most go at once. Split it.`,
    );
  }
  return markRepeats(filled.map(({ cells, line: row }) => readRow(cells, row, columns)));
}

/** What stands between the names of the columns, none of which has such a character in it. */
function separatorOf(text: string): string {
  const [heading = ''] = text.split(/[\r\n]/, 1);
  return SEPARATORS.find((separator) => heading.includes(separator)) ?? ',';
}

function readHeading(heading: readonly string[]): Column[] {
  const names = heading.map((cell) => cell.trim().toLowerCase());
  if (names.some((name) => /^(password|passwd|pwd)/.test(name))) {
    throw new ImportFileError(
      'The file has a column of passwords. Remove it: everybody new chooses their own by a mailed link.',
    );
  }
  const columns = names.map((name) => ALIASES[name] ?? name);
  if (!columns.includes('email')) {
    throw new ImportFileError(
      'The first row must name the columns, and there is no column “email”. Begin with the template.',
    );
  }
  columns.forEach((name, index) => {
    if (!(IMPORT_COLUMNS as readonly string[]).includes(name)) {
      throw new ImportFileError(
        name
          ? `The column “${name.slice(0, 60)}” is not known. The columns are ${IMPORT_COLUMNS.join(', ')}.`
          : `Column ${index + 1} has no name. The columns are ${IMPORT_COLUMNS.join(', ')}.`,
      );
    }
    if (columns.indexOf(name) !== index) throw new ImportFileError(`There are two columns “${name}”.`);
  });
  return columns as Column[];
}

function readRow(cells: readonly string[], row: number, columns: readonly Column[]): ListedPerson {
  const cell = (column: Column) => {
    const index = columns.indexOf(column);
    return index === -1 ? '' : (cells[index] ?? '').trim();
  };
  const person: ListedPerson = {
    line: row,
    email: cell('email'),
    name: cell('name'),
    course: cell('course').slice(0, 300),
    errors: [],
  };
  if (cells.slice(columns.length).some((extra) => extra.trim() !== '')) {
    person.errors.push({
      column: columns.at(-1)!,
      message: `The row has ${cells.length} cells and the heading ${columns.length}. Put text with a separator into quotation marks.`,
    });
  }
  const email = mailField.safeParse(person.email);
  if (email.success) person.email = email.data;
  else {
    const message = person.email ? 'This is not an email address' : 'Email is required';
    person.errors.push({ column: 'email', message });
    person.email = person.email.slice(0, 254);
  }
  const name = nameField.safeParse(person.name);
  if (name.success) person.name = name.data;
  else {
    person.errors.push({ column: 'name', message: name.error.issues[0]!.message });
    person.name = person.name.slice(0, USERNAME_MAX);
  }
  return person;
}

/** Names the rows that say again, or otherwise, what an earlier row said. */
function markRepeats(people: ListedPerson[]): ListedPerson[] {
  const rows = new Map<string, number>();
  const names = new Map<string, { name: string; line: number }>();
  for (const person of people) {
    if (person.errors.length > 0) continue;
    const key = `${person.email}\n${person.course.toLowerCase()}`;
    const before = rows.get(key);
    if (before !== undefined) {
      person.errors.push({
        column: person.course ? 'course' : 'email',
        message: `Row ${before} says the same`,
      });
      continue;
    }
    rows.set(key, person.line);
    if (!person.name) continue;
    const named = names.get(person.email);
    if (named && named.name !== person.name) {
      person.errors.push({ column: 'name', message: `Row ${named.line} gives another name` });
    } else names.set(person.email, { name: person.name, line: person.line });
  }
  return people;
}

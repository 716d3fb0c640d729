import Papa from 'papaparse';

/**
 * Rows as a CSV file for spreadsheets: UTF-8 with a byte order mark, and nothing that they would run as a formula
 * (cells that begin with = + - @ or a tab get an apostrophe in front).
 */
export function toCsv(heading: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  // Numbers of ours may be negative; text may not begin like one.
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : harmless(cell))));
  return `\ufeff${Papa.unparse({ fields: [...heading], data: cells }, { newline: '\r\n' })}\r\n`;
}

function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { toCsv } from '#src/server/csv.ts';

it('a file for spreadsheets runs no formula', () => {
  const csv = toCsv(
    ['A', 'B'],
    [
      ['=HYPERLINK("http://evil.test")', '+1'],
      ['-2', '@x'],
      ['\tx', 'plain, "quoted"'],
      [-3, 4],
    ],
  );
  expect(csv.startsWith('\ufeffA,B\r\n')).toBe(true);
  for (const line of csv.slice(1).split('\r\n')) {
    for (const cell of line.split(',')) expect(cell.replace(/^"/, '')).not.toMatch(/^[=+@\t]/);
  }
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.test"")",'+1`);
  expect(csv).toContain('-3,4');
  expect(Papa.parse(csv.trimEnd()).data).toContainEqual(["'\tx", 'plain, "quoted"']);
});

import { describe, expect, it } from 'vitest';
import { addressName } from '#db/stored-files.ts';
import { parseRange } from './byte-range.ts';
import { checkFile } from './files.ts';

it('captions are taken in UTF-8 alone', async () => {
  const checked = (encoding: BufferEncoding) =>
    checkFile({ originalName: 'a.vtt', bytes: Buffer.from(`WEBVTT\n\n${'é '.repeat(5000)}`, encoding) });
  await checked('utf8');
  await expect(checked('latin1')).rejects.toThrow('.vtt in UTF-8');
  await expect(checked('utf16le')).rejects.toThrow('.vtt in UTF-8');
});

describe('a range', () => {
  it.each([
    [null, null],
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=900-', { start: 900, end: 999 }],
    ['bytes=-100', { start: 900, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=990-5000', { start: 990, end: 999 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', null],
    ['bytes=0-1,5-6', null],
    ['bytes=-', null],
    ['items=0-1', null],
    ['bytes=1e2-', null],
    [`bytes=${'9'.repeat(400)}-`, null],
  ])('%.40s of 1000 bytes', (header, expected) => {
    expect(parseRange(header, 1000)).toEqual(expected);
  });
});

describe('a name in an address (U1)', () => {
  it.each([
    ['Cheat Sheet (1).PDF', 'cheat-sheet-1.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['Präsentation.pptx', 'prasentation.pptx'],
    ['.htaccess', 'file.htaccess'],
    ['a\0b.txt', 'a-b.txt'],
    ['教程.mp4', 'file.mp4'],
    ['', 'file'],
    ['x'.repeat(500), 'x'.repeat(60)],
  ])('%.30j becomes %.30s', (given, expected) => {
    expect(addressName(given)).toBe(expected);
  });
});

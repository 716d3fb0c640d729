import { expect, it } from 'vitest';
import { spanText } from './span-text.ts';

it.each([
  [0, '1 minute'],
  [89 * 60, '89 minutes'],
  [90 * 60, '2 hours'],
  [47 * 3600, '47 hours'],
  [48 * 3600, '2 days'],
])('%i seconds are %s', (seconds, text) => expect(spanText(seconds)).toBe(text));

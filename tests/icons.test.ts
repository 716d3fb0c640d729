import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { drawSprite, SPRITE } from '../scripts/icons.ts';

it('icons.svg has the icons that icon-names.ts names: after a change run "npm run icons"', async () => {
  expect(await readFile(SPRITE, 'utf8')).toBe(await drawSprite());
});

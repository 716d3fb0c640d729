import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { linterRules } from '../layers.ts';

// Writes the linter's rules about imports anew from the table in layers.ts.
const file = resolve(import.meta.dirname, '../biome-walls.json');
writeFileSync(file, `${JSON.stringify(linterRules(), null, 2)}\n`);

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { linterRules } from '../walls/layers.ts';

// Writes the linter's rules about imports anew from the table in walls/layers.ts.
const file = resolve(import.meta.dirname, '../walls/linter.json');
writeFileSync(file, `${JSON.stringify(linterRules(), null, 2)}\n`);

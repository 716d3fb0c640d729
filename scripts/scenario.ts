import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { checkScenario, isPublishable, reportText } from '#src/features/scenario/check.ts';

// npm run scenario -- check FILE…: what the builder checks before a scenario can be published, for files.
const [command, ...files] = process.argv.slice(2);
if (command !== 'check' || files.length === 0) {
  console.error('Usage: npm run scenario -- check FILE…');
  process.exit(2);
}
for (const file of files) {
  console.log(file);
  try {
    const report = checkScenario(parse(await readFile(file, 'utf8')));
    console.log(reportText(report));
    if (!isPublishable(report)) process.exitCode = 1;
  } catch (error) {
    console.error((error as Error).message.split('\n')[0]);
    process.exitCode = 1;
  }
}

import { contentMistakes } from './check-content.ts';

const USAGE = `Usage: npm run content -- check

Looks through the texts in src/content, as a build does first: exit code 0 where all is well, 1 with each mistake as
file:line:column, 2 for anything else asked.`;

if (process.argv.slice(2).join(' ') === 'check') {
  const mistakes = await contentMistakes();
  console.log(mistakes.join('\n') || 'No mistakes in src/content.');
  process.exitCode = mistakes.length > 0 ? 1 : 0;
} else {
  console.error(USAGE);
  process.exitCode = 2;
}

import { ConfigurationError } from '#src/server/start/env.ts';
import { isOfSystem } from '#src/server/loggable-error.ts';
import { buildFingerprint } from './build.ts';
import { currentRelease, listReleases, switchTo, withBuildLock } from './releases.ts';

const USAGE = `Usage: npm run releases                what there is to start, newest first
       npm run releases -- use NAME    makes NAME, "previous" or "next" (of the one now) the one that starts; then restart the site`;

async function command(words: readonly string[]): Promise<string> {
  const [releases, current] = await Promise.all([listReleases(), currentRelease()]);
  if (words.length === 0) {
    return (
      releases
        .map(({ name, builtAt }) => `${name === current?.name ? '*' : ' '} ${name}  built ${builtAt}`)
        .join('\n') || 'Nothing has been built yet.'
    );
  }
  const [verb, wanted] = words;
  if (verb !== 'use' || !wanted || words.length > 2) throw new ConfigurationError(USAGE);
  // Newest first: the one before is the first that is older, the next the last that is newer.
  const release =
    wanted === 'previous'
      ? releases.find(({ name }) => current && name < current.name)
      : wanted === 'next'
        ? releases.findLast(({ name }) => current && name > current.name)
        : releases.find(({ name }) => name === wanted);
  if (!release) throw new ConfigurationError(`there is no release ${wanted}: "npm run releases" lists them`);
  await withBuildLock(async () => switchTo(release, await buildFingerprint()));
  return `${release.name} starts from now on. Restart the site.`;
}

try {
  console.log(await command(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof ConfigurationError) && !isOfSystem(error)) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}

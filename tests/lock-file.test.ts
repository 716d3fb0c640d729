import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Package = { optionalDependencies?: Record<string, string> };

// Without them `npm ci` refuses, on this machine and on others: an install on one kind of machine may leave out what
// packages have for the others.
it('locks what every package has for other systems, so that npm ci takes the file', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Package>;
  };
  const isLocked = (from: string, name: string): boolean => {
    if (`${from ? `${from}/` : ''}node_modules/${name}` in packages) return true;
    return from !== '' && isLocked(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
  };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

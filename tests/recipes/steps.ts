import { posix } from 'node:path';
import type { Fixture } from './fixture.ts';

/** A step of a recipe: the files that stand before its colon, and whether it is always needed. */
export interface Step {
  files: string[];
  isNeeded: boolean;
}

const PATH = /`([\w./[\]-]+(?:\.(?:ts|tsx|astro|md)|\/))`/g;

/**
 * The steps of a recipe of `docs/adding.md`: those with a number are always needed. A file without a folder stands beside
 * the one before it.
 *
 * @param name what stands for `NAME` in its paths
 */
export function stepsOf(page: string, recipe: string, name: string): Step[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${recipe}\n`));
  if (section === undefined) throw new Error(`docs/adding.md has no recipe "${recipe}".`);
  const steps = section.matchAll(/^(\d+\.|-) ([^:]*(?:\n {2}[^:]*)*?):/gm);
  return [...steps].map(([, sign, head]) => {
    let folder = '';
    const files = [...head!.matchAll(PATH)].map(([, path]) => {
      const file = path!.includes('/') ? path! : posix.join(folder, path!);
      folder = posix.dirname(file);
      return file.replaceAll('NAME', name);
    });
    return { files, isNeeded: sign !== '-' };
  });
}

/** In what a recipe and what was done after it differ: files that it does not name, and steps that were left out. */
export function differences(page: string, { recipe, name, files, lines }: Fixture): string[] {
  const steps = stepsOf(page, recipe, name);
  const named = steps.flatMap((step) => step.files);
  const done = [...Object.keys(files), ...Object.keys(lines)];
  const isNamed = (file: string) =>
    named.some((one) => one === file || (one.endsWith('/') && file.startsWith(one)));
  const needed = steps.flatMap((step) => (step.isNeeded ? step.files : []));
  return [
    ...done.filter((file) => !isNamed(file)).map((file) => `${recipe}: does not name ${file}`),
    ...needed.filter((file) => !done.includes(file)).map((file) => `${recipe}: ${file} was left out`),
  ];
}

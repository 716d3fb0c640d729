import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { editsOf } from '#src/judge/edits/edits.ts';
import type { Submission } from '#src/judge/protocol.ts';

const COURSES = resolve(import.meta.dirname, '../../db/seed/courses');

/** The coding lessons of the demo courses, each with its solution as the program. */
export function solvedLessons(): (Submission & { name: string })[] {
  return globSync('*/lessons/*.md', { cwd: COURSES })
    .sort()
    .flatMap((path) => {
      const name = basename(path, '.md');
      const code = join(COURSES, dirname(path), '../code');
      const files = existsSync(code) ? readdirSync(code).filter((file) => file.startsWith(`${name}.`)) : [];
      const read = (part: string) => {
        const file = files.find((one) => one.startsWith(`${name}.${part}.`));
        return file === undefined ? undefined : readFileSync(join(code, file), 'utf8');
      };
      const [, head] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(join(COURSES, path), 'utf8'))!;
      const { language, tests = [], expectedOutput } = parse(head!);
      const solution = read('solution');
      if (!language || solution === undefined) return [];
      const fixture = read('fixture');
      return [
        {
          name: `${path.split('/')[0]}/${name}`,
          language,
          code: solution,
          tests,
          ...(expectedOutput === undefined ? {} : { expectedOutput }),
          ...(fixture === undefined ? {} : { fixture }),
        },
      ];
    });
}

/** Of each lesson about `count` programs that differ from its solution by one edit, and its line. */
export function wrongPrograms(count: number) {
  return solvedLessons().flatMap(({ name, ...lesson }) => {
    const edits = [...editsOf(lesson, null)].filter(({ weight }) => weight < 2);
    const step = Math.max(1, Math.floor(edits.length / count));
    return edits
      .filter((_, at) => at % step === 0)
      .slice(0, count)
      .map(({ code, kind, line }) => ({ name, kind, line, submission: { ...lesson, code } }));
  });
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in this order. Whichever of them began last would have the others' workers wait for it. */
const LONGEST = [
  'tests/money/schedules.test.ts',
  'tests/money/schedules-2.test.ts',
  'tests/money/schedules-3.test.ts',
  'tests/integration/account-roles.test.ts',
  'tests/integration/malformed.test.ts',
  'tests/integration/course-command.test.ts',
  'tests/integration/start.test.ts',
  'db/embedded.test.ts',
  'tests/integration/scenario-check.test.ts',
  'tests/money/sigkill.test.ts',
  'tests/integration/catalogue-search.test.ts',
  'tests/integration/account-register.test.ts',
  'tests/integration/store-repairs.test.ts',
];

/** Begins the longest files of a project first, also where no earlier run has left its times; a shuffled run is shuffled. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    const sorted = await super.sort(files);
    const isShuffled = typeof shuffle === 'object' ? shuffle.files : shuffle;
    if (isShuffled) return shuffled(sorted, seed);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index < 0 ? LONGEST.length : index;
    };
    // Projects stay together and in their groups' order, which the sorting above has given them.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rank(a) - rank(b)),
    );
  }
}

/** An order that follows from the seed alone. */
function shuffled(files: TestSpecification[], seed: number): TestSpecification[] {
  const keyed = files.map((file) => {
    let key = seed | 0;
    for (const sign of file.moduleId) key = Math.imul(key ^ sign.charCodeAt(0), 0x01000193);
    return { file, key: (key ^ (key >>> 15)) >>> 0 };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ file }) => file);
}

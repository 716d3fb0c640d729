import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in this order. Whichever of them began last would have the others' workers wait for it. */
const LONGEST = [
  'tests/money/schedules.test.ts',
  'tests/money/schedules-2.test.ts',
  'tests/money/schedules-3.test.ts',
  'tests/integration/account/roles.test.ts',
  'tests/integration/server/malformed.test.ts',
  'tests/integration/authoring/transfer/course-command.test.ts',
  'tests/integration/operations/start.test.ts',
  'db/embedded.test.ts',
  'tests/integration/learn/scenario-check.test.ts',
  'tests/money/sigkill.test.ts',
  'tests/integration/catalogue/search.test.ts',
  'tests/integration/account/register.test.ts',
  'tests/integration/store/repairs.test.ts',
];

/** Begins the longest files of a project first, also where no earlier run has left its times. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
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

import { readDemoCourses, SeedError } from '#src/features/authoring/transfer/demo-courses.server.ts';
import { judge, stopJudge } from '#src/judge/client.ts';
import { coding } from '#src/features/lessons/registry.ts';

const USAGE = `Usage: npm run practice -- check <course folder|all>

Runs the coding lessons of the demo catalogue through the real judge: each solution must pass; each starter and an empty
program must not.`;

type Course = Awaited<ReturnType<typeof readDemoCourses>>[number];
type Lesson = Course['content'][number];
type CodingLesson = Extract<Lesson, { type: typeof coding.name }>;
type Verdict = Awaited<ReturnType<typeof judge>>;

const AT_ONCE = 2;

/** A busy machine may have no free place. */
const TRIES = 6;

async function judged(lesson: CodingLesson, code: string): Promise<Verdict> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await judge({
        language: lesson.language,
        code,
        tests: lesson.tests.map(({ input, expectedOutput, mode }) => ({ input, expectedOutput, mode })),
        expectedOutput: lesson.expectedOutput,
        fixture: lesson.content || undefined,
      });
    } catch (error) {
      const { name, retryAfterSeconds = 2 } = error as { name?: string; retryAfterSeconds?: number };
      if (name !== 'JudgeUnavailable' || attempt >= TRIES) throw error;
      await new Promise((done) => setTimeout(done, retryAfterSeconds * 1000));
    }
  }
}

async function faultsOf(lesson: CodingLesson): Promise<string[]> {
  const faults: string[] = [];
  const { tests } = lesson;
  if (tests.length > 0 && !tests.some(({ hidden }) => hidden)) faults.push('has no hidden test');
  if (tests.length > 0 && tests.every(({ hidden }) => hidden)) faults.push('has no visible test');
  const solution = await judged(lesson, lesson.solution);
  if (solution.kind !== 'pass') faults.push(...explain('the solution does not pass', lesson, solution));
  const starter = await judged(lesson, lesson.starterCode);
  if (starter.kind === 'pass') faults.push('the starter passes as it is');
  if (starter.kind === 'syntax_error') faults.push(...explain('the starter does not run', lesson, starter));
  if ((await judged(lesson, '')).kind === 'pass') faults.push('an empty program passes');
  return faults;
}

function explain(fault: string, lesson: CodingLesson, verdict: Verdict): string[] {
  const lines = [`${fault}: ${verdict.kind}`];
  const { error, output } = verdict;
  if (error)
    lines.push(`  ${error.name}: ${error.message}${error.line === null ? '' : ` (line ${error.line})`}`);
  for (const [index, result] of verdict.tests.entries()) {
    if (result.passed) continue;
    const { input, expectedOutput } = lesson.tests[index]!;
    lines.push(`  test ${index + 1}: ${result.kind}`);
    lines.push(`    input    ${JSON.stringify(input)}`);
    lines.push(`    expected ${JSON.stringify(expectedOutput)}`);
    lines.push(`    got      ${JSON.stringify(result.error ? result.error.message : result.got)}`);
  }
  if (lesson.tests.length === 0 && !error) {
    lines.push(`  expected ${JSON.stringify(lesson.expectedOutput)}`, `  printed  ${JSON.stringify(output)}`);
  }
  return lines;
}

async function check(wanted: string): Promise<boolean> {
  const courses = await readDemoCourses();
  const chosen = wanted === 'all' ? courses : courses.filter(({ slug }) => slug === wanted);
  if (chosen.length === 0) {
    console.error(
      `There is no course folder "${wanted}". There are: ${courses.map(({ slug }) => slug).join(', ')}`,
    );
    return false;
  }
  const lessons = chosen.flatMap(({ slug, content }) =>
    content.flatMap((lesson) => (lesson.type === coding.name ? [{ slug, lesson }] : [])),
  );
  let faulty = 0;
  const queue = lessons.values();
  const worker = async () => {
    for (const { slug, lesson } of queue) {
      const faults = await faultsOf(lesson);
      if (faults.length > 0) faulty += 1;
      const mark = faults.length === 0 ? 'ok  ' : 'FAIL';
      console.log(
        [
          `${mark} ${slug}: ${lesson.title} (${lesson.language})`,
          ...faults.map((line) => `     ${line}`),
        ].join('\n'),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  console.log(`${lessons.length} coding lesson(s) checked, ${faulty} with faults.`);
  return faulty === 0;
}

const [command, wanted] = process.argv.slice(2);
if (command !== 'check' || !wanted) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    if (!(await check(wanted))) process.exitCode = 1;
  } catch (error) {
    if (error instanceof SeedError) console.error(`The demo data has a mistake: ${error.message}`);
    else console.error(`The judge gave no verdict: ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    await stopJudge();
  }
}

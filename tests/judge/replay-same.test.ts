import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Submission, Verdict } from '#src/judge/protocol.ts';
import { PatientJudge } from './controls.ts';
import { JAVASCRIPT } from './mistakes/javascript.ts';
import { PYTHON } from './mistakes/python.ts';

// A recorded run is the same run: with every solution, starter and mistake of the demo courses, and every common mistake.
const judge = new PatientJudge({ children: { web: 1, python: 1 } });
afterAll(() => judge.stop());

type Recorded = 'javascript' | 'python';
const ENDINGS = { javascript: 'js', python: 'py' };

interface Front {
  language?: string;
  tests?: { input: string; expectedOutput: string; mode?: 'call' | 'stdin' }[];
  mistakes?: { program?: string }[];
}

/** Programs of the demo courses, each with one test. */
function* courses(language: Recorded): Generator<Submission> {
  for (const path of globSync('db/seed/courses/*/lessons/*.md')) {
    const front = parse(readFileSync(path, 'utf8').split(/^---$/m)[1]!) as Front;
    if (front.language !== language) continue;
    const files = ['solution', 'starter'].map((kind) =>
      join(dirname(path), '../code', `${basename(path, '.md')}.${kind}.${ENDINGS[language]}`),
    );
    const programs = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
    for (const { program } of front.mistakes ?? []) if (program) programs.push(program);
    for (const code of programs) {
      // One of each: the others take the same way through the recorder.
      for (const { input, expectedOutput, mode = 'call' } of front.tests?.slice(0, 1) ?? []) {
        yield { language, code, tests: [{ input, expectedOutput, mode }] };
      }
    }
  }
}

function* mistakes(language: Recorded): Generator<Submission> {
  for (const [, code, asked] of language === 'javascript' ? JAVASCRIPT : PYTHON) {
    const [input = '', expectedOutput = ''] = asked.split(' → ');
    yield { language, code, tests: [{ input, expectedOutput }] };
  }
}

const ADDRESS = /0x[0-9a-f]+/g;
const seen = ({ kind, output, outputTruncated, error, tests }: Verdict) => ({
  kind,
  output,
  outputTruncated,
  error: error && { ...error, column: null },
  got: tests[0]?.got?.replace(ADDRESS, ''),
});

/** What is another one with each run. */
const CHANGES = /Math\.random|Date|random|time|id\(/;

test.each(['javascript', 'python'] as const)(
  '%s',
  async (language) => {
    let count = 0;
    for (const submission of [...courses(language), ...mistakes(language)]) {
      if (CHANGES.test(submission.code)) continue;
      const [usual, recorded] = [
        await judge.judge(submission),
        await judge.judge({ ...submission, traced: true }),
      ];
      if (usual.kind === 'time_limit') continue;
      expect({ of: submission, ...seen(recorded) }).toEqual({ of: submission, ...seen(usual) });
      if (usual.kind !== 'syntax_error')
        expect({ of: submission, ...recorded.trace }).toHaveProperty('steps');
      count += 1;
    }
    expect(count).toBeGreaterThan(200);
  },
  240_000,
);

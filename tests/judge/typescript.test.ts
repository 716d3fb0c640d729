import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#src/judge/pools.ts';
import type { JudgeTest, Submission } from '#src/judge/protocol.ts';
import { expectTrueVerdicts, PatientJudge } from './controls.ts';

const judge = new PatientJudge({ log: (line) => console.log(line) });
afterAll(() => judge.stop());

const run = (code: string, tests: JudgeTest[] = [], part: Partial<Submission> = {}) =>
  judge.judge({ language: 'typescript', code, tests, ...part });

test('right and wrong programs get their true verdicts', async () => {
  await expectTrueVerdicts(judge, 'typescript');
});

import { finding, type LessonCheck } from '#src/features/authoring/publishing/lesson-check.server.ts';
import { checkWithin } from '#src/features/scenario/check.server.ts';

const CHECK_SECONDS = 40;

export const checkScenario: LessonCheck = async ({ scenario }) => {
  if (!scenario) return { findings: [], facts: {} };
  const report = await checkWithin(scenario, CHECK_SECONDS);
  if (typeof report === 'string') {
    const message = `The scenario could not be checked within ${CHECK_SECONDS} seconds: it has too many situations.`;
    return { findings: [finding('error', 'scenario', message)], facts: {} };
  }
  return {
    findings: report.findings.map(({ level, at, message }) =>
      finding(level, 'scenario', /^(scenario|rules|goals|events)$/.test(at) ? message : `${at}: ${message}`),
    ),
    facts: { states: report.states },
  };
};

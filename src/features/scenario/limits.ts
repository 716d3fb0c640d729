export const SCENARIO_TYPES = ['debugging', 'project_building', 'problem_solving', 'others'] as const;
export type ScenarioType = (typeof SCENARIO_TYPES)[number];

/** Minutes (spec 9). */
export const TIME_LIMIT_MAX_MINUTES = 1440;
/** Null for no limit. */
export const TIME_FACTORS = { usual: 1, half_more: 1.5, double: 2, none: null } as const;
export type ScenarioTime = keyof typeof TIME_FACTORS;
export const SCENARIO_TIMES = Object.keys(TIME_FACTORS) as [ScenarioTime, ...ScenarioTime[]];

/** Seconds that a learner has for a scenario; null where its time does not run out. */
export function secondsFor(timeLimit: number, time: ScenarioTime): number | null {
  const factor = TIME_FACTORS[time];
  return factor === null ? null : timeLimit * factor * 60;
}

export const ACTION_MAX_CHARACTERS = 500;
export const PREVIEW_ACTIONS_MAX = 40;
/** Percent of the points from which a run counts as passed (decision 53). */
export const PASS_SCORE = 70;

export const SCENARIO_TYPES = ['debugging', 'project_building', 'problem_solving', 'others'] as const;
export type ScenarioType = (typeof SCENARIO_TYPES)[number];

/** Minutes (spec 9). */
export const TIME_LIMIT_MAX_MINUTES = 1440;
/** Longest text of one action, in characters. */
export const ACTION_MAX_CHARACTERS = 500;
/** Actions in a visitor's run of a preview, which is played from its beginning at each of them. */
export const PREVIEW_ACTIONS_MAX = 40;
/** Percent of the points from which a run counts as passed (decision 53). */
export const PASS_SCORE = 70;

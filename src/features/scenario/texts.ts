import type { ScenarioType } from './limits.ts';

/** The texts of spec 8 for scenarios, and those beside them. */
export const ACTION_FAILED = {
  title: 'Action Failed',
  description: "That action couldn't be executed. Try a different approach.",
} as const;
export const EMPTY_ACTION = {
  title: 'Empty Action',
  description: 'Please write what you want to do.',
} as const;
export const SCENARIO_NOT_FOUND = "Scenario not found or you don't have access to it.";
export const TIME_IS_UP = "Time's Up!";
export const RUN_ENDED = 'This run has ended. Start the scenario again to go on.';
export const OUT_OF_DATE =
  'The situation has changed meanwhile, perhaps in another window. This is how it stands; your action was not carried out.';

export const TYPE_LABELS: Record<ScenarioType, string> = {
  debugging: 'Debugging',
  project_building: 'Project building',
  problem_solving: 'Problem solving',
  others: 'Simulation',
};

import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';

export const scenario = {
  name: 'scenario',
  label: 'Scenario',
  shortLabel: 'Scenario',
  builderLabel: 'Scenario',
  icon: 'waypoints',
  listIcon: 'route',
  columns: {},
  parts: ['scenario'],
  files: {},
  needs: [
    {
      field: 'scenario',
      isMissing: ({ scenario }) => !scenario,
      toSave: 'Scenario is required',
      toPublish: 'The scenario is missing.',
      gap: 'a scenario',
      isPassedBy: true,
    },
  ],
  isPassed: true,
  text: { field: 'content', label: 'Description' },
  ownScreen: {
    path: ({ scenarioId }) => (scenarioId ? `/scenario/${scenarioId}` : null),
    openLabel: 'Open the scenario',
    invitation: 'Play the scenario',
    explanation: 'It opens on a screen of its own, with its goals and its clock.',
    unfinished: 'This scenario is still being written.',
  },
} as const satisfies LessonTypeDefinition;

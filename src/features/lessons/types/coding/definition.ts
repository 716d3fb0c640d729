import { hasFixture } from './languages.ts';
import type { LessonTypeDefinition } from '#src/features/lessons/lesson-type.ts';
import { isBlank } from '#src/shared/is-blank.ts';

export const coding = {
  name: 'interactive_coding',
  label: 'Coding exercise',
  shortLabel: 'Coding',
  builderLabel: 'Coding lesson',
  icon: 'code-xml',
  listIcon: 'code',
  columns: {
    codingLanguage: null,
    starterCode: null,
    solution: null,
    expectedOutput: null,
    hints: [],
    testCases: [],
    codeLimits: {},
    expectedMistakes: [],
    solutionNotes: null,
    showsPrograms: false,
  },
  parts: [],
  files: {},
  needs: [
    {
      field: 'testCases',
      isMissing: ({ testCases, expectedOutput }) => !testCases?.length && isBlank(expectedOutput),
      toPublish: 'There is nothing to compare with: add tests, or say what the program must print.',
      gap: 'test cases',
      isPassedBy: true,
    },
    {
      field: 'solution',
      isMissing: ({ solution }) => isBlank(solution),
      toPublish: 'There is no reference solution, so nobody knows that the lesson can be solved.',
      gap: 'a reference solution',
    },
    {
      field: 'instructions',
      isMissing: ({ instructions }) => isBlank(instructions),
      toSave: 'Instructions are required',
      toPublish: 'The instructions are empty: nobody knows what to write.',
    },
    {
      field: 'content',
      isMissing: ({ codingLanguage, content }) => hasFixture(codingLanguage) && isBlank(content),
      toPublish: 'There is nothing that the program could work on: the page of CSS, the tables of SQL.',
    },
  ],
  isPassed: true,
  // Of some languages `content` is what their programs work on, which is nothing to read.
  text: { field: 'instructions', label: 'Instructions' },
  ownScreen: {
    path: ({ id }) => `/lesson/${id}`,
    openLabel: 'Open the exercise',
    invitation: 'Solve it in the editor',
    explanation: 'It opens on a screen of its own, where your code is run and checked.',
  },
} as const satisfies LessonTypeDefinition;

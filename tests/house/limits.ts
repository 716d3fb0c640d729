import type { Gauge } from './gauges.ts';

/** How much of each there may be. */
export const LIMITS: Record<Gauge, number> = {
  'files in a folder': 22,
  'lines of a service': 500,
  'lines of a function': 150,
  'lines of a component': 250,
  'states of a component': 5,
  'imports of a page': 15,
  'lines of logic of a page': 40,
  'template lines over 140 characters': 0,
  'raw rules of access': 0,
  'imports of lessons from the rooms above': 0,
};

/** What is over its limit today: it may not grow, and its line goes as soon as it is not needed any more. */
export const OVER: Partial<Record<Gauge, Record<string, number>>> = {
  'files in a folder': {
    'src/shared': 26,
    scripts: 25,
  },
  'template lines over 140 characters': {
    'all templates': 57,
  },
  'imports of lessons from the rooms above': {
    'src/features/lessons/types/coding/TestsEditorPart.tsx': 6,
    'src/features/lessons/types/coding/EditorPart.tsx': 5,
    'src/features/lessons/types/scenario/EditorPart.tsx': 5,
    'src/features/lessons/types/coding/check.server.ts': 4,
    'src/features/lessons/types/quiz/EditorPart.tsx': 3,
    'src/features/lessons/types/quiz/PlayerPart.tsx': 3,
    'src/features/lessons/types/video/EditorPart.tsx': 3,
    'src/features/lessons/types/assignment/EditorPart.tsx': 2,
    'src/features/lessons/types/assignment/PlayerPart.tsx': 2,
    'src/features/lessons/types/document/EditorPart.tsx': 2,
    'src/features/lessons/types/scenario/check.server.ts': 2,
    'src/features/lessons/types/assignment/opened.server.ts': 1,
    'src/features/lessons/types/quiz/check.server.ts': 1,
    'src/features/lessons/types/quiz/formats/FormattedEditorPart.tsx': 1,
    'src/features/lessons/types/scenario/archive.server.ts': 1,
  },
};

/** How much there may be of what `mass` counts. A limit is raised only by a commit of its own that says what was taken away for it. */
export const MASS: Record<string, number> = {
  product: 4_774_500,
  tests: 3_146_000,
  'unit tests beside the product': 561_000,
  docs: 249_000,
  'per cent of comments': 6.5,
  packages: 100,
  tables: 87,
  'kinds of mail': 36,
  'entries of the administration': 11,
  'entries of the account menu': 6,
  db: 144_500,
  scripts: 77_000,
  src: 38_000,
  'src/components': 67_000,
  'src/features/account': 157_500,
  'src/features/admin': 340_500,
  'src/features/authoring': 787_500,
  'src/features/catalogue': 175_000,
  'src/features/company': 62_000,
  'src/features/learn': 299_000,
  'src/features/lessons': 271_000,
  'src/features/organisations': 156_500,
  'src/features/practice': 236_500,
  'src/features/review': 31_500,
  'src/features/scenario': 159_000,
  'src/features/store': 429_000,
  'src/judge': 573_500,
  'src/layouts': 41_000,
  'src/pages': 345_500,
  'src/payment-sandbox': 127_500,
  'src/server': 217_000,
  'src/shared': 29_500,
  'src/styles': 18_300,
};

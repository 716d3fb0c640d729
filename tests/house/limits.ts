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
  "files in a folder": {
    "src/shared": 26,
    "scripts": 25,
    "src/features/practice": 24,
    "src/layouts": 23,
    "src/features/authoring/lesson-editor": 23
  },
  "lines of a function": {
    "src/judge/languages/python/isolate.js (unnamed)": 756
  },
  "states of a component": {
    "src/features/learn/classroom/CourseViewer.tsx CourseViewer": 11,
    "src/features/authoring/transfer/ImportCourse.tsx ImportCourse": 8,
    "src/features/scenario/ScenarioScreen.tsx ScenarioScreen": 7,
    "src/features/store/withdrawals/WithdrawForm.tsx Statement": 6,
    "src/features/lessons/types/quiz/PlayerPart.tsx QuizPanel": 6
  },
  "imports of a page": {
    "src/pages/courses/[id].astro": 39,
    "src/pages/dashboard.astro": 34,
    "src/pages/account.astro": 25,
    "src/pages/admin/analytics/index.astro": 25,
    "src/pages/admin/users/[id].astro": 25,
    "src/pages/organisations/[id]/index.astro": 24,
    "src/pages/buy/[id].astro": 20,
    "src/pages/orders/[id].astro": 19,
    "src/pages/admin/orders/[id].astro": 19,
    "src/pages/purchase-success.astro": 18,
    "src/pages/dev/_design.astro": 18,
    "src/pages/organisations/[id]/orders.astro": 18,
    "src/pages/admin/index.astro": 17,
    "src/pages/organisations/[id]/buy.astro": 17,
    "src/pages/admin/coupons.astro": 16,
    "src/pages/bundles/[id].astro": 16,
    "src/pages/learn/[id].astro": 16,
    "src/pages/organisations/[id]/webhooks.astro": 16,
    "src/pages/admin/courses/[id]/content/index.astro": 16
  },
  "lines of logic of a page": {
    "src/pages/courses/[id].astro": 80,
    "src/pages/buy/[id].astro": 44
  },
  "template lines over 140 characters": {
    "all templates": 609
  },
  "imports of lessons from the rooms above": {
    "src/features/lessons/types/coding/EditorPart.tsx": 12,
    "src/features/lessons/types/coding/TestsEditorPart.tsx": 11,
    "src/features/lessons/types/scenario/EditorPart.tsx": 6,
    "src/features/lessons/types/coding/check.server.ts": 5,
    "src/features/lessons/types/quiz/EditorPart.tsx": 5,
    "src/features/lessons/types/assignment/EditorPart.tsx": 4,
    "src/features/lessons/types/assignment/PlayerPart.tsx": 4,
    "src/features/lessons/types/quiz/PlayerPart.tsx": 4,
    "src/features/lessons/types/video/EditorPart.tsx": 4,
    "src/features/lessons/types/video/PlayerPart.tsx": 3,
    "src/features/lessons/types/assignment/opened.server.ts": 2,
    "src/features/lessons/types/document/EditorPart.tsx": 2,
    "src/features/lessons/types/document/PlayerPart.tsx": 2,
    "src/features/lessons/types/document/opened.server.ts": 2,
    "src/features/lessons/types/scenario/archive.server.ts": 2,
    "src/features/lessons/types/scenario/check.server.ts": 2,
    "src/features/lessons/types/video/opened.server.ts": 2,
    "src/features/lessons/types/quiz/kinds/LinesEditorPart.tsx": 2,
    "src/features/lessons/types/quiz/kinds/matching/EditorPart.tsx": 2,
    "src/features/lessons/types/assignment/archive.server.ts": 1,
    "src/features/lessons/types/coding/archive.server.ts": 1,
    "src/features/lessons/types/document/archive.server.ts": 1,
    "src/features/lessons/types/quiz/QuestionEditorPart.tsx": 1,
    "src/features/lessons/types/quiz/SettingsEditorPart.tsx": 1,
    "src/features/lessons/types/quiz/archive.server.ts": 1,
    "src/features/lessons/types/quiz/check.server.ts": 1,
    "src/features/lessons/types/text/archive.server.ts": 1,
    "src/features/lessons/types/video/archive.server.ts": 1
  }
};

/** Characters of a lesson's texts at most. */
export const LESSON_MAX = {
  title: 150,
  section: 100,
  content: 100_000,
  fileUrl: 500,
  duration: 50,
} as const;

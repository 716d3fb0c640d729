import type { PublishFinding } from '#db/schema/catalogue.ts';
import { finding, type LessonCheck } from '#src/features/authoring/publishing/lesson-check.server.ts';

/** The check of a quiz: every question can be answered, and teaches whoever answers it wrong. */
export const checkQuiz: LessonCheck = ({ questions }) => {
  const findings: PublishFinding[] = [];
  for (const [index, { question, options, correctAnswer, explanation }] of questions.entries()) {
    const say = (severity: PublishFinding['severity'], what: string) =>
      findings.push(finding(severity, 'questions', `Question ${index + 1} ${what}`));
    const shown = options.map((option) => option.trim());
    if (!question.trim()) say('error', 'is empty.');
    if (shown.length < 2 || shown.includes(''))
      say('error', 'needs at least two options, none of them empty.');
    if (!shown[correctAnswer]) say('error', 'has no right answer.');
    if (new Set(shown).size !== shown.length) say('error', 'offers the same option twice.');
    if (!explanation.trim()) say('warning', 'has no explanation: who is wrong learns only that.');
  }
  return { findings, facts: {} };
};

import type { PublishFinding } from '#db/schema/catalogue.ts';
import { finding, type LessonCheck } from '#src/features/authoring/publishing/lesson-check.server.ts';
import { wordsOf } from './formats/html.server.ts';
import { graderOf } from './marking.server.ts';
import type { Question } from './question.ts';
import { drawProblems } from './settings.ts';

export const checkQuiz: LessonCheck = ({ lesson, questions, bank }) => {
  const findings: PublishFinding[] = [];
  for (const [index, question] of questions.entries()) {
    const say = (severity: PublishFinding['severity'], what: string) =>
      findings.push(finding(severity, 'questions', `Question ${index + 1} ${what}`));
    if (!question.question.trim()) say('error', 'is empty.');
    const faults = graderOf(question).faults(question);
    for (const fault of faults) say('error', fault);
    if (faults.length === 0 && !isAnswerable(question)) {
      say('error', 'marks its own right answer as wrong.');
    }
    const options = question.format && 'options' in question ? question.options : [];
    for (const [at, option] of options.entries()) {
      // A picture may be an ornament in a text; here it is all that is said.
      if (!wordsOf(option)) say('warning', `has no words in option ${at + 1}: say what its picture shows.`);
    }
    if (!question.explanation.trim()) say('warning', 'has no explanation: who is wrong learns only that.');
  }
  for (const { message } of drawProblems<Question>(questions, lesson.quizSettings, bank)) {
    findings.push(finding('error', 'quizSettings', `${message}.`));
  }
  return { findings, facts: {} };
};

function isAnswerable(question: Question): boolean {
  const grader = graderOf(question);
  const read = grader.read(question, grader.solution(question));
  return read !== null && grader.credit(question, read) === 1;
}

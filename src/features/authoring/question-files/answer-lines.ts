import type { Question } from '#src/features/lessons/types/quiz/question.ts';

export function answerLines(question: Question): { text: string; isRight: boolean }[] {
  const right = (texts: readonly string[]) => texts.map((text) => ({ text, isRight: true }));
  switch (question.kind) {
    case undefined:
      return question.options.map((text, index) => ({ text, isRight: index === question.correctAnswer }));
    case 'several_answers':
      return question.options.map((text, index) => ({
        text,
        isRight: question.correctAnswers.includes(index),
      }));
    case 'true_false':
      return right([question.isTrue ? 'True' : 'False']);
    case 'short_text':
      return right(question.accepted);
    case 'number': {
      const { value, tolerance, unit } = question;
      return right([`${value}${tolerance > 0 ? ` ± ${tolerance}` : ''}${unit ? ` ${unit}` : ''}`]);
    }
    case 'ordering':
      return right(question.items);
    case 'matching':
      return [
        ...right(question.pairs.map(({ prompt, match }) => `${prompt} → ${match}`)),
        ...question.distractors.map((text) => ({ text, isRight: false })),
      ];
    case 'gaps':
      return right([question.text]);
  }
}

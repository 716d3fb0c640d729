import type { AnswerProps } from '../kind.ts';
import { TypedAnswer } from '../TypedAnswer.tsx';

export function ShortTextAnswer(props: AnswerProps) {
  return <TypedAnswer {...props} label="Your answer" />;
}

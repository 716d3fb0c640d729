import type { AnswerProps } from '../kind.ts';
import { TypedAnswer } from '../TypedAnswer.tsx';

export function NumberAnswer(props: AnswerProps) {
  const { unit } = props.question;
  return <TypedAnswer {...props} label="Your number" unit={unit} numeric />;
}

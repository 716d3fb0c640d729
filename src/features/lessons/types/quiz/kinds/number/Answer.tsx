import type { AnswerProps } from '../kind.ts';
import { TypedAnswer } from '../TypedAnswer.tsx';

/** A number, with its unit behind the field. */
export function NumberAnswer(props: AnswerProps) {
  const { unit } = props.question;
  return <TypedAnswer {...props} label="Your number" unit={unit} numeric />;
}

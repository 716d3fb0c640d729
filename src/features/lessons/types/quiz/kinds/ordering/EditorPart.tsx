import { QUESTION_MAX } from '../kind.ts';
import { type KindEditorProps, LinesEditor } from '../LinesEditorPart.tsx';
import type { Ordering } from './definition.ts';

export function OrderingEditor({ question, name, error, onChange }: KindEditorProps<Ordering>) {
  return (
    <LinesEditor
      legend="Items in the right order"
      hint="Learners see them in another one. Each neighbor that follows as it should earns a share of the points."
      one="item"
      name={name}
      lines={question.items}
      min={2}
      max={QUESTION_MAX.items}
      length={QUESTION_MAX.option}
      error={(index) => error(index === '' ? 'items' : `items.${index}`)}
      onChange={(items) => onChange({ items })}
      canMove
    />
  );
}

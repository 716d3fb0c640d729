import type { FieldErrors } from '#src/shared/errors.ts';
import type { LessonFields } from './lessons.ts';

/** What of a lesson is not read from the fields of its form, but kept by the part that shows it. */
export type KeptValues = Pick<LessonFields, 'content' | 'questions' | 'exercise' | 'scenario'>;

export type TickName = 'isPreview' | 'requiredToComplete' | 'watchRequired' | 'acceptsSubmission';

/** What the part of a form gets that only lessons of one type have. */
export interface EditorPartProps {
  /** As the form was opened. */
  lesson: LessonFields;
  values: KeptValues;
  /** By path, such as `testCases.0.input`. */
  errors: FieldErrors;
  /** Tells of every change; without an update, of one in a field of the form. */
  onChange: (update?: (before: KeptValues) => Partial<KeptValues>) => void;
  /** The state of a box to be ticked. */
  tick: (name: TickName) => {
    defaultChecked: boolean;
    onCheckedChange: (checked: boolean | 'indeterminate') => void;
  };
}

import { Copy } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { More } from '#src/components/More.tsx';
import { NumberInput } from '#src/components/NumberInput.tsx';
import type { QuestionFields } from '#src/features/lessons/types/quiz/question.ts';
import { RowTools } from '#src/components/RowTools.tsx';
import { FormattedField } from './formats/FormattedEditorPart.tsx';
import { GapsEditor } from './kinds/gaps/EditorPart.tsx';
import { type KindName, QUESTION_MAX } from './kinds/kind.ts';
import { KINDS } from './kinds/kinds.ts';
import type { KindEditorProps } from './kinds/LinesEditorPart.tsx';
import { MatchingEditor } from './kinds/matching/EditorPart.tsx';
import { NumberEditor } from './kinds/number/EditorPart.tsx';
import { OrderingEditor } from './kinds/ordering/EditorPart.tsx';
import { SeveralAnswersEditor } from './kinds/several-answers/EditorPart.tsx';
import { ShortTextEditor } from './kinds/short-text/EditorPart.tsx';
import { SingleChoiceEditor } from './kinds/single-choice/EditorPart.tsx';
import { TrueFalseEditor } from './kinds/true-false/EditorPart.tsx';
import { kindOf, type QuestionOf } from './question.ts';

const KIND_EDITORS: { [K in KindName]: ComponentType<KindEditorProps<QuestionOf<K>>> } = {
  single_choice: SingleChoiceEditor,
  several_answers: SeveralAnswersEditor,
  true_false: TrueFalseEditor,
  short_text: ShortTextEditor,
  number: NumberEditor,
  ordering: OrderingEditor,
  matching: MatchingEditor,
  gaps: GapsEditor,
};

const BLANKS: { [K in KindName]: Omit<QuestionOf<K>, 'id' | 'question' | 'format' | 'explanation'> } = {
  single_choice: { options: ['', ''], correctAnswer: -1 },
  several_answers: { kind: 'several_answers', options: ['', ''], correctAnswers: [] },
  true_false: { kind: 'true_false', isTrue: true },
  short_text: { kind: 'short_text', accepted: [''], matchCase: false, forgiveTypos: false },
  number: { kind: 'number', value: Number.NaN, tolerance: 0, unit: '' },
  ordering: { kind: 'ordering', items: ['', ''] },
  matching: {
    kind: 'matching',
    pairs: [
      { prompt: '', match: '' },
      { prompt: '', match: '' },
    ],
    distractors: [],
  },
  gaps: { kind: 'gaps', text: '', matchCase: false, forgiveTypos: false },
};

export function blankQuestion(kind: KindName): QuestionFields {
  const question = kind === 'gaps' ? 'Fill the gaps.' : '';
  return { id: null, question, format: 'markdown', explanation: '', ...BLANKS[kind] } as QuestionFields;
}

export function QuestionEditor({
  question,
  name,
  number,
  isFirst,
  isLast,
  isOpen,
  onToggle,
  error,
  onChange,
  onMove,
  onDuplicate,
  onRemove,
}: {
  question: QuestionFields;
  name: string;
  number: number;
  isFirst: boolean;
  isLast: boolean;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  error: (path: string) => string | undefined;
  onChange: (question: QuestionFields) => void;
  onMove: (by: 1 | -1) => void;
  onDuplicate: (() => void) | null;
  onRemove: () => void;
}) {
  const kind = kindOf(question);
  // The compiler cannot follow a union through a table.
  const KindEditor = KIND_EDITORS[kind] as unknown as ComponentType<KindEditorProps<QuestionFields>>;
  const isFormatted = question.format === 'markdown';
  const [isMoreOpen, setIsMoreOpen] = useState(!isFormatted || (question.tags ?? []).length > 0);
  const change = (values: object) => onChange({ ...question, ...values } as QuestionFields);
  return (
    <fieldset id={`question-${number}`} className="min-w-0 card px-4 py-2 sm:px-6">
      <legend className="sr-only">
        Question {number}, {KINDS[kind].label}
      </legend>
      <More
        open={isOpen}
        onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
        label={
          <span className="truncate">
            Question {number}{' '}
            <span className="font-normal text-ink-soft">
              · {isOpen ? KINDS[kind].label : question.question || 'Nothing written yet'}
            </span>
          </span>
        }
      >
        <div className="flex justify-end">
          {onDuplicate && (
            <Button
              variant="ghost"
              size="icon-sm"
              className="max-sm:size-11"
              aria-label={`Duplicate question ${number}`}
              onClick={onDuplicate}
            >
              <Copy aria-hidden="true" />
            </Button>
          )}
          <RowTools
            name={`question ${number}`}
            isFirst={isFirst}
            isLast={isLast}
            onMove={onMove}
            onRemove={onRemove}
          />
        </div>
        <FormattedField
          label="Question"
          required
          isFormatted={isFormatted && isMoreOpen}
          maxLength={QUESTION_MAX.question}
          value={question.question}
          error={error('question')}
          onChange={(text) => change({ question: text })}
        />
        <KindEditor question={question} name={name} error={error} onChange={change} />
        <FormattedField
          label="Explanation"
          hint="Shown with the result."
          isFormatted={isFormatted && isMoreOpen}
          maxLength={QUESTION_MAX.explanation}
          value={question.explanation}
          error={error('explanation')}
          onChange={(text) => change({ explanation: text })}
        />
        <Field label="Points" hint={`1 to ${QUESTION_MAX.points}.`} error={error('points')}>
          <NumberInput value={question.points ?? 1} onChange={(points) => change({ points })} />
        </Field>
        <More open={isMoreOpen} onToggle={(event) => setIsMoreOpen(event.currentTarget.open)}>
          <Checkbox
            checked={isFormatted}
            onCheckedChange={(checked) => change({ format: checked === true ? 'markdown' : undefined })}
            label="Formatted text"
            hint="The question, its explanation and the options of a choice are Markdown: code, formulas, pictures. While this is open, their fields have a toolbar."
          />
          <TagsField tags={question.tags} error={error('tags') ?? error('tags.0')} onChange={change} />
        </More>
      </More>
    </fieldset>
  );
}

function TagsField({
  tags,
  error,
  onChange,
}: {
  tags: string[] | undefined;
  error: string | undefined;
  onChange: (values: { tags: string[] | undefined }) => void;
}) {
  const [typed, setTyped] = useState((tags ?? []).join(', '));
  return (
    <Field label="Tags" optional hint="Separated by commas; a quiz can draw from a tag." error={error}>
      <Input
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          const found = event.target.value.split(',').map((tag) => tag.trim().toLowerCase());
          onChange({ tags: found.filter((tag) => tag !== '') });
        }}
      />
    </Field>
  );
}

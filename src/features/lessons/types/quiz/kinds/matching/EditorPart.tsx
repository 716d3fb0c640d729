import { Plus, Trash2 } from 'lucide-react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { FieldProblem } from '#src/components/FieldProblem.tsx';
import { useFocusAfterDraw } from '#src/components/use-focus-after-draw.ts';
import { QUESTION_MAX } from '../kind.ts';
import { type KindEditorProps, LinesEditor } from '../LinesEditorPart.tsx';
import type { Matching } from './definition.ts';

export function MatchingEditor({ question, name, error, onChange }: KindEditorProps<Matching>) {
  const { pairs, distractors } = question;
  const focus = useFocusAfterDraw(pairs);
  const rowId = (index: number) => `${name}-pair-${index}`;
  const change = (index: number, values: Partial<Matching['pairs'][number]>) =>
    onChange({ pairs: pairs.with(index, { ...pairs[index]!, ...values }) });
  const listError = error('pairs');
  return (
    <>
      <fieldset>
        <legend className="text-sm font-semibold">Pairs</legend>
        <p className="text-sm text-ink-soft">Each right match earns a share of the points.</p>
        <ul className="mt-2 space-y-4">
          {pairs.map((pair, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pair is its place; two may read the same while typing
            <li key={index} id={rowId(index)} className="flex items-end gap-2">
              <div className="grid flex-1 items-start gap-3 sm:grid-cols-2">
                <Field label={`Prompt ${index + 1}`} error={error(`pairs.${index}.prompt`)}>
                  <Input
                    maxLength={QUESTION_MAX.option}
                    value={pair.prompt}
                    onChange={(event) => change(index, { prompt: event.target.value })}
                  />
                </Field>
                <Field label={`Match ${index + 1}`} error={error(`pairs.${index}.match`)}>
                  <Input
                    maxLength={QUESTION_MAX.accepted}
                    value={pair.match}
                    onChange={(event) => change(index, { match: event.target.value })}
                  />
                </Field>
              </div>
              <Button
                variant="ghost"
                size="icon"
                aria-label={`Remove pair ${index + 1}`}
                aria-disabled={pairs.length <= 2 || undefined}
                onClick={() => {
                  if (pairs.length <= 2) return;
                  focus(rowId(Math.min(index, pairs.length - 2)));
                  onChange({ pairs: pairs.toSpliced(index, 1) });
                }}
              >
                <Trash2 aria-hidden="true" className={pairs.length <= 2 ? 'opacity-35' : ''} />
              </Button>
            </li>
          ))}
        </ul>
        {listError && (
          <div role="alert">
            <FieldProblem>{listError}</FieldProblem>
          </div>
        )}
        {pairs.length < QUESTION_MAX.items && (
          <Button
            variant="ghost"
            size="sm"
            className="mt-2 min-h-11"
            onClick={() => {
              focus(rowId(pairs.length));
              onChange({ pairs: [...pairs, { prompt: '', match: '' }] });
            }}
          >
            <Plus aria-hidden="true" /> Add pair
          </Button>
        )}
      </fieldset>
      <LinesEditor
        legend="Distractors"
        hint="Further matches to choose from, which belong to no prompt."
        one="distractor"
        name={name}
        lines={distractors}
        min={0}
        max={QUESTION_MAX.options}
        length={QUESTION_MAX.accepted}
        error={(index) => error(index === '' ? 'distractors' : `distractors.${index}`)}
        onChange={(next) => onChange({ distractors: next })}
      />
    </>
  );
}

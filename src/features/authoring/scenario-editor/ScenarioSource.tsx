import { CornerDownRight } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { RadioGroup } from '#src/components/RadioGroup.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { type Draft, idFrom } from './scenario-draft.ts';
import {
  type ReadSource,
  readSource,
  type SourceFormat,
  SOURCE_MAX_BYTES,
  sourceOf,
} from './scenario-source.ts';

/** `text` is null as long as the source is what the draft says. */
export interface SourceState {
  format: SourceFormat;
  text: string | null;
  problem: { message: string; line: number; column: number } | null;
}

export function ScenarioSource({
  draft,
  source,
  onSource,
  onDraft,
  onImport,
}: {
  draft: Draft;
  source: SourceState;
  onSource: (source: SourceState) => void;
  onDraft: (draft: Draft) => void;
  onImport: (draft: Draft, file: string) => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const text = source.text ?? sourceOf(draft, source.format);
  // What was typed and read is the draft's own from the next visit on.
  const leave = useEffectEvent(() => {
    if (source.text !== null && !source.problem) onSource({ ...source, text: null });
  });
  useEffect(() => () => leave(), []);

  const read = (typed: string): ReadSource => {
    const result = readSource(typed);
    onSource({ ...source, text: typed, problem: result.problem ?? null });
    return result;
  };
  const type = (typed: string) => {
    const { draft: next } = read(typed);
    if (next) onDraft(next);
  };
  const bringIn = async (chosen: File | undefined) => {
    if (!chosen) return;
    const typed = await chosen.slice(0, SOURCE_MAX_BYTES).text();
    const wrong =
      chosen.size > SOURCE_MAX_BYTES
        ? 'is larger than 1 MB'
        : typed.includes('\ufffd') && 'is not UTF-8 text';
    if (wrong) {
      return onSource({ ...source, problem: { message: `${chosen.name} ${wrong}.`, line: 1, column: 1 } });
    }
    const { draft: next } = read(typed);
    if (next) onImport(next, chosen.name);
  };
  const takeAway = () => {
    const blob = new Blob([text], {
      type: source.format === 'json' ? 'application/json' : 'application/yaml',
    });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${idFrom(draft.title) || 'scenario'}.${source.format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const goToProblem = () => {
    const { line, column } = source.problem!;
    const lines = text.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start + column - 1, start + (lines[line - 1]?.length ?? 0));
    // A text field cannot bring a line into view but by its height.
    if (area.current)
      area.current.scrollTop = Math.max(0, (line - 4) * (area.current.scrollHeight / lines.length));
  };

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <RadioGroup
          label="Format"
          inline
          value={source.format}
          options={[
            { value: 'yaml', label: 'YAML' },
            { value: 'json', label: 'JSON' },
          ]}
          onValueChange={(format) =>
            onSource({ ...source, format: format as SourceFormat, ...(!source.problem && { text: null }) })
          }
        />
        <div className="flex flex-wrap gap-2.5">
          <input
            ref={file}
            type="file"
            accept=".yaml,.yml,.json,application/yaml,application/json"
            className="sr-only"
            aria-label="Scenario file"
            tabIndex={-1}
            onChange={(event) => {
              void bringIn(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
          <Button variant="secondary" size="sm" className="min-h-11" onClick={() => file.current?.click()}>
            Import a file
          </Button>
          <Button variant="secondary" size="sm" className="min-h-11" onClick={takeAway}>
            Download
          </Button>
        </div>
      </div>
      {source.problem && (
        <Alert tone="danger" title={`Line ${source.problem.line} cannot be read`} live>
          <p>{source.problem.message}</p>
          <p className="mt-1">The form keeps what could be read last.</p>
          <div className="mt-3 flex flex-wrap gap-2.5">
            <Button size="sm" variant="secondary" onClick={goToProblem}>
              <CornerDownRight aria-hidden="true" /> Go to line {source.problem.line}
            </Button>
            <Button
              size="sm"
              variant="secondary"
              onClick={() => onSource({ ...source, text: null, problem: null })}
            >
              Discard what I typed
            </Button>
          </div>
        </Alert>
      )}
      <Field
        label="Source"
        hint="The form changes with every line that can be read. Comments stay only as long as you are here: what is saved is the data."
      >
        <Textarea
          ref={area}
          value={text}
          rows={28}
          spellCheck={false}
          wrap="off"
          autoCapitalize="off"
          className="font-mono text-sm"
          onChange={(event) => type(event.target.value)}
        />
      </Field>
    </div>
  );
}

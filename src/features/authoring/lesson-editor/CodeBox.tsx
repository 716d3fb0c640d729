import { type Ref, useRef } from 'react';
import { hintClass, labelClass } from '#src/components/field.ts';
import { CodeEditor } from '#src/features/practice/CodeEditor.tsx';
import type { EditorHandle } from '#src/features/practice/editor-host.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { FieldProblem } from '#src/components/FieldProblem.tsx';

/** A labelled editor for code. */
export function CodeBox({
  ref,
  id,
  label,
  hint,
  language,
  initialCode,
  error,
  onChange,
  onRun,
}: {
  ref: Ref<EditorHandle>;
  id: string;
  label: string;
  hint: string;
  language: CodingLanguage;
  initialCode: string;
  error?: string | undefined;
  onChange: (code: string) => void;
  onRun: () => void;
}) {
  // The editor holds the code; another language makes a new one.
  const code = useRef(initialCode);
  return (
    <div className="min-w-0">
      <p className={labelClass}>{label}</p>
      <p id={`${id}-hint`} className={`${hintClass} mt-1`}>
        {hint}
      </p>
      <div
        className={`mt-1.5 flex h-64 flex-col overflow-hidden rounded-md border bg-surface focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-(--focus-ring,var(--color-accent)) ${error ? 'border-danger' : 'border-line-strong'}`}
      >
        <CodeEditor
          key={language}
          ref={ref}
          language={language}
          label={label}
          initialCode={code.current}
          describedBy={`${id}-hint`}
          invalid={Boolean(error)}
          onChange={(next) => {
            if (next === code.current) return;
            code.current = next;
            onChange(next);
          }}
          onRun={onRun}
        />
      </div>
      <div aria-live="polite" className="empty:hidden">
        {error && <FieldProblem>{error}</FieldProblem>}
      </div>
    </div>
  );
}

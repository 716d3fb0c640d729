import { Play } from 'lucide-react';
import { type Ref, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import type { AnsweredReview, ReviewItem } from './schema.ts';
import { languageLabel } from '#src/features/lessons/types/coding/languages.ts';
import { CodeEditor } from '#src/features/practice/CodeEditor.tsx';
import type { EditorHandle } from '#src/features/practice/editor-host.ts';
import { EMPTY_CODE, verdictText, wasCompared } from '#src/features/practice/practice.ts';
import { RunReport } from '#src/features/practice/RunReport.tsx';
import type { JudgedRun } from '#src/features/practice/schema.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { reviewDraft } from './review-draft.ts';

type Task = NonNullable<ReviewItem['task']>;

export function ReviewProgram({
  userId,
  lessonId,
  version,
  task,
  busy,
  told,
  onRun,
  onForgot,
}: {
  userId: number;
  lessonId: number;
  version: number;
  task: Task & { editor: NonNullable<Task['editor']> };
  busy: boolean;
  told: AnsweredReview | null;
  onRun: (code: string, then: (run: JudgedRun) => void) => void;
  onForgot: () => void;
}) {
  const { html, solution, editor } = task;
  const handle = useRef<EditorHandle>(null);
  const [result, setResult] = useState<JudgedRun | null>(null);
  const [error, setError] = useState('');
  const statusId = `review-code-${lessonId}`;
  const draft = useMemo(() => reviewDraft(userId, lessonId, version), [userId, lessonId, version]);

  // Text that the browser restored wins over the draft.
  useEffect(() => {
    const kept = draft.read();
    if (kept !== null && handle.current?.value() === editor.starterCode) handle.current.replace(kept);
  }, [draft, editor.starterCode]);
  useEffect(() => {
    if (told) draft.clear();
  }, [told, draft]);

  function changed(code: string) {
    setError('');
    if (told) return;
    if (code === editor.starterCode) draft.clear();
    else draft.write(code);
  }

  function run() {
    if (busy || told) return;
    const code = handle.current?.value() ?? '';
    setError(isBlank(code) ? EMPTY_CODE.description : '');
    if (!isBlank(code)) onRun(code, setResult);
  }

  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      <h3 className="mt-6 text-sm font-semibold">{languageLabel(editor.language)}</h3>
      <div className="mt-1.5 flex h-64 flex-col overflow-hidden rounded-md border border-line-strong bg-surface focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-(--focus-ring,var(--color-accent))">
        <CodeEditor
          ref={handle}
          language={editor.language}
          initialCode={editor.starterCode}
          describedBy={statusId}
          invalid={error !== ''}
          onChange={changed}
          onRun={run}
        />
      </div>
      <p id={statusId} aria-live="polite" className="mt-1.5 text-sm text-ink-soft">
        {error || 'Write it once more. Your code in the lesson stays as it is.'}
      </p>
      {!told && (
        <p className="mt-4 flex flex-wrap gap-3">
          <Button loading={busy} onClick={run} title="Ctrl + Enter">
            <Play aria-hidden="true" />
            Run
          </Button>
          <Button variant="secondary" aria-disabled={busy} onClick={onForgot}>
            I had forgotten it – show my solution
          </Button>
        </p>
      )}
      {/* Emptied while a program runs, so that equal results are announced. */}
      <p role="status" className="sr-only">
        {busy ? 'One moment…' : result && saidOf(result)}
      </p>
      {result && (
        <div className="mt-4 rounded-lg border border-line">
          <RunReport
            result={{ ...result, pointsAwarded: 0, progress: null }}
            next={null}
            course={null}
            enrolled={null}
            onJump={(line, column) => handle.current?.goTo(line, column)}
          />
        </div>
      )}
      {told && !told.recalled && <Solution solution={solution} />}
    </>
  );
}

function saidOf({ verdict, tests, said }: JudgedRun): string {
  const { title, text } = verdictText(verdict);
  const passed = tests.filter((test) => test.passed).length;
  const counts = tests.length > 1 ? `${passed} of ${tests.length} tests passed.` : text;
  return `${title}. ${said?.replaceAll('`', '') ?? (wasCompared(verdict) ? counts : text)}`;
}

export function Solution({ solution, ref }: { solution: string | null; ref?: Ref<HTMLHeadingElement> }) {
  return (
    <>
      <h3 ref={ref} tabIndex={-1} className="mt-6 text-sm font-semibold outline-none">
        Your solution
      </h3>
      {solution ? (
        <pre className="mt-1.5 rounded-md border border-line bg-surface p-4 font-mono text-sm break-words whitespace-pre-wrap">
          {solution}
        </pre>
      ) : (
        <p className="mt-1.5 text-ink-soft">Your program is not kept any more.</p>
      )}
    </>
  );
}

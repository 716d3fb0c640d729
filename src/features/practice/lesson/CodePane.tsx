import { History, MessageCircleQuestionMark, Play, RotateCcw } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { laterPart } from '#src/components/later-part.tsx';
import { CodeEditor } from '../CodeEditor.tsx';
import type { EditorHandle } from '../editor-host.ts';
import { languageLabel } from '#src/features/lessons/types/coding/languages.ts';
import { type CodingLessonStore, failingPlace, type LessonState } from './coding-lesson.ts';

// Few look back.
const SubmissionHistory = laterPart(async () => (await import('../SubmissionHistory.tsx')).SubmissionHistory);

interface Props {
  lessonId: number;
  lesson: CodingLessonStore;
  state: LessonState;
  editor: RefObject<EditorHandle | null>;
  heading: RefObject<HTMLHeadingElement | null>;
  hasHistory: boolean;
  onAsk: ((line: number, text: string) => void) | null;
  onWriting: () => void;
  className: string;
}

export function CodePane({
  lessonId,
  lesson,
  state,
  editor,
  heading,
  hasHistory,
  onAsk,
  onWriting,
  className,
}: Props) {
  const { findings, result, running, restored } = state;
  const [resetOpen, setResetOpen] = useState(false);
  const [historyOpen, setHistoryOpen] = useState<boolean | null>(null);
  const failing = failingPlace(result);
  useEffect(() => editor.current?.mark(findings, failing), [editor, findings, failing]);
  // Beside the marker in the editor, and where there is none: in the plain text field.
  const wrong = findings[0] ?? failing;
  const statusId = `code-status-${lessonId}`;
  const onRun = () => void lesson.run();
  return (
    <>
      <section aria-label="Code" className={`flex min-h-0 flex-col lg:flex-[11] ${className} max-lg:flex-1`}>
        <div className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-4 py-2 [@container_writing_(height<18rem)]:hidden">
          <h2 ref={heading} tabIndex={-1} className="mr-auto text-sm font-semibold outline-none">
            {languageLabel(lesson.language)}
          </h2>
          {onAsk && (
            <Button
              size="sm"
              variant="ghost"
              title="Ask about this line"
              className="max-xl:px-3"
              onClick={() => {
                const { line, text } = editor.current?.currentLine() ?? { line: 1, text: '' };
                onAsk(line, text);
              }}
            >
              <MessageCircleQuestionMark aria-hidden="true" />
              <span className="max-xl:sr-only">Ask about this line</span>
            </Button>
          )}
          {hasHistory && (
            <Button
              size="icon-sm"
              variant="ghost"
              aria-label="Your submissions"
              title="Your submissions"
              onClick={() => setHistoryOpen(true)}
            >
              <History aria-hidden="true" />
            </Button>
          )}
          <Button size="sm" variant="secondary" onClick={() => setResetOpen(true)}>
            <RotateCcw aria-hidden="true" />
            Reset
          </Button>
          <Button size="sm" loading={running} onClick={onRun} title="Ctrl + Enter" className="max-lg:hidden">
            <Play aria-hidden="true" />
            Run
          </Button>
        </div>
        <CodeEditor
          ref={editor}
          language={lesson.language}
          initialCode={lesson.startCode}
          describedBy={statusId}
          invalid={findings.length > 0}
          onChange={lesson.change}
          onRun={onRun}
          onWriting={onWriting}
        />
        <div
          id={statusId}
          className="flex min-h-9 flex-wrap items-center gap-x-4 border-t border-line bg-surface px-4 py-1.5 text-xs"
        >
          <p aria-live="polite" className="min-w-0 flex-1 break-words">
            {wrong ? (
              <button
                type="button"
                className="min-h-6 text-left font-medium text-danger underline decoration-1 underline-offset-2"
                onClick={() => lesson.jump(wrong.line, wrong.column)}
              >
                <span className="line-clamp-2">
                  Line {wrong.line}: {wrong.message}
                </span>
              </button>
            ) : restored ? (
              <span className="text-ink-soft">Your draft was restored.</span>
            ) : null}
          </p>
          <p className="text-ink-soft max-md:hidden">
            Ctrl or ⌘ + Enter runs · Esc, then Tab leaves the editor
          </p>
        </div>
      </section>
      <AlertDialog
        open={resetOpen}
        onOpenChange={setResetOpen}
        title="Reset your code?"
        description="The editor goes back to the code the lesson starts with, and the output and the hints are cleared. Your earlier submissions stay in the history."
        confirmLabel="Reset"
        destructive
        onConfirm={lesson.reset}
      />
      {historyOpen !== null && (
        <SubmissionHistory
          lessonId={lessonId}
          open={historyOpen}
          onOpenChange={setHistoryOpen}
          onRestore={(code, attempt) => {
            setHistoryOpen(false);
            lesson.restore(code, attempt);
          }}
        />
      )}
    </>
  );
}

import {
  ChevronLeft,
  ChevronRight,
  CircleCheck,
  EyeOff,
  History,
  Lightbulb,
  Play,
  RotateCcw,
  Timer,
} from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { toast } from '#src/components/toast.store.ts';
import { type Level, levelLabel } from '#src/features/catalogue/catalogue.ts';
import { useActivity } from '#src/features/learn/progress/use-activity.ts';
import { ApiError, call } from '#src/shared/api.ts';
import { loginPath } from '#src/shared/paths.ts';
import { CodeEditor, type EditorHandle } from './CodeEditor.tsx';
import { readDraft, writeDraft } from './draft.ts';
import { LivePreview } from './LivePreview.tsx';
import type { Finding } from './lint.ts';
import {
  ATTEMPTS_SHOWN,
  type CodingLanguage,
  EMPTY_CODE,
  EXECUTION_ERROR,
  hasPreview,
  languageLabel,
  type NeighborLesson,
  previewElement,
  timerText,
  verdictText,
  wasCompared,
} from './practice.ts';
import { RunReport } from './RunReport.tsx';
import { ScrollBox } from './ScrollBox.tsx';
import { SubmissionHistory } from './SubmissionHistory.tsx';
import { executeCodeCall, type LessonForLearner, revealHintCall, type RunResult } from './schema.ts';
import { counted } from '#src/shared/counted.ts';
import { isBlank } from '#src/shared/is-blank.ts';

interface Props {
  lesson: Pick<
    LessonForLearner,
    | 'id'
    | 'title'
    | 'points'
    | 'starterCode'
    | 'expectedOutput'
    | 'testCases'
    | 'content'
    | 'attempts'
    | 'completed'
  > & { codingLanguage: CodingLanguage; difficulty: Level };
  /** Rendered and sanitised by the server. */
  hints: string[];
  course: { id: number; title: string };
  position: number;
  lessonCount: number;
  previous: NeighborLesson | null;
  next: NeighborLesson | null;
  enrolled: boolean;
  lastCode: string | null;
  /** Null for visitors, who may look at a preview lesson and try its editor. */
  userId: number | null;
  /** The instructions, rendered by the server. */
  children?: ReactNode;
}

type Panel = 'task' | 'code' | 'result';
type ResultTab = 'result' | 'preview';

/** Milliseconds without typing after which the program is checked and kept. */
const REST_MS = 400;

/** The page of a coding lesson: what to do on the left, the editor and what came of it on the right (spec 2). */
export function CodingLesson(props: Props) {
  const { lesson, hints, course, next, enrolled, lastCode, userId, children } = props;
  const language = lesson.codingLanguage;
  const startCode = lastCode ?? lesson.starterCode;
  const editor = useRef<EditorHandle>(null);
  const [code, setCode] = useState(startCode);
  const [findings, setFindings] = useState<Finding[]>([]);
  const [result, setResult] = useState<RunResult | null>(null);
  const [running, setRunning] = useState(false);
  const [attempts, setAttempts] = useState(lesson.attempts);
  const [completed, setCompleted] = useState(lesson.completed);
  const [hintsShown, setHintsShown] = useState(0);
  const [panel, setPanel] = useState<Panel>('task');
  const [tab, setTab] = useState<ResultTab>(hasPreview(language) ? 'preview' : 'result');
  const [resetOpen, setResetOpen] = useState(false);
  const [historyOpen, setHistoryOpen] = useState(false);
  const [restored, setRestored] = useState(false);
  const seconds = useSessionSeconds();
  const failing = failingPlace(result);
  // Beside the marker in the editor, and where there is none: in the plain text field.
  const wrong = findings[0] ?? failing;

  // A draft of this device wins over the last run, and what was typed before this script was there over both.
  useEffect(() => {
    const typed = editor.current?.value() ?? startCode;
    const draft = readDraft(lesson.id, userId);
    if (typed === startCode && draft !== null && draft !== startCode) {
      editor.current?.replace(draft);
      setCode(draft);
      setRestored(true);
    } else if (typed !== startCode) setCode(typed);
  }, [lesson.id, userId, startCode]);

  useEffect(() => {
    let outdated = false;
    const timer = setTimeout(async () => {
      writeDraft(lesson.id, userId, code === startCode ? null : code);
      const { lint } = await import('./lint.ts');
      const found = await lint(language, code).catch((): Finding[] => []);
      if (!outdated) setFindings(found);
    }, REST_MS);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [code, language, lesson.id, userId, startCode]);

  // A page that is left within the rest keeps its last keystrokes too.
  const latest = useLatest(code);
  useEffect(() => {
    const keep = () => writeDraft(lesson.id, userId, latest.current === startCode ? null : latest.current);
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  }, [lesson.id, userId, startCode]);

  useEffect(() => editor.current?.mark(findings, failing), [findings, failing]);

  const onChange = useCallback((value: string) => {
    setCode((before) => {
      // The line that failed is not the same line any more.
      if (before !== value)
        setResult((shown) => (shown ? { ...shown, error: withoutPlace(shown.error) } : null));
      return value;
    });
  }, []);

  const isRunning = useRef(false);
  async function run() {
    if (isRunning.current) return;
    const program = editor.current?.value() ?? code;
    if (isBlank(program)) {
      toast({ ...EMPTY_CODE, variant: 'destructive' });
      return;
    }
    if (userId === null) {
      writeDraft(lesson.id, userId, program);
      toast({
        title: 'Sign in to run your code',
        description: 'Your program stays on this device and is here when you come back.',
        action: { label: 'Sign In', href: loginPath(location.pathname) },
      });
      return;
    }
    isRunning.current = true;
    setRunning(true);
    setTab('result');
    setPanel('result');
    try {
      const answer = await call(executeCodeCall, {
        input: {
          lessonId: lesson.id,
          code: program,
          language,
          timeSpent: seconds.current,
          hintsUsed: hintsShown,
        },
      });
      setResult(answer);
      setAttempts(answer.attempts);
      setCompleted(answer.completed);
      writeDraft(lesson.id, userId, program);
      // Whatever shows progress reads it anew (spec 7).
      announce(answer);
    } catch (error) {
      setTab(hasPreview(language) && !result ? 'preview' : 'result');
      setPanel('code');
      toast(failureToast(error));
    } finally {
      isRunning.current = false;
      setRunning(false);
    }
  }

  function announce(answer: RunResult) {
    const { title, text } = verdictText(answer.verdict);
    if (answer.isCorrect) {
      const points = answer.pointsAwarded > 0 ? `+${counted(answer.pointsAwarded, 'point')}. ` : '';
      toast({ title, description: `${points}All tests passed.` });
    } else if (wasCompared(answer.verdict)) {
      const passed = answer.tests.filter((test) => test.passed).length;
      toast({
        title,
        description: answer.tests.length > 1 ? `${passed} of ${answer.tests.length} tests passed.` : text,
        variant: 'destructive',
      });
    } else toast({ ...EXECUTION_ERROR, variant: 'destructive' });
  }

  function revealHint() {
    const shown = Math.min(hintsShown + 1, hints.length);
    setHintsShown(shown);
    // Read at once; the count follows, and with it the next run if this call is lost.
    if (userId !== null) {
      call(revealHintCall, { params: { id: lesson.id }, input: { shown }, keepalive: true }).catch(() => {});
    }
  }

  function reset() {
    editor.current?.replace(lesson.starterCode);
    setCode(lesson.starterCode);
    setResult(null);
    setHintsShown(0);
    setRestored(false);
    writeDraft(lesson.id, userId, startCode === lesson.starterCode ? null : lesson.starterCode);
  }

  function restore(earlier: string, attempt: number) {
    const before = editor.current?.value() ?? code;
    setHistoryOpen(false);
    editor.current?.replace(earlier);
    setCode(earlier);
    setPanel('code');
    toast({
      title: `Attempt ${attempt} restored`,
      action: { label: 'Undo', onClick: () => editor.current?.replace(before) },
    });
  }

  function jump(line: number, column: number) {
    setPanel('code');
    // The panel must be there before it can take the focus.
    requestAnimationFrame(() => editor.current?.goTo(line, column));
  }

  const statusId = `code-status-${lesson.id}`;
  const hidden = (name: Panel) => (panel === name ? '' : 'max-lg:hidden');
  const runButton = (
    <Button
      size="sm"
      loading={running}
      onClick={() => void run()}
      title="Ctrl + Enter"
      className="max-lg:hidden"
    >
      <Play aria-hidden="true" />
      Run
    </Button>
  );

  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-[calc(100dvh-var(--spacing-header))] lg:flex-none lg:min-h-[38rem]">
      {enrolled && <StudyTime lessonId={lesson.id} />}
      <TopBar {...props} attempts={attempts} completed={completed} seconds={seconds.shown} />

      <nav
        aria-label="Parts of the lesson"
        className="sticky top-header z-10 grid grid-cols-3 border-b border-line bg-surface lg:hidden"
      >
        {(['task', 'code', 'result'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={panel === name}
            onClick={() => setPanel(name)}
            className="min-h-12 border-b-2 border-transparent font-semibold text-ink-soft -outline-offset-2 aria-pressed:border-accent aria-pressed:text-ink"
          >
            {{ task: 'Task', code: 'Code', result: 'Result' }[name]}
          </button>
        ))}
      </nav>

      {/* Its panes are positioned: text for screen readers that lies deep in one would make the whole page longer. */}
      <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:grid-rows-[minmax(0,1fr)]">
        {/* Side by side it scrolls for itself. */}
        <section
          aria-label="Task"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          tabIndex={0}
          className={`relative min-w-0 overflow-y-auto border-line px-gutter py-6 -outline-offset-2 lg:border-r lg:px-8 lg:py-7 ${hidden('task')}`}
        >
          {children}
          {language === 'css' && lesson.content && <Fixture markup={lesson.content} />}
          {lesson.expectedOutput && (
            <section aria-labelledby="expected-output" className="mt-7">
              <h2 id="expected-output" className="font-semibold">
                Expected output
              </h2>
              <pre className="mt-2 overflow-x-auto rounded-md border border-line bg-surface px-4 py-3 font-mono text-sm whitespace-pre-wrap">
                {lesson.expectedOutput}
              </pre>
            </section>
          )}
          {lesson.testCases.length > 0 && <TestList tests={lesson.testCases} />}
          {hints.length > 0 && <Hints hints={hints} shown={hintsShown} onReveal={revealHint} />}
          <Button className="mt-8 lg:hidden" block onClick={() => setPanel('code')}>
            Write the code
          </Button>
        </section>

        <div className={`flex min-h-0 min-w-0 flex-1 flex-col ${panel === 'task' ? 'max-lg:hidden' : ''}`}>
          <section
            aria-label="Code"
            className={`flex min-h-0 flex-col lg:flex-[11] ${hidden('code')} max-lg:min-h-72 max-lg:flex-1`}
          >
            <div className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-4 py-2">
              <h2 className="mr-auto text-sm font-semibold">{languageLabel(language)}</h2>
              {userId !== null && (
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
              {runButton}
            </div>
            <CodeEditor
              ref={editor}
              language={language}
              initialCode={startCode}
              describedBy={statusId}
              invalid={findings.length > 0}
              onChange={onChange}
              onRun={() => void run()}
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
                    onClick={() => jump(wrong.line, wrong.column)}
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

          <section
            aria-label="Result"
            aria-busy={running}
            className={`flex min-h-0 flex-col border-line bg-canvas lg:flex-[9] lg:border-t ${hidden('result')} max-lg:flex-1`}
          >
            <h2 className="sr-only">Result</h2>
            <div
              className={`flex items-center gap-1 border-b border-line bg-sunken px-2 ${hasPreview(language) ? '' : 'max-lg:hidden'}`}
            >
              {hasPreview(language) ? (
                (['preview', 'result'] as const).map((name) => (
                  <button
                    key={name}
                    type="button"
                    aria-pressed={tab === name}
                    onClick={() => setTab(name)}
                    className="min-h-10 border-b-2 border-transparent px-2 text-sm font-semibold text-ink-soft -outline-offset-2 aria-pressed:border-accent aria-pressed:text-ink"
                  >
                    {name === 'preview' ? 'Preview' : 'Result'}
                  </button>
                ))
              ) : (
                <p aria-hidden="true" className="px-2 py-2 text-sm font-semibold">
                  Result
                </p>
              )}
            </div>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
            <div
              role="group"
              aria-label={tab === 'preview' ? 'Preview' : 'Result of the run'}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
              tabIndex={0}
              className="relative min-h-0 flex-1 overflow-y-auto -outline-offset-2"
            >
              {hasPreview(language) && (
                <div
                  className={tab === 'preview' ? 'h-full max-lg:h-[max(20rem,calc(100dvh-25rem))]' : 'hidden'}
                >
                  <LivePreview
                    language={language}
                    code={code}
                    fixture={lesson.content}
                    element={language === 'react' ? previewElement(lesson.testCases) : null}
                    title={lesson.title}
                  />
                </div>
              )}
              {tab === 'result' &&
                (running ? (
                  <p role="status" className="px-5 py-6 text-ink-soft">
                    Running your code…
                  </p>
                ) : result ? (
                  <RunReport result={result} next={next} course={course} enrolled={enrolled} onJump={jump} />
                ) : (
                  <p className="px-5 py-6 text-ink-soft">
                    Run your code to see what it prints and which tests pass.
                  </p>
                ))}
            </div>
          </section>
          <div className="sticky bottom-0 z-10 border-t border-line bg-surface px-gutter py-3 lg:hidden">
            <Button block loading={running} onClick={() => void run()}>
              <Play aria-hidden="true" />
              Run
            </Button>
          </div>
        </div>
      </div>

      <AlertDialog
        open={resetOpen}
        onOpenChange={setResetOpen}
        title="Reset your code?"
        description="The editor goes back to the code the lesson starts with, and the output and the hints are cleared. Your earlier submissions stay in the history."
        confirmLabel="Reset"
        destructive
        onConfirm={reset}
      />
      {userId !== null && (
        <SubmissionHistory
          lessonId={lesson.id}
          open={historyOpen}
          onOpenChange={setHistoryOpen}
          onRestore={restore}
        />
      )}
    </div>
  );
}

/** What a failed call is told as: the server's sentence where it has one of its own, else that of spec 8. */
function failureToast(error: unknown): Parameters<typeof toast>[0] {
  const variant = 'destructive';
  if (!(error instanceof ApiError) || error.code === 'internal' || !error.serverMessage) {
    return { ...EXECUTION_ERROR, variant };
  }
  if (error.serverMessage === EMPTY_CODE.title) return { ...EMPTY_CODE, variant };
  return {
    title: EXECUTION_ERROR.title,
    description: error.serverMessage,
    variant,
    ...(error.status === 401 && { action: { label: 'Sign In', href: loginPath(location.pathname) } }),
  };
}

/** Where the program failed, as a mark in the editor. */
function failingPlace(result: RunResult | null): Finding | null {
  const error = result?.error;
  if (!error || error.line === null) return null;
  const column = error.column ?? 1;
  return {
    line: error.line,
    column,
    endLine: error.line,
    endColumn: column + 1,
    message: `${error.name}: ${error.message}`,
  };
}

function withoutPlace(error: RunResult['error']): RunResult['error'] {
  return error && error.line !== null ? { ...error, line: null, column: null } : error;
}

/** Seconds since the lesson was opened, while it is in view; `current` is exact, `shown` is what the page says. */
function useSessionSeconds(): { current: number; shown: number } {
  const [shown, setShown] = useState(0);
  const counted = useRef({ before: 0, since: 0 });
  useEffect(() => {
    const clock = counted.current;
    clock.since = document.hidden ? 0 : performance.now();
    const read = () => (clock.before + (clock.since ? performance.now() - clock.since : 0)) / 1000;
    const timer = setInterval(() => setShown(Math.floor(read())), 1000);
    const onVisibility = () => {
      if (document.hidden) {
        clock.before = read() * 1000;
        clock.since = 0;
      } else clock.since = performance.now();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, []);
  return {
    get current() {
      const { before, since } = counted.current;
      return Math.floor((before + (since ? performance.now() - since : 0)) / 1000);
    },
    shown,
  };
}

/** Reports the time that an enrolled learner spends here, as on every page of a course; shows nothing. */
function StudyTime({ lessonId }: { lessonId: number }) {
  useActivity(lessonId, NO_VIDEO, ignoreCounted);
  return null;
}

const NO_VIDEO = { current: null };
const ignoreCounted = () => {};

function TopBar({
  lesson,
  course,
  position,
  lessonCount,
  previous,
  next,
  enrolled,
  userId,
  attempts,
  completed,
  seconds,
}: Props & { attempts: number; completed: boolean; seconds: number }) {
  return (
    <div className="border-b border-line bg-surface px-gutter py-3 lg:px-8">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <a
            href={enrolled ? `/learn/${course.id}?lesson=${lesson.id}` : `/courses/${course.id}`}
            className="quiet-link inline-flex min-h-6 max-w-full items-center gap-1 text-sm text-ink-soft hover:text-ink"
          >
            <ChevronLeft aria-hidden="true" className="size-4 shrink-0" />
            <span className="truncate">{course.title}</span>
          </a>
          <h1 className="text-subheading font-semibold">{lesson.title}</h1>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-soft">
            <span>
              Lesson {position} of {lessonCount}
            </span>
            <Badge>{languageLabel(lesson.codingLanguage)}</Badge>
            <Badge>{levelLabel(lesson.difficulty)}</Badge>
            <span>{counted(lesson.points, 'point')}</span>
            {completed && (
              <span className="inline-flex items-center gap-1 font-semibold text-success">
                <CircleCheck aria-hidden="true" className="size-4" />
                Completed
              </span>
            )}
          </p>
        </div>
        <div className="flex items-center gap-5">
          <Attempts count={attempts} />
          <p
            className="flex items-center gap-1.5 text-sm tabular-nums"
            role="timer"
            aria-label="Time in this session"
          >
            <Timer aria-hidden="true" className="size-4 text-ink-soft" />
            {timerText(seconds)}
          </p>
          {enrolled && (
            <div className="flex gap-2">
              <Neighbor lesson={previous} direction="previous" />
              <Neighbor lesson={next} direction="next" />
            </div>
          )}
        </div>
      </div>
      {userId === null && (
        <p className="mt-3 rounded-md border border-info-line bg-info-soft px-3 py-2 text-sm">
          You are looking at a preview lesson.{' '}
          <a href={loginPath(`/lesson/${lesson.id}`)} className="text-link font-semibold">
            Sign in
          </a>{' '}
          to run the tests. What you write here is kept on this device.
        </p>
      )}
    </div>
  );
}

function Attempts({ count }: { count: number }) {
  const filled = Math.min(count, ATTEMPTS_SHOWN);
  return (
    <div className="w-28">
      <p className="mb-1 flex justify-between text-sm">
        <span id="attempts-label" className="text-ink-soft">
          Attempts
        </span>
        <span className="font-semibold tabular-nums">{count}</span>
      </p>
      <div
        role="progressbar"
        aria-labelledby="attempts-label"
        aria-valuemin={0}
        aria-valuemax={ATTEMPTS_SHOWN}
        aria-valuenow={filled}
        aria-valuetext={counted(count, 'attempt')}
        className="h-1.5 overflow-hidden rounded-full bg-line"
      >
        <span
          className="block h-full rounded-full bg-accent transition-[width]"
          style={{ width: `${(100 * filled) / ATTEMPTS_SHOWN}%` }}
        />
      </div>
    </div>
  );
}

function Neighbor({ lesson, direction }: { lesson: NeighborLesson | null; direction: 'previous' | 'next' }) {
  if (!lesson) return null;
  const label = direction === 'previous' ? 'Previous lesson' : 'Next lesson';
  return (
    <Button
      href={lesson.href}
      size="icon-sm"
      variant="secondary"
      rel={direction === 'previous' ? 'prev' : 'next'}
      aria-label={`${label}: ${lesson.title}`}
      title={`${label}: ${lesson.title}`}
    >
      {direction === 'previous' ? <ChevronLeft aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
    </Button>
  );
}

function Fixture({ markup }: { markup: string }) {
  return (
    <details className="mt-6 rounded-md border border-line bg-surface">
      <summary className="min-h-11 px-4 py-2.5 font-semibold -outline-offset-2">
        The page you style (HTML)
      </summary>
      <ScrollBox label="The page you style" className="overflow-x-auto border-t border-line px-4 py-3">
        {markup}
      </ScrollBox>
    </details>
  );
}

function TestList({ tests }: { tests: Props['lesson']['testCases'] }) {
  return (
    <section aria-labelledby="test-cases" className="mt-7">
      <h2 id="test-cases" className="font-semibold">
        Tests
      </h2>
      <ol className="mt-2 divide-y divide-line rounded-md border border-line bg-surface">
        {tests.map((test, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tests have no names of their own and never move
          <li key={index} className="px-4 py-2.5">
            <p className="flex items-start justify-between gap-3">
              <span className="min-w-0 break-words">{test.description || `Test ${index + 1}`}</span>
              {test.hidden && (
                <span className="mt-0.5 inline-flex shrink-0 items-center gap-1 text-xs text-ink-soft">
                  <EyeOff aria-hidden="true" className="size-3.5" />
                  Hidden
                </span>
              )}
            </p>
            {!test.hidden &&
              // Several lines beside an arrow would not tell where the input ends and the output begins.
              (`${test.input}${test.expectedOutput}`.includes('\n') ? (
                <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm text-ink-soft">
                  <dt>Input</dt>
                  <dd className="font-mono break-words whitespace-pre-wrap">{test.input}</dd>
                  <dt>Output</dt>
                  <dd className="font-mono break-words whitespace-pre-wrap text-ink">
                    {test.expectedOutput}
                  </dd>
                </dl>
              ) : (
                <p className="mt-1 font-mono text-sm break-words whitespace-pre-wrap text-ink-soft">
                  {test.input} <span aria-hidden="true">→</span>
                  <span className="sr-only">should give</span>{' '}
                  <span className="text-ink">{test.expectedOutput}</span>
                </p>
              ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Hints({ hints, shown, onReveal }: { hints: string[]; shown: number; onReveal: () => void }) {
  return (
    <section aria-labelledby="lesson-hints" className="mt-7">
      <h2 id="lesson-hints" className="font-semibold">
        Hints
      </h2>
      <ol aria-live="polite" className="mt-2 flex flex-col gap-2 empty:hidden">
        {hints.slice(0, shown).map((hint, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: hints are only ever added at the end
            key={index}
            className="rounded-md border border-warning-line bg-warning-soft px-4 py-3"
          >
            <p className="text-sm font-semibold">Hint {index + 1}</p>
            <div
              className="prose text-[0.9375rem]"
              // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server
              dangerouslySetInnerHTML={{ __html: hint }}
            />
          </li>
        ))}
      </ol>
      {shown < hints.length ? (
        <Button size="sm" variant="secondary" className="mt-3" onClick={onReveal}>
          <Lightbulb aria-hidden="true" />
          Show hint {shown + 1} of {hints.length}
        </Button>
      ) : (
        <p className="mt-3 text-sm text-ink-soft">
          You have seen {hints.length === 1 ? 'the only hint' : `all ${hints.length} hints`}.
        </p>
      )}
    </section>
  );
}

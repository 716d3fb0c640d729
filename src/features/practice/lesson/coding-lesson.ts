import { atom, type WritableAtom } from 'nanostores';
import { type RefObject, useEffect, useState } from 'react';
import { dismissToast, toast } from '#src/components/toast.store.ts';
import { readDraft, writeDraft } from '../draft.ts';
import type { Finding } from '../lint.ts';
import { type CodingLanguage, codingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { EMPTY_CODE, EXECUTION_ERROR, verdictText, wasCompared } from '../practice.ts';
import { codeHintCall, executeCodeCall, revealHintCall, type RunResult, tryPreviewCall } from '../schema.ts';
import { askGroupHintCall, type OfferedHint, openGroupHintCall } from '../groups/schema.ts';
import { signInAction } from '#src/features/account/sign-in/sign-in-action.ts';
import { lessonMessage } from '#src/features/learn/progress/learn.ts';
import { ApiError, call, ConnectionLost, messageOf } from '#src/shared/api.ts';
import type { RanProgram } from '../replay/walk.ts';
import { isBlank } from '#src/shared/is-blank.ts';
import { createResend, SENT_WHEN_BACK } from '#src/shared/resend.ts';
import { useStore } from '#src/components/use-store.ts';

export type Panel = 'task' | 'code' | 'result';
type ResultTab = 'result' | 'preview';

export interface LessonState {
  code: string;
  findings: readonly Finding[];
  result: RunResult | null;
  ranCode: string;
  running: boolean;
  attempts: number;
  completed: boolean;
  hintsShown: number;
  groupHints: readonly OfferedHint[];
  panel: Panel;
  tab: ResultTab;
  restored: boolean;
}

interface Lesson {
  id: number;
  codingLanguage: CodingLanguage;
  starterCode: string;
  attempts: number;
  completed: boolean;
}

interface Opening {
  lesson: Lesson;
  lastCode: string | null;
  /** Null for visitors, who may play a preview lesson. */
  userId: number | null;
  hintCount: number;
  groupHints: readonly OfferedHint[];
  editor: RefObject<{
    value: () => string;
    replace: (code: string) => void;
    goTo: (line: number, column: number) => void;
  } | null>;
  /** Seconds of this visit so far. */
  secondsSpent: () => number;
  onResult?: (answer: RunResult, code: string) => void;
}

const REST_MS = 400;

export type CodingLessonStore = ReturnType<typeof createCodingLesson>;

async function findingsIn(language: CodingLanguage, code: string): Promise<Finding[]> {
  const { lint } = await import('../lint.ts');
  return lint(language, code).catch(() => []);
}

async function runPreview(
  id: number,
  input: { code: string; language: string },
  counted: Pick<RunResult, 'attempts' | 'hintsUsed' | 'timeSpent'>,
): Promise<RunResult> {
  const judged = await call(tryPreviewCall, { params: { id }, input });
  const unkept = { submissionId: 0, pointsAwarded: 0, completed: false, progress: null, totalPoints: null };
  return { ...judged, ...unkept, ...counted };
}

/** In place of the text's hint where it comes; the author's own word goes first. */
async function askHint(
  $state: WritableAtom<LessonState>,
  id: number,
  language: CodingLanguage,
): Promise<void> {
  const { result: answer, ranCode: code } = $state.get();
  if (!answer || answer.said || !/^(?:wrong_answer|runtime_error)$/.test(answer.verdict)) return;
  const found = await call(codeHintCall, { params: { id }, input: { code, language } }).catch(() => null);
  const state = $state.get();
  if (!found?.hint || !state.result || state.ranCode !== code) return;
  // The line is another one as soon as something was typed.
  const hint = state.result === answer ? found.hint : withoutPlace(found.hint);
  $state.set({ ...state, result: { ...state.result, hint } });
}

const hintsSeen = ({ hintsShown, groupHints }: LessonState) =>
  hintsShown + groupHints.filter(({ html }) => html !== null).length;

/** What of the last run can be replayed; undefined for languages without. */
export function ranProgram(
  { id, codingLanguage: language }: Pick<Lesson, 'id' | 'codingLanguage'>,
  { ranCode }: LessonState,
): RanProgram | undefined {
  return codingLanguage(language).hasReplay ? { lessonId: id, code: ranCode, language } : undefined;
}

function othersHints($state: WritableAtom<LessonState>) {
  const show = (groupHints: LessonState['groupHints']) => $state.set({ ...$state.get(), groupHints });
  return {
    async ask({ submissionId: id, isCorrect, attempts, completed }: RunResult): Promise<void> {
      if (isCorrect || completed || attempts < 2) return;
      // A hint more or less: a run is complete without.
      const answer = await call(askGroupHintCall, { params: { id } }).catch(() => null);
      if (answer) show(answer.hints);
    },

    async open(id: number): Promise<void> {
      try {
        const { html } = await call(openGroupHintCall, { params: { id } });
        show($state.get().groupHints.map((one) => (one.id === id ? { id, html } : one)));
      } catch (error) {
        toast({
          title: 'The hint could not be opened',
          description: messageOf(error, 'Please try again in a moment.'),
          variant: 'destructive',
        });
      }
    },
  };
}

/** The state of a coding lesson while somebody works on it (spec 2). */
export function createCodingLesson({
  lesson,
  lastCode,
  userId,
  hintCount,
  groupHints,
  editor,
  secondsSpent,
  onResult,
}: Opening) {
  const language = lesson.codingLanguage;
  const startCode = lastCode ?? lesson.starterCode;
  const restingTab: ResultTab = codingLanguage(language).hasPreview ? 'preview' : 'result';
  const $state = atom<LessonState>({
    code: startCode,
    findings: [],
    result: null,
    ranCode: '',
    running: false,
    attempts: lesson.attempts,
    completed: lesson.completed,
    hintsShown: 0,
    groupHints,
    panel: 'task',
    tab: restingTab,
    restored: false,
  });
  const show = (change: Partial<LessonState>): void => $state.set({ ...$state.get(), ...change });
  const current = () => editor.current?.value() ?? $state.get().code;
  const keep = (code: string) => writeDraft(lesson.id, userId, code === startCode ? null : code);

  const others = othersHints($state);
  const resend = createResend();

  return {
    $state,
    language,
    startCode,
    show,

    /** Text typed before this script wins over this device's draft, and that over the last run. */
    begin(): void {
      const typed = editor.current?.value() ?? startCode;
      const draft = readDraft(lesson.id, userId);
      if (typed !== startCode) show({ code: typed });
      else if (draft !== null && draft !== startCode) {
        editor.current?.replace(draft);
        show({ code: draft, restored: true });
      }
    },

    keep: () => keep($state.get().code),

    async rest(): Promise<void> {
      const { code } = $state.get();
      keep(code);
      // The parsers are as large as the rest of the page: they come when there is something new to read.
      const findings = code === startCode ? [] : await findingsIn(language, code);
      if ($state.get().code === code) show({ findings });
    },

    change(code: string): void {
      const { code: before, result } = $state.get();
      if (before === code) return;
      // The line that failed is not the same line any more.
      show({ code, result: result && withoutPlaces(result) });
    },

    async run(): Promise<void> {
      const { running, result } = $state.get();
      if (running) return;
      // What was said of the run before is not true of this one.
      dismissToast();
      const code = current();
      if (isBlank(code)) {
        show({ result: null, tab: restingTab, panel: 'code' });
        toast({ ...EMPTY_CODE, variant: 'destructive' });
        return;
      }
      show({ running: true, tab: 'result', panel: 'result' });
      resend.begin();
      try {
        const program = { code, language };
        const counted = { timeSpent: secondsSpent(), hintsUsed: hintsSeen($state.get()) };
        const answer =
          userId === null
            ? await runPreview(lesson.id, program, { ...counted, attempts: $state.get().attempts + 1 })
            : await call(executeCodeCall, { input: { lessonId: lesson.id, ...program, ...counted } });
        const { attempts, completed } = answer;
        show({ running: false, result: answer, ranCode: code, attempts, completed });
        writeDraft(lesson.id, userId, code);
        (onResult ?? tell)(answer, code);
        void askHint($state, lesson.id, language);
        if (userId !== null) void others.ask(answer);
      } catch (error) {
        show({ running: false, tab: result ? 'result' : restingTab, panel: 'code' });
        // Each run counts: one that may have arrived is not sent again unasked.
        toast(
          failureToast(
            error,
            resend.after(error, () => void this.run(), false),
          ),
        );
      }
    },

    revealHint(): void {
      const shown = Math.min($state.get().hintsShown + 1, hintCount);
      show({ hintsShown: shown });
      if (userId === null) return;
      // Read at once; the count follows, and with it the next run if this call is lost.
      call(revealHintCall, {
        params: { id: lesson.id },
        input: { shown: hintsSeen($state.get()) },
        keepalive: true,
      }).catch(() => {});
    },

    openGroupHint: others.open,

    reset(): void {
      const { starterCode } = lesson;
      editor.current?.replace(starterCode);
      show({ code: starterCode, result: null, hintsShown: 0, restored: false });
      keep(starterCode);
    },

    restore(code: string, attempt: number): void {
      const before = current();
      editor.current?.replace(code);
      show({ code, panel: 'code' });
      toast({
        title: `Attempt ${attempt} restored`,
        action: { label: 'Undo', onClick: () => editor.current?.replace(before) },
      });
    },

    jump(line: number, column: number): void {
      show({ panel: 'code' });
      // The panel must be there before it can take the focus.
      requestAnimationFrame(() => editor.current?.goTo(line, column));
    },
  };
}

export function useCodingLesson(opening: Opening): [CodingLessonStore, LessonState] {
  const [lesson] = useState(() => createCodingLesson(opening));
  const state = useStore(lesson.$state);
  useEffect(() => lesson.begin(), [lesson]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the program changed
  useEffect(() => {
    const timer = setTimeout(() => void lesson.rest(), REST_MS);
    return () => clearTimeout(timer);
  }, [lesson, state.code]);

  // A page that is left within the rest keeps its last keystrokes too.
  useEffect(() => {
    addEventListener('pagehide', lesson.keep);
    return () => removeEventListener('pagehide', lesson.keep);
  }, [lesson]);
  return [lesson, state];
}

function tell(answer: RunResult): void {
  const { verdict, error, tests } = answer;
  const { title, text } = verdictText(verdict, error);
  const passed = tests.filter((test) => test.passed).length;
  const isRefused = title !== verdictText(verdict).title;
  if (answer.isCorrect) return;
  if (answer.said) {
    toast({ title, description: answer.said.replaceAll('`', ''), variant: 'destructive' });
  } else if (wasCompared(verdict) || passed > 0 || isRefused) {
    toast({
      title,
      description: tests.length > 1 && !isRefused ? `${passed} of ${tests.length} tests passed.` : text,
      variant: 'destructive',
    });
  } else toast({ ...EXECUTION_ERROR, variant: 'destructive' });
}

/** The server's own sentence, else that of spec 8. */
function failureToast(error: unknown, waits: boolean): Parameters<typeof toast>[0] {
  const variant = 'destructive';
  if (error instanceof ConnectionLost) {
    const text = `Your program is kept. ${waits ? SENT_WHEN_BACK : 'Please run it again.'}`;
    return { title: 'Not run', description: messageOf(error, text), variant };
  }
  if (!(error instanceof ApiError) || error.code === 'internal' || !error.serverMessage) {
    return { ...EXECUTION_ERROR, variant };
  }
  if (error.serverMessage === EMPTY_CODE.title) return { ...EMPTY_CODE, variant };
  // Nothing was run: signed out, access that ended, too many runs at once.
  return {
    title: 'Not run',
    description: lessonMessage(error, 'Your program is kept. Please try again.'),
    variant,
    ...signInAction(error),
  };
}

export function failingPlace(result: RunResult | null): Finding | null {
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

function withoutPlaces(result: RunResult): RunResult {
  return { ...result, error: withoutPlace(result.error), hint: withoutPlace(result.hint) };
}

function withoutPlace(error: RunResult['error']): RunResult['error'] {
  return error && error.line !== null ? { ...error, line: null, column: null } : error;
}

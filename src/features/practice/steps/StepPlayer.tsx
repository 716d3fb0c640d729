import { ArrowRight, Play, RotateCcw } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { ProgressBar } from '#src/components/ProgressBar.tsx';
import { toast } from '#src/components/toast.store.ts';
import { stepsPath } from '#src/features/catalogue/catalogue.ts';
import { languageLabel } from '#src/features/lessons/types/coding/languages.ts';
import { messageOf } from '#src/shared/api.ts';
import { CodeEditor } from '../CodeEditor.tsx';
import type { EditorHandle } from '../editor-host.ts';
import { failingPlace, ranProgram, useCodingLesson } from '../lesson/coding-lesson.ts';
import type { OpenedLesson } from '../lesson/opened-lesson.ts';
import { WhatIsAsked } from '../lesson/TaskPane.tsx';
import { verdictText } from '../practice.ts';
import { ShowMe } from '../replay/ShowMe.tsx';
import { RunReport } from '../RunReport.tsx';
import type { RunResult } from '../schema.ts';
import { KeepSteps, TakenNotice } from './KeepSteps.tsx';
import { keepStep } from './kept-steps.ts';
import { StepList } from './StepList.tsx';
import type { SteppedCourse } from './steps.ts';
import { enrollFree } from './take-along.ts';
import { firstOpen, useSteps } from './use-steps.ts';

interface Props extends Pick<OpenedLesson, 'lesson' | 'hints' | 'lastCode' | 'userId' | 'enrolled'> {
  course: SteppedCourse;
  at: number;
  isAsked: boolean;
  children?: ReactNode;
}

const STATUS_ID = 'step-status';
const COLUMNS = 'grid lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-12';

function spokenText({ verdict, said, error }: RunResult): string {
  const { title, text } = verdictText(verdict, error);
  return `${title} ${said?.replaceAll('`', '') ?? text}`;
}

export function StepPlayer({
  course,
  at,
  isAsked,
  lesson,
  hints,
  lastCode,
  userId,
  enrolled,
  children,
}: Props) {
  const editor = useRef<EditorHandle>(null);
  const nextLink = useRef<HTMLAnchorElement>(null);
  const report = useRef<HTMLDivElement>(null);
  const [openedAt] = useState(() => Date.now());
  const { done, isRead, taken, markDone } = useSteps(course, userId);
  const [store, state] = useCodingLesson({
    lesson,
    lastCode,
    userId,
    hintCount: hints.length,
    groupHints: [],
    editor,
    secondsSpent: () => Math.floor((Date.now() - openedAt) / 1000),
    onResult: ({ isCorrect }, code) => {
      if (!isCorrect) return;
      if (userId === null) keepStep(course.id, lesson.id, { code, language: lesson.codingLanguage });
      markDone(lesson.id);
    },
  });
  const { findings, result, running, hintsShown } = state;
  const ran = ranProgram(lesson, state);
  const [isTaken, setTaken] = useState(enrolled);
  const isOwn = isTaken || taken?.enrolled === true;
  const [isEnrolling, setEnrolling] = useState(false);
  const failing = failingPlace(result);
  const wrong = findings[0] ?? failing;
  const { steps } = course;
  const isPassed = !running && result?.isCorrect === true;
  const nextPath = `${stepsPath(course.id, at + 1 < steps.length ? at + 2 : 'end')}#step`;

  useEffect(() => editor.current?.mark(findings, failing), [findings, failing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each run; typing changes its result in places
  useEffect(() => {
    if (running || !result) return;
    if (result.isCorrect) nextLink.current?.focus();
    else report.current?.scrollIntoView({ block: 'nearest' });
  }, [running]);
  // Where a visitor left off only this browser knows. Back from the next step the page shows this one again.
  const open = firstOpen(course, done);
  const leadsOn = userId === null && done.size > 0 && open !== at + 1 && result === null;
  useEffect(() => {
    if (isAsked || !isRead) return;
    if (leadsOn) location.replace(stepsPath(course.id, open ?? 'end'));
    else history.replaceState(history.state, '', stepsPath(course.id, at + 1));
  }, [isAsked, isRead, leadsOn, course.id, open, at]);

  const check = async () => {
    if (isEnrolling) return;
    if (userId !== null && !isOwn) {
      setEnrolling(true);
      try {
        await enrollFree(course.id);
        setTaken(true);
      } catch (error) {
        toast({
          title: 'Not checked',
          description: messageOf(error, 'Please try again.'),
          variant: 'destructive',
        });
        return;
      } finally {
        setEnrolling(false);
      }
    }
    await store.run();
  };
  const reset = () => {
    const before = editor.current?.value() ?? state.code;
    store.reset();
    toast({
      title: 'Back to the beginning of this step',
      action: { label: 'Undo', onClick: () => editor.current?.replace(before) },
    });
  };

  return (
    <>
      {userId !== null && <TakenNotice course={course} at={at} done={done} taken={taken} />}
      <div className={`gap-1 ${COLUMNS}`}>
        <p>
          <span className="font-semibold lg:block">
            Step {at + 1} of {steps.length}
          </span>{' '}
          <span className="text-sm text-ink-soft">{steps[at]!.section || course.title}</span>
        </p>
        <ProgressBar
          value={(done.size / steps.length) * 100}
          label={`${done.size} of ${steps.length} done`}
        />
      </div>
      <div className={`mt-4 gap-x-8 gap-y-4 lg:mt-6 lg:grid-rows-[auto_1fr] ${COLUMNS}`}>
        <section aria-labelledby="step" className="min-w-0">
          <h1 id="step" className="scroll-mt-24 text-title">
            {lesson.title}
          </h1>
          <div className="mt-4">{children}</div>
        </section>
        <section aria-label="Your program" className="min-w-0 lg:row-span-2">
          <div className="overflow-hidden card">
            <div className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-2">
              <h2 className="mr-auto text-sm font-semibold">{languageLabel(lesson.codingLanguage)}</h2>
              <Button size="sm" variant="ghost" onClick={reset}>
                <RotateCcw aria-hidden="true" />
                Reset
              </Button>
            </div>
            <div className="flex h-44 flex-col lg:h-64">
              <CodeEditor
                ref={editor}
                language={lesson.codingLanguage}
                initialCode={store.startCode}
                describedBy={STATUS_ID}
                invalid={findings.length > 0}
                isLight
                onChange={store.change}
                onRun={() => void check()}
              />
            </div>
            <p id={STATUS_ID} aria-live="polite" className="min-h-9 border-t border-line px-4 py-1.5 text-xs">
              {wrong ? (
                <button
                  type="button"
                  className="min-h-6 text-left font-medium text-danger underline decoration-1 underline-offset-2"
                  onClick={() => store.jump(wrong.line, wrong.column)}
                >
                  Line {wrong.line}: {wrong.message}
                </button>
              ) : (
                <span className="text-ink-soft max-md:hidden">Ctrl or ⌘ + Enter checks</span>
              )}
            </p>
          </div>
          <div className="mt-1 flex gap-3 bg-canvas py-3 max-lg:sticky max-lg:bottom-0">
            {(isPassed || done.has(lesson.id)) && (
              <Button
                ref={nextLink}
                href={nextPath}
                size="lg"
                variant={isPassed ? 'primary' : 'secondary'}
                className="max-sm:grow"
              >
                {at + 1 < steps.length ? 'Next step' : 'Finish'}
                <ArrowRight aria-hidden="true" />
              </Button>
            )}
            <Button
              size="lg"
              className="max-sm:grow"
              variant={isPassed ? 'secondary' : 'primary'}
              loading={running || isEnrolling}
              onClick={() => void check()}
              title="Ctrl + Enter"
            >
              <Play aria-hidden="true" />
              Check
            </Button>
          </div>
          {userId !== null && !isOwn && (
            <p className="mt-3 text-sm text-ink-soft">
              Your first check enrolls you in this free course, so that your steps count.
            </p>
          )}
          {/* There before it has anything to say. */}
          <p role="status" className="sr-only">
            {running ? 'Running your code…' : result ? spokenText(result) : ''}
          </p>
          {result && !running && (
            <div ref={report} className="mt-4 rounded-lg border border-line">
              <RunReport
                result={result}
                next={null}
                course={null}
                enrolled={null}
                onJump={store.jump}
                onFailed={ran && ((test, name) => <ShowMe program={ran} test={test} name={name} />)}
              />
            </div>
          )}
        </section>
        <section aria-label="What is asked" className="min-w-0">
          <WhatIsAsked lesson={lesson} hints={hints} hintsShown={hintsShown} onReveal={store.revealHint} />
        </section>
      </div>
      <div className="mt-10 flex flex-col gap-5">
        {userId === null && <KeepSteps courseId={course.id} step={at + 1} />}
        <StepList course={course} at={at} done={done} />
      </div>
    </>
  );
}

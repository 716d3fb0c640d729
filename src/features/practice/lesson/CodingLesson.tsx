import { Play } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import type { About } from '#src/features/learn/questions/QuestionForm.tsx';
import { QuestionsPanel } from '#src/features/learn/questions/QuestionsPanel.tsx';
import { useActivity } from '#src/features/learn/progress/use-activity.ts';
import type { EditorHandle } from '../editor-host.ts';
import { ProgramsSeen } from '../compare/ProgramsSeen.tsx';
import { CodePane } from './CodePane.tsx';
import { type Panel, useCodingLesson } from './coding-lesson.ts';
import type { OpenedLesson } from './opened-lesson.ts';
import { ResultPane } from './ResultPane.tsx';
import { TaskPane } from './TaskPane.tsx';
import { TopBar } from './TopBar.tsx';
import { useSessionClock } from './use-session-clock.ts';
import { useVisibleArea } from './use-visible-area.ts';

/** The page of a coding lesson (spec 2). */
export function CodingLesson({ children, ...opened }: OpenedLesson & { children?: ReactNode }) {
  const { lesson, hints, lastCode, userId, enrolled, groupHints } = opened;
  const editor = useRef<EditorHandle>(null);
  const codeHeading = useRef<HTMLHeadingElement>(null);
  const clock = useSessionClock();
  const [store, state] = useCodingLesson({
    lesson,
    lastCode,
    userId,
    hintCount: hints.length,
    groupHints,
    editor,
    secondsSpent: clock.seconds,
  });
  const { panel, running, attempts, completed, hintsShown } = state;
  const [about, setAbout] = useState<About | null>(null);
  const ask = (next: About) => {
    setAbout(next);
    store.show({ panel: 'task' });
  };
  const { result } = state;
  const [writing, setWriting] = useState(false);
  if (writing && panel !== 'code') setWriting(false);
  const area = useVisibleArea(writing);
  const hidden = (name: Panel) => (panel === name ? '' : 'max-lg:hidden');

  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-[calc(100dvh-var(--spacing-header))] lg:flex-none lg:min-h-[38rem]">
      {enrolled && <StudyTime lessonId={lesson.id} />}

      <nav
        aria-label="Parts of the lesson"
        className="sticky top-header z-10 grid grid-cols-3 border-b border-line bg-surface lg:hidden"
      >
        {(['task', 'code', 'result'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={panel === name}
            onClick={() => store.show({ panel: name })}
            className="min-h-12 border-b-2 border-transparent font-semibold text-ink-soft -outline-offset-2 aria-pressed:border-accent aria-pressed:text-ink"
          >
            {{ task: 'Task', code: 'Code', result: 'Result' }[name]}
          </button>
        ))}
      </nav>

      {/* On a small screen the parts stand first, and of what is above the code little stays: it gets the room. */}
      <TopBar {...opened} attempts={attempts} completed={completed} seconds={clock.shown} panel={panel} />

      {/* Its panes are positioned: text for screen readers that lies deep in one would make the whole page longer. */}
      <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:grid-rows-[minmax(0,1fr)]">
        {/* Side by side it scrolls for itself. */}
        <TaskPane
          lesson={lesson}
          hints={hints}
          hintsShown={hintsShown}
          onReveal={store.revealHint}
          onStart={() => {
            store.show({ panel: 'code' });
            // The button goes with its part; the editor itself would call up the keyboard.
            requestAnimationFrame(() => codeHeading.current?.focus());
          }}
          className={hidden('task')}
          seen={opened.programsSeen && <ProgramsSeen hidden={opened.programsSeen.hidden} />}
          questions={
            <QuestionsPanel
              lessonId={lesson.id}
              userId={userId}
              about={about}
              className="mt-7 empty:hidden"
            />
          }
        >
          {children}
        </TaskPane>
        {/* While somebody writes on a small screen it covers the page, as far as the keyboard leaves it in view. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: hears where the focus goes from what is in it */}
        <div
          style={area}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) setWriting(false);
          }}
          className={`flex min-h-0 min-w-0 flex-1 flex-col ${panel === 'task' ? 'max-lg:hidden' : ''} ${writing ? WRITING : ''}`}
        >
          <CodePane
            lessonId={lesson.id}
            lesson={store}
            state={state}
            editor={editor}
            heading={codeHeading}
            hasHistory={userId !== null}
            onAsk={enrolled ? (line, text) => ask({ line, quote: text }) : null}
            onWriting={() => setWriting(true)}
            className={`${hidden('code')} ${writing ? '' : 'max-lg:min-h-72'}`}
          />
          <ResultPane
            {...opened}
            store={store}
            state={state}
            onAsk={
              enrolled && result
                ? () => ask({ attempt: { submissionId: result.submissionId, number: result.attempts } })
                : undefined
            }
            className={hidden('result')}
          />
          <div className="sticky bottom-0 z-10 border-t border-line bg-surface px-gutter py-3 lg:hidden [@container_writing_(height<18rem)]:hidden">
            {/* Once it has passed, the next lesson is what comes first. */}
            <Button
              block
              variant={panel === 'result' && result?.isCorrect ? 'secondary' : 'primary'}
              loading={running}
              onClick={() => void store.run()}
            >
              <Play aria-hidden="true" />
              Run
            </Button>
          </div>
        </div>
      </div>
    </div>
  );
}

const WRITING =
  'max-lg:fixed max-lg:inset-x-0 max-lg:top-(--visible-top) max-lg:z-45 max-lg:h-(--visible-height) max-lg:flex-none max-lg:bg-surface max-lg:[container:writing/size]';

function StudyTime({ lessonId }: { lessonId: number }) {
  useActivity(lessonId, NO_VIDEO, ignoreCounted);
  return null;
}

const NO_VIDEO = { current: null };
const ignoreCounted = () => {};

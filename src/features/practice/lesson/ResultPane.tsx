import { LivePreview } from '../LivePreview.tsx';
import { codingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { previewElement } from '../practice.ts';
import { ShowMe } from '../replay/ShowMe.tsx';
import { RunReport } from '../RunReport.tsx';
import { CompareButton } from '../compare/CompareButton.tsx';
import { GroupHints } from './GroupHints.tsx';
import { type CodingLessonStore, type LessonState, ranProgram } from './coding-lesson.ts';
import { counted } from '#src/shared/counted.ts';
import type { RunResult } from '../schema.ts';
import type { OpenedLesson } from './opened-lesson.ts';

interface Props
  extends Pick<
    OpenedLesson,
    'lesson' | 'course' | 'lessonCount' | 'progress' | 'next' | 'enrolled' | 'userId'
  > {
  store: CodingLessonStore;
  state: LessonState;
  onAsk: (() => void) | undefined;
  className: string;
}

function passedText({ pointsAwarded }: RunResult): string {
  return `Correct! All tests passed.${pointsAwarded > 0 ? ` +${counted(pointsAwarded, 'point')}.` : ''}`;
}

export function ResultPane({
  lesson,
  course,
  lessonCount,
  progress,
  next,
  enrolled,
  userId,
  store,
  state,
  onAsk,
  className,
}: Props) {
  const { language } = store;
  const { code, result, running, tab } = state;
  const ran = ranProgram(lesson, state);
  return (
    <section
      aria-label="Result"
      aria-busy={running}
      className={`flex min-h-0 flex-col border-line bg-canvas lg:flex-[9] lg:border-t ${className} max-lg:flex-1`}
    >
      <h2 className="sr-only">Result</h2>
      {/* There before it has anything to say; what did not pass is said by its notification. */}
      <p role="status" className="sr-only">
        {running ? 'Running your code…' : result?.isCorrect ? passedText(result) : ''}
      </p>
      <div
        className={`flex items-center gap-1 border-b border-line bg-sunken px-2 ${codingLanguage(language).hasPreview ? '' : 'max-lg:hidden'}`}
      >
        {codingLanguage(language).hasPreview ? (
          (['preview', 'result'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={tab === name}
              onClick={() => store.show({ tab: name })}
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
        {codingLanguage(language).hasPreview && (
          <div className={tab === 'preview' ? 'h-full max-lg:h-[max(20rem,calc(100dvh-25rem))]' : 'hidden'}>
            <LivePreview
              language={language}
              code={code}
              fixture={lesson.content}
              element={language === 'react' ? previewElement(lesson.testCases) : null}
              title={lesson.title}
            />
          </div>
        )}
        {tab === 'result' && !running && <GroupHints hints={state.groupHints} onOpen={store.openGroupHint} />}
        {tab === 'result' &&
          (running ? (
            <p aria-hidden="true" className="px-5 py-6 text-ink-soft">
              Running your code…
            </p>
          ) : result ? (
            <RunReport
              result={result}
              next={next}
              course={course}
              enrolled={enrolled ? { lessonCount, before: progress } : null}
              onJump={store.jump}
              onAsk={onAsk}
              onFailed={ran && ((test, name) => <ShowMe program={ran} test={test} name={name} />)}
            />
          ) : (
            <p className="px-5 py-6 text-ink-soft">
              Run your code to see what it prints and which tests pass.
            </p>
          ))}
        {tab === 'result' && userId !== null && (state.completed || result?.isCorrect) && (
          <CompareButton lessonId={lesson.id} />
        )}
      </div>
    </section>
  );
}

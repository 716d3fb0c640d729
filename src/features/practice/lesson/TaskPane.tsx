import { Lightbulb } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { laterPart } from '#src/components/later-part.tsx';
import { codingLanguage } from '#src/features/lessons/types/coding/languages.ts';
import { HiddenMark } from './HiddenMark.tsx';
import { ScrollBox } from '../ScrollBox.tsx';
import { RowTable } from '../tables/RowTable.tsx';
import type { OpenedLesson } from './opened-lesson.ts';

interface Props extends Pick<OpenedLesson, 'lesson' | 'hints'> {
  hintsShown: number;
  onReveal: () => void;
  onStart: () => void;
  className: string;
  questions: ReactNode;
  seen: ReactNode;
  children: ReactNode;
}

export function TaskPane({
  lesson,
  hints,
  hintsShown,
  onReveal,
  onStart,
  className,
  questions,
  seen,
  children,
}: Props) {
  return (
    <section
      aria-label="Task"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className={`relative min-w-0 overflow-y-auto border-line px-gutter py-6 -outline-offset-2 lg:border-r lg:px-8 ${className}`}
    >
      {children}
      <WhatIsAsked lesson={lesson} hints={hints} hintsShown={hintsShown} onReveal={onReveal} />
      <Button className="mt-8 lg:hidden" block onClick={onStart}>
        Write the code
      </Button>
      {seen}
      {questions}
    </section>
  );
}

export function WhatIsAsked({
  lesson,
  hints,
  hintsShown,
  onReveal,
}: Pick<Props, 'lesson' | 'hints' | 'hintsShown' | 'onReveal'>) {
  return (
    <>
      <Fixture lesson={lesson} />
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
      {lesson.testCases.length > 0 && (
        <TestList tests={lesson.testCases} hasRows={lesson.codingLanguage === 'sql'} />
      )}
      {hints.length > 0 && <Hints hints={hints} shown={hintsShown} onReveal={onReveal} />}
    </>
  );
}

const LessonTables = laterPart(async () => (await import('../tables/LessonTables.tsx')).LessonTables);

function Fixture({ lesson }: Pick<Props, 'lesson'>) {
  const [isOpen, setOpen] = useState(false);
  const shown = codingLanguage(lesson.codingLanguage).fixture?.shown;
  if (!shown || !lesson.content) return null;
  return (
    <details
      className="mt-6 rounded-md border border-line bg-surface"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-11 px-4 py-2.5 font-semibold -outline-offset-2">{shown}</summary>
      {lesson.codingLanguage !== 'sql' ? (
        <ScrollBox label={shown} className="overflow-x-auto border-t border-line px-4 py-3">
          {lesson.content}
        </ScrollBox>
      ) : (
        isOpen && <LessonTables lessonId={lesson.id} text={lesson.content} />
      )}
    </details>
  );
}

type Test = OpenedLesson['lesson']['testCases'][number];

/** Rows as SQL tests write them: columns first, cells apart by a bar. */
function ExpectedRows({ test: { expectedOutput = '' } }: { test: Test }) {
  const [columns = [], ...rows] = expectedOutput
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' | '));
  return (
    <div className="mt-2">
      <RowTable
        caption="Expected rows"
        columns={columns.map((column) => {
          const [name = '', type = ''] = column.split(':');
          return { name, type };
        })}
        rows={rows.map((cells) => ({ cells: cells.map((cell) => (cell === 'NULL' ? null : cell)) }))}
      />
    </div>
  );
}

const givesRows = ({ input = '', expectedOutput = '' }: Test) =>
  /\n/.test(expectedOutput) && !/^\s*(plan|refused:)/im.test(input);

function TestList({ tests, hasRows }: { tests: Test[]; hasRows: boolean }) {
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
              {test.hidden && <HiddenMark />}
            </p>
            {!test.hidden &&
              (hasRows && givesRows(test) ? (
                <>
                  <p className="mt-1 font-mono text-sm break-words whitespace-pre-wrap text-ink-soft">
                    {test.input}
                  </p>
                  <ExpectedRows test={test} />
                </>
              ) : `${test.input}${test.expectedOutput}`.includes('\n') ? (
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
  const all = useRef<HTMLParagraphElement>(null);
  const isAll = shown >= hints.length;
  const pressed = useRef(false);
  // The button that had the focus is gone.
  useEffect(() => {
    if (isAll && pressed.current) all.current?.focus();
  }, [isAll]);
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
              className="reading prose [--reading-size:0.9375rem]"
              // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server
              dangerouslySetInnerHTML={{ __html: hint }}
            />
          </li>
        ))}
      </ol>
      {!isAll ? (
        <Button
          size="sm"
          variant="secondary"
          className="mt-3"
          onClick={() => {
            pressed.current = true;
            onReveal();
          }}
        >
          <Lightbulb aria-hidden="true" />
          Show hint {shown + 1} of {hints.length}
        </Button>
      ) : (
        <p ref={all} tabIndex={-1} className="mt-3 text-sm text-ink-soft outline-none">
          You have seen {hints.length === 1 ? 'the only hint' : `all ${hints.length} hints`}.
        </p>
      )}
    </section>
  );
}

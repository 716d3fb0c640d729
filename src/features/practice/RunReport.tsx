import { CircleAlert, CircleCheck, CircleX, MessageCircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#src/components/Button.tsx';
import { InlineCode } from '#src/components/InlineCode.tsx';
import { CourseStanding } from '#src/features/learn/progress/CourseStanding.tsx';
import type { NeighborLesson } from '#src/features/learn/progress/lesson-place.ts';
import { type Difference, difference, verdictText, wasCompared } from './practice.ts';
import { HiddenMark } from './lesson/HiddenMark.tsx';
import { ScrollBox } from './ScrollBox.tsx';
import { RowTable } from './tables/RowTable.tsx';
import type { JudgedRun, RunError, RunResult, TestResult } from './schema.ts';
import { counted } from '#src/shared/counted.ts';

interface Props {
  result: JudgedRun & Pick<RunResult, 'pointsAwarded' | 'progress'>;
  next: NeighborLesson | null;
  /** Null for an author who tries a lesson. */
  course: { id: number; title: string } | null;
  enrolled: { lessonCount: number; before: number } | null;
  onJump: (line: number, column: number) => void;
  onAsk?: (() => void) | undefined;
  onFailed?: ((test: number, name: string) => ReactNode) | undefined;
}

export function RunReport({ result, next, course, enrolled, onJump, onAsk, onFailed }: Props) {
  const { title, text } = verdictText(result.verdict, result.error);
  const passed = result.tests.filter((test) => test.passed).length;
  const tone = result.isCorrect
    ? 'border-success-line bg-success-soft text-success'
    : wasCompared(result.verdict)
      ? 'border-warning-line bg-warning-soft text-warning'
      : 'border-danger-line bg-danger-soft text-danger';
  const firstFailed = firstFailedText(result);
  const isExplained = Boolean(result.said ?? result.hint ?? result.error?.explanation);
  const Icon = result.isCorrect ? CircleCheck : wasCompared(result.verdict) ? CircleX : CircleAlert;
  return (
    <div className="flex flex-col gap-5 px-4 py-4 sm:px-5">
      <section
        aria-labelledby="run-verdict"
        className={`rounded-md border p-4 ${tone} ${result.isCorrect ? 'animate-rise-in' : ''}`}
      >
        <div className="flex gap-3">
          {result.isCorrect ? (
            <span className="grid size-11 shrink-0 place-items-center rounded-full bg-success text-on-accent">
              <Icon aria-hidden="true" className="size-6" />
            </span>
          ) : (
            <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          )}
          <div className="min-w-0 flex-1">
            <h3 id="run-verdict" className="font-semibold">
              {title}
            </h3>
            {result.said && (
              <p className="my-2 text-lg break-words whitespace-pre-line text-ink">
                <InlineCode text={result.said} />
              </p>
            )}
            <p className="text-sm text-ink">
              {!result.isCorrect && passed === result.tests.length
                ? 'What it gives is right. The way to it is another than is asked for.'
                : wasCompared(result.verdict) && result.tests.length > 1
                  ? `${passed} of ${result.tests.length} tests passed.`
                  : text}
              {result.pointsAwarded > 0 && ` You earned ${counted(result.pointsAwarded, 'point')}.`}
            </p>
            {result.isCorrect && course && enrolled && (
              <CourseStanding
                course={course}
                {...enrolled}
                after={result}
                className="mt-1 text-sm text-ink"
              />
            )}
            {firstFailed && (
              <p className={`break-words text-ink ${isExplained ? 'text-sm' : 'my-2 text-lg'}`}>
                {firstFailed}
              </p>
            )}
            {result.error && (
              <ErrorText
                error={result.error}
                isExplained={Boolean(result.said) && result.verdict !== 'syntax_error'}
                onJump={onJump}
              />
            )}
            {!result.isCorrect && onAsk && (
              <Button size="sm" variant="secondary" className="mt-3" onClick={onAsk}>
                <MessageCircleQuestionMark aria-hidden="true" />
                Ask about this attempt
              </Button>
            )}
            {result.isCorrect && course && (
              <div className="mt-3 flex flex-wrap gap-2">
                {next && (
                  <Button href={next.href} size="sm">
                    {next.isBefore ? 'Next to do' : 'Next lesson'}: {next.title}
                  </Button>
                )}
                <Button
                  href={enrolled ? `/learn/${course.id}?view=course` : `/courses/${course.id}`}
                  size="sm"
                  variant={next ? 'secondary' : 'primary'}
                >
                  {enrolled ? 'Back to the course' : 'See the whole course'}
                </Button>
              </div>
            )}
          </div>
        </div>
      </section>

      {result.hint && !result.said && <HintText hint={result.hint} onJump={onJump} />}

      {(result.output !== '' || result.tests.length === 0) && (
        <section aria-labelledby="run-output">
          <h3 id="run-output" className="text-sm font-semibold">
            Output
          </h3>
          <ScrollBox
            label="Output"
            className="mt-1.5 max-h-56 overflow-auto rounded-md border border-line bg-surface px-3 py-2"
          >
            {result.output || 'The program printed nothing.'}
          </ScrollBox>
          {result.outputTruncated && (
            <p className="mt-1 text-sm text-ink-soft">The output was cut off after 64 KB (truncated).</p>
          )}
        </section>
      )}

      <section aria-labelledby="run-tests">
        <h3 id="run-tests" className="text-sm font-semibold">
          Test results
        </h3>
        <ul className="mt-1.5 divide-y divide-line rounded-md border border-line bg-surface">
          {result.tests.map((test, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: tests have no names of their own and never move
            <TestRow key={index} test={test} number={index + 1} onJump={onJump} onFailed={onFailed} />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Characters of a value that stands in a sentence. */
const VALUE_MAX = 60;
const isShort = (value: string | null | undefined): value is string =>
  value !== undefined && value !== null && value !== '' && value.length <= VALUE_MAX && !value.includes('\n');

function firstFailedText({ verdict, tests }: JudgedRun): string | null {
  if (!wasCompared(verdict) || tests.length < 2) return null;
  const at = tests.findIndex(({ passed, hidden }) => !passed && !hidden);
  if (at < 0) {
    const failed = tests.filter(({ passed }) => !passed);
    const [first] = failed;
    if (!first) return null;
    const gave = first.gave ? ` What came there is ${first.gave}.` : '';
    return failed.length === 1
      ? `Only a hidden test failed, about: “${first.description}”.${gave}`
      : `Only hidden tests failed, ${failed.length} of them. The first is about: “${first.description}”.${gave}`;
  }
  const { description, input, got, expectedOutput } = tests[at]!;
  const name = `Test ${at + 1}${description ? `, “${description}”` : ''}`;
  return isShort(input) && isShort(got) && isShort(expectedOutput)
    ? `${name}: ${input} gives ${got}, and ${expectedOutput} is asked for.`
    : `The first that did not: ${name.charAt(0).toLowerCase()}${name.slice(1)}.`;
}

function HintText({ hint, onJump }: { hint: RunError; onJump: Props['onJump'] }) {
  const { message, line, column, explanation } = hint;
  return (
    <section
      aria-labelledby="run-hint"
      aria-live="polite"
      className="rounded-md border border-line bg-surface p-4 text-sm"
    >
      <h3 id="run-hint" className="font-semibold">
        This may be why
      </h3>
      <p className="mt-1 break-words">{message}</p>
      {explanation && <p className="mt-1">{explanation}</p>}
      {line !== null && <JumpToLine line={line} column={column} onJump={onJump} />}
    </section>
  );
}

interface Jump {
  line: number;
  column: number | null;
  onJump: Props['onJump'];
}

function JumpToLine({ line, column, onJump }: Jump) {
  return (
    <p className="mt-1">
      <button
        type="button"
        className="text-link min-h-6 font-semibold"
        onClick={() => onJump(line, column ?? 1)}
      >
        Go to line {line}
        {column !== null && `, column ${column}`}
      </button>
    </p>
  );
}

function ErrorText({
  error,
  isExplained,
  onJump,
}: {
  error: RunError;
  isExplained: boolean;
  onJump: Props['onJump'];
}) {
  const { name, message, line, column, explanation } = error;
  const own = (
    <p className="font-mono text-sm break-words">
      {name}: {message}
    </p>
  );
  return (
    <div className="mt-2 text-ink">
      {isExplained ? null : explanation ? <p className="break-words">{explanation}</p> : own}
      {line !== null && (
        <div className="text-sm">
          <JumpToLine line={line} column={column} onJump={onJump} />
        </div>
      )}
      {(isExplained || explanation) && (
        <details className="mt-1">
          <summary className="w-fit cursor-pointer py-1 text-sm text-ink-soft hover:text-ink">
            In the words of the language
          </summary>
          {own}
        </details>
      )}
    </div>
  );
}

function TestRow({
  test,
  number,
  onJump,
  onFailed,
}: { test: TestResult; number: number } & Pick<Props, 'onJump' | 'onFailed'>) {
  const name = test.description || test.input || `Test ${number}`;
  return (
    <li className="px-3 py-2.5 sm:px-4">
      <p className="flex items-start gap-2.5">
        {test.passed ? (
          <CircleCheck aria-hidden="true" className="mt-1 size-4 shrink-0 text-success" />
        ) : (
          <CircleX aria-hidden="true" className="mt-1 size-4 shrink-0 text-danger" />
        )}
        <span className="min-w-0 flex-1">
          <span className="sr-only">{test.passed ? 'Passed: ' : 'Failed: '}</span>
          <span className="font-medium break-words">{name}</span>
        </span>
        {test.hidden && <HiddenMark />}
      </p>
      {!test.hidden && <TestDetails test={test} onJump={onJump} />}
      {!test.hidden && !test.passed && test.verdict !== 'syntax_error' && onFailed?.(number - 1, name)}
      {test.hidden && !test.passed && !wasCompared(test.verdict) && (
        <p className="mt-1 pl-6.5 text-sm text-ink-soft">{verdictText(test.verdict).title}.</p>
      )}
    </li>
  );
}

function TestDetails({ test, onJump }: { test: TestResult; onJump: Props['onJump'] }) {
  const { input, expectedOutput = '', got = null, passed, error, tables } = test;
  if (tables) {
    return (
      <div className="mt-1.5 grid grid-cols-1 gap-3 pl-6.5 text-sm">
        <p className="font-mono break-words whitespace-pre-wrap">{input}</p>
        <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
          <RowTable caption="Asked for" {...tables.wanted} />
          <RowTable caption="Yours" {...tables.got} />
        </div>
      </div>
    );
  }
  const compared = !passed && got !== null ? difference(expectedOutput, got) : null;
  return (
    <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 pl-6.5 text-sm">
      {input !== undefined && (
        <Value label="Input">
          <code>{input}</code>
        </Value>
      )}
      <Value label="Expected">
        <code>{compared ? <Marked parts={compared.expected} tone="expected" /> : expectedOutput}</code>
      </Value>
      {!passed && (
        <Value label="Got">
          {error ? (
            <span className="text-danger">
              {error.name}: {error.message}
              {error.line !== null && (
                <>
                  {' '}
                  <button
                    type="button"
                    className="text-link min-h-6"
                    onClick={() => onJump(error.line!, error.column ?? 1)}
                  >
                    line {error.line}
                  </button>
                </>
              )}
            </span>
          ) : compared && got !== '' ? (
            <code>
              <Marked parts={compared.got} tone="got" />
            </code>
          ) : (
            <span className="text-ink-soft">
              {wasCompared(test.verdict) ? 'nothing' : verdictText(test.verdict).title}
            </span>
          )}
        </Value>
      )}
      {test.typeDifference && (
        <>
          <dt className="sr-only">Why</dt>
          <dd className="col-span-2 break-words">{test.typeDifference}</dd>
        </>
      )}
    </dl>
  );
}

function Value({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{label}</dt>
      <dd className="min-w-0 font-mono break-words whitespace-pre-wrap">{children}</dd>
    </>
  );
}

function Marked({ parts, tone }: { parts: Difference; tone: 'expected' | 'got' }) {
  const ground = tone === 'expected' ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger';
  return (
    <>
      {parts.before}
      {parts.differs && <mark className={`rounded-xs font-semibold ${ground}`}>{parts.differs}</mark>}
      {parts.after}
    </>
  );
}

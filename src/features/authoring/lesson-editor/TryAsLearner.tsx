import { hasFixture } from '#src/features/lessons/types/coding/languages.ts';
import { Play } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { Select } from '#src/components/Select.tsx';
import { toast } from '#src/components/toast.store.ts';
import { lacksOf } from '#src/features/lessons/types/coding/expected-mistakes.ts';
import type { EditorHandle } from '#src/features/practice/editor-host.ts';
import { EMPTY_CODE, verdictText } from '#src/features/practice/practice.ts';
import { RunReport } from '#src/features/practice/RunReport.tsx';
import type { JudgedRun } from '#src/features/practice/schema.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { tryLessonCall } from '#src/features/authoring/lesson-editor/schema.ts';
import { CodeBox } from './CodeBox.tsx';
import { isCompleteTest } from './exercise.ts';
import type { Exercise } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { isBlank } from '#src/shared/is-blank.ts';

type Which = 'starter' | 'solution' | 'other';

export interface TryHandle {
  run: (which: Which) => void;
}

const CHOICES: { value: Which; label: string }[] = [
  { value: 'solution', label: 'The reference solution' },
  { value: 'starter', label: 'The starter code' },
  { value: 'other', label: 'Other code' },
];

function findingOf(which: Which, { isCorrect }: JudgedRun): string | null {
  if (which === 'starter' && isCorrect) {
    return 'The starter code passes already, so learners have nothing to do. Take something out of it, or add a test that it fails.';
  }
  if (which === 'solution' && !isCorrect) {
    return 'The reference solution does not pass, so nobody can be sure that this lesson can be solved.';
  }
  return null;
}

/** Runs code against the lesson in the form, in the judge that learners use. */
export function TryAsLearner({
  ref,
  exercise,
  fixture,
  onJump,
}: {
  ref: Ref<TryHandle>;
  exercise: Exercise;
  fixture: string;
  onJump: (which: 'starter' | 'solution', line: number, column: number) => void;
}) {
  const [which, setWhich] = useState<Which>('solution');
  const [opensHidden, setOpensHidden] = useState(false);
  const [running, setRunning] = useState(false);
  const [run, setRun] = useState<{ which: Which; of: string; result: JudgedRun } | null>(null);
  const other = useRef('');
  const editor = useRef<EditorHandle>(null);
  const isRunning = useRef(false);
  const report = useRef<HTMLDivElement>(null);
  const complete = exercise.testCases.filter(isCompleteTest);
  const input = {
    codingLanguage: exercise.codingLanguage,
    testCases: opensHidden ? complete.map((test) => ({ ...test, hidden: false })) : complete,
    expectedOutput: exercise.expectedOutput,
    codeLimits: exercise.codeLimits,
    expectedMistakes: exercise.expectedMistakes.filter((one) => Object.keys(lacksOf(one)).length === 0),
    content: hasFixture(exercise.codingLanguage) ? fixture : '',
  };
  const codeOf = (chosen: Which) =>
    chosen === 'other' ? other.current : chosen === 'starter' ? exercise.starterCode : exercise.solution;

  const start = async (chosen: Which) => {
    if (isRunning.current) return;
    setWhich(chosen);
    if (chosen === 'other') other.current = editor.current?.value() ?? other.current;
    const code = codeOf(chosen);
    if (isBlank(code)) {
      toast({ ...EMPTY_CODE, variant: 'destructive' });
      return;
    }
    isRunning.current = true;
    setRunning(true);
    try {
      const result = await call(tryLessonCall, { input: { ...input, code } });
      setRun({ which: chosen, of: JSON.stringify([input, code]), result });
    } catch (error) {
      toast({
        title: 'Not run',
        description: messageOf(error, 'The code could not be run. Please try again in a moment.'),
        variant: 'destructive',
      });
    } finally {
      isRunning.current = false;
      setRunning(false);
    }
  };
  useImperativeHandle(ref, () => ({ run: (chosen) => void start(chosen) }));

  // The panel scrolls for itself, and the result must be in sight.
  useEffect(() => {
    if (run) report.current?.scrollIntoView({ block: 'nearest' });
  }, [run]);

  const isStale = run !== null && run.of !== JSON.stringify([input, codeOf(run.which)]);
  const finding = run && findingOf(run.which, run.result);
  return (
    <section
      aria-labelledby="try-heading"
      className="min-w-0 rounded-lg border border-line bg-sunken xl:sticky xl:top-[calc(var(--spacing-header)+1rem)] xl:max-h-[calc(100dvh-var(--spacing-header)-2rem)] xl:overflow-y-auto"
    >
      <div className="grid gap-4 px-4 py-5 sm:px-5">
        <div>
          <h3 id="try-heading" className="text-subheading">
            Try as learner
          </h3>
          <p className="mt-1 text-sm text-ink-soft">
            Runs in the judge that learners use, against the lesson as it stands here. Nothing is saved.
          </p>
        </div>
        <Field label="Code to run">
          <Select value={which} onValueChange={(value) => setWhich(value as Which)} options={CHOICES} />
        </Field>
        {which === 'other' && (
          <CodeBox
            ref={editor}
            id="other-code"
            label="Other code"
            hint="Anything a learner might write: the usual mistakes, or nothing but a comment."
            language={exercise.codingLanguage}
            initialCode={other.current || exercise.starterCode}
            onChange={(code) => {
              other.current = code;
            }}
            onRun={() => void start('other')}
          />
        )}
        <Checkbox
          label="Open hidden tests"
          hint="Shows what they were given and what came out, which learners never see."
          checked={opensHidden}
          onCheckedChange={(checked) => setOpensHidden(checked === true)}
        />
        <Button className="justify-self-start" loading={running} onClick={() => void start(which)}>
          <Play aria-hidden="true" /> Run the tests
        </Button>
        {complete.length < exercise.testCases.length && (
          <p className="text-sm text-ink-soft">Test cases without input or expected output are left out.</p>
        )}
      </div>
      <p aria-live="polite" className="sr-only">
        {run && `${verdictText(run.result.verdict).title}. ${finding ?? ''}`}
      </p>
      {run && (
        <div ref={report} className="scroll-mt-24 border-t border-line">
          {(finding || isStale) && (
            <div className="grid gap-3 px-4 pt-4 sm:px-5">
              {isStale && <Alert tone="neutral">Something changed since this run.</Alert>}
              {finding && <Alert tone="warning">{finding}</Alert>}
            </div>
          )}
          <RunReport
            result={{ ...run.result, pointsAwarded: 0, progress: null }}
            next={null}
            course={null}
            enrolled={null}
            onJump={(line, column) =>
              run.which === 'other' ? editor.current?.goTo(line, column) : onJump(run.which, line, column)
            }
          />
        </div>
      )}
    </section>
  );
}

import { Check, FileInput, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { InlineCode } from '#src/components/InlineCode.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toast } from '#src/components/toast.store.ts';
import { UploadButton, type Uploader } from '#src/features/authoring/lesson-editor/UploadButton.tsx';
import { KINDS } from '#src/features/lessons/types/quiz/kinds/kinds.ts';
import { kindOf, type Question } from '#src/features/lessons/types/quiz/question.ts';
import { counted } from '#src/shared/counted.ts';
import { answerLines } from './answer-lines.ts';
import { FILE_QUESTIONS_MAX, type Remark } from './question-file.ts';
import { QUESTION_FILE_MAX_BYTES, type QuestionFile, readQuestionFileCall } from './schema.ts';

/** Shows the questions of a file first, then takes all or none. */
export function ImportQuestions({
  present,
  onAdd,
  isSaved = false,
}: {
  present: number;
  onAdd: (questions: Question[]) => void;
  isSaved?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [read, setRead] = useState<QuestionFile | null>(null);
  const [problem, setProblem] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const uploader = useRef<Uploader>(null);
  const found = useRef<HTMLHeadingElement>(null);
  // The text box does not have a chosen file's lines.
  const isOfText = useRef(false);
  const [hasLines, setHasLines] = useState(false);

  useEffect(() => {
    if (read) found.current?.focus();
  }, [read]);

  const readText = () => {
    if (text.trim() === '') setProblem('Paste a text, or choose a file');
    else {
      isOfText.current = true;
      void uploader.current?.send(new File([text], 'questions.gift.txt', { type: 'text/plain' }));
    }
  };
  const goTo = (line: number) => {
    const lines = text.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  };
  const questions = read?.questions ?? [];
  const isTooMuch = present + questions.length > FILE_QUESTIONS_MAX;
  const take = () => {
    onAdd(questions);
    setOpen(false);
    setText('');
    setRead(null);
    if (isSaved) return;
    toast({
      title: `${counted(questions.length, 'question')} added`,
      description: 'They are kept once the lesson is saved.',
    });
  };
  return (
    <Dialog
      title="Import questions"
      description="From GIFT or XML of Moodle, or from QTI 2.1 or 3: one item, or a package of them as a zip file. Nothing is added before you have seen what was read."
      size="lg"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary">
          <FileInput aria-hidden="true" /> Import questions
        </Button>
      }
      footer={
        questions.length > 0 && (
          <Button disabled={isTooMuch} onClick={take}>
            Add {counted(questions.length, 'question')}
          </Button>
        )
      }
    >
      <div className="grid gap-5">
        <Field
          label="Text in GIFT or XML"
          error={problem}
          hint="In GIFT, a blank line between two questions."
        >
          <Textarea
            ref={area}
            rows={10}
            spellCheck={false}
            wrap="off"
            autoCapitalize="off"
            className="font-mono text-sm"
            placeholder={'What is 2 + 2? {\n=4#Right.\n~5#One too many.\n}'}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setRead(null);
              setProblem('');
            }}
          />
        </Field>
        <div className="flex flex-wrap gap-3">
          <Button onClick={readText} size="sm" className="min-h-11">
            Read the text
          </Button>
          <UploadButton
            ref={uploader}
            contract={readQuestionFileCall}
            label="Choose a file"
            accept=".txt,.gift,.xml,.zip,text/plain,application/xml,application/zip"
            maxBytes={QUESTION_FILE_MAX_BYTES}
            onDone={(answer) => {
              setRead(answer);
              setHasLines(isOfText.current);
              isOfText.current = false;
            }}
            onError={(message) => {
              setProblem(message);
              if (!message) return;
              setRead(null);
              isOfText.current = false;
            }}
          />
        </div>
        {read && (
          <section aria-labelledby="read-heading" className="grid gap-4">
            <h3 id="read-heading" ref={found} tabIndex={-1} className="text-subheading outline-none">
              {questions.length > 0
                ? `${counted(questions.length, 'question')} read`
                : `${counted(read.problems.length + read.moreProblems, 'mistake')} found`}
            </h3>
            {read.problems.length > 0 && (
              <Alert
                tone="danger"
                title={
                  questions.length > 0
                    ? 'Left out, because of a mistake'
                    : 'Nothing can be taken before these are mended'
                }
              >
                <Remarks remarks={read.problems} onLine={hasLines ? goTo : null} />
                {read.moreProblems > 0 && <p>{counted(read.moreProblems, 'further mistake')} found.</p>}
              </Alert>
            )}
            {isTooMuch && (
              <Alert tone="danger" title="These are too many">
                The quiz has {counted(present, 'question')} already, and a quiz has at most{' '}
                {FILE_QUESTIONS_MAX}.
              </Alert>
            )}
            {read.notes.length > 0 && (
              <Alert tone="warning" title="Taken in another way, or left out">
                <Remarks remarks={read.notes} onLine={hasLines ? goTo : null} />
              </Alert>
            )}
            {questions.length > 0 && <ReadQuestionList questions={read?.words ?? []} />}
          </section>
        )}
      </div>
    </Dialog>
  );
}

function Remarks({
  remarks,
  onLine,
}: {
  remarks: readonly Remark[];
  /** Null where the text is in a file. */
  onLine: ((line: number) => void) | null;
}) {
  return (
    <ul className="grid gap-1">
      {remarks.map(({ file, line, message }) => (
        <li key={`${file} ${line} ${message}`}>
          {onLine && line !== null ? (
            <>
              <Button variant="link" size="sm" onClick={() => onLine(line)}>
                Line {line}
              </Button>
              {': '}
            </>
          ) : (
            place(file, line) && <span className="font-semibold break-words">{place(file, line)}: </span>
          )}
          {message}
        </li>
      ))}
    </ul>
  );
}

const place = (file: string | null, line: number | null) =>
  [file ?? '', line === null ? '' : `${file ? 'line' : 'Line'} ${line}`]
    .filter((part) => part !== '')
    .join(', ');

function ReadQuestionList({ questions }: { questions: readonly Question[] }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line">
      {questions.map((question, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a question is its place
        <li key={index} className="px-4 py-3">
          <p className="text-sm text-ink-soft">
            {index + 1}&nbsp;· {KINDS[kindOf(question)].label}
            {question.tags && `\u00a0· ${question.tags.join(', ')}`}
          </p>
          <p className="font-semibold break-words whitespace-pre-line">
            <InlineCode text={question.question} />
          </p>
          <ul className="mt-1 text-[0.9375rem]">
            {answerLines(question).map(({ text, isRight }) => (
              <li key={text} className="flex gap-2 break-words">
                {isRight ? (
                  <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-success" />
                ) : (
                  <X aria-hidden="true" className="mt-1 size-4 shrink-0 text-ink-soft" />
                )}
                <span className="min-w-0">
                  <span className="sr-only">{isRight ? 'Right: ' : 'Wrong: '}</span>
                  <InlineCode text={text} />
                </span>
              </li>
            ))}
          </ul>
          {question.explanation && (
            <p className="mt-1 text-sm break-words whitespace-pre-line text-ink-soft">
              {question.explanation}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

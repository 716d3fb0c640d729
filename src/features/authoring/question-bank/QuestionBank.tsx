import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Field } from '#src/components/Field.tsx';
import { InlineCode } from '#src/components/InlineCode.tsx';
import { Input } from '#src/components/Input.tsx';
import { Select } from '#src/components/Select.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { EXPORT_LABELS, saveFile } from '#src/features/authoring/question-files/ExportQuestions.tsx';
import { ImportQuestions } from '#src/features/authoring/question-files/ImportQuestions.tsx';
import { EXPORT_FORMATS, type ExportFormat } from '#src/features/authoring/question-files/schema.ts';
import { QUESTION_MAX } from '#src/features/lessons/types/quiz/kinds/kind.ts';
import { KINDS } from '#src/features/lessons/types/quiz/kinds/kinds.ts';
import { kindOf, type Question } from '#src/features/lessons/types/quiz/question.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import {
  addQuestionsCall,
  copyQuestionsCall,
  exportBankCall,
  tagQuestionsCall,
  type Written,
} from './schema.ts';

export interface ShownBankQuestion {
  id: number;
  question: Question;
  asks: string;
  lesson: { id: number; title: string };
  place: number;
  pool: string | null;
  answered: number;
  figures: string;
  remark: string | null;
}

const NEW = 'new';
const NOTHING = { problem: '', left: [] };

/** A page of the bank, with actions for chosen questions. */
export function QuestionBank({
  courseId,
  questions,
  quizzes,
}: {
  courseId: number;
  questions: readonly ShownBankQuestion[];
  quizzes: readonly { id: number; title: string; questions: number }[];
}) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [form, setForm] = useState({
    into: String(quizzes[0]?.id ?? NEW),
    title: '',
    tag: '',
    format: 'gift' as ExportFormat,
  });
  const { into, title, tag, format } = form;
  const set = (changed: Partial<typeof form>) => setForm({ ...form, ...changed });
  const [{ problem, left }, setOutcome] = useState<{ problem: string; left: string[] }>(NOTHING);
  const [isBusy, setBusy] = useState(false);
  const params = { id: courseId };
  const questionIds = questions.map(({ id }) => id).filter((id) => chosen.has(id));
  const target = into === NEW ? { title } : { lessonId: Number(into) };

  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setOutcome(NOTHING);
    try {
      await work();
    } catch (error) {
      setOutcome({ problem: messageOf(error, 'Please try again.'), left: [] });
    } finally {
      setBusy(false);
    }
  };
  const tellWritten = ({ title: quiz, added, already }: Written) => {
    toastOnNextPage({
      title: `${counted(added, 'question')} added to ${quiz}`,
      ...(already > 0 ? { description: `It has ${counted(already, 'question')} of these already.` } : {}),
    });
    location.reload();
  };
  const copy = () =>
    run(async () => tellWritten(await call(copyQuestionsCall, { params, input: { target, questionIds } })));
  const add = (read: Question[]) =>
    run(async () =>
      tellWritten(await call(addQuestionsCall, { params, input: { target, questions: read } })),
    );
  const setTags = (remove: boolean) =>
    run(async () => {
      await call(tagQuestionsCall, { params, input: { questionIds, tag, remove } });
      location.reload();
    });
  const take = () =>
    run(async () => {
      const file = await call(exportBankCall, { params, input: { format, questionIds } });
      saveFile(file);
      setOutcome({ problem: '', left: file.left });
    });
  const isAll = questionIds.length > 0 && questionIds.length === questions.length;
  const isNone = questionIds.length === 0 || isBusy;
  return (
    <div className="grid gap-5">
      <section aria-label="Chosen questions" className="grid gap-4 rounded-lg border border-line px-5 py-4">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <p aria-live="polite">{counted(questionIds.length, 'question')} chosen</p>
          {questions.length > 0 && (
            <Button
              size="sm"
              variant="secondary"
              onClick={() => setChosen(new Set(isAll ? [] : questions.map(({ id }) => id)))}
            >
              {isAll ? 'Choose none' : 'Choose all on this page'}
            </Button>
          )}
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Quiz">
            <Select
              value={into}
              onValueChange={(value) => set({ into: value })}
              options={[
                ...quizzes.map((quiz) => ({ value: String(quiz.id), label: quiz.title })),
                { value: NEW, label: 'A new quiz' },
              ]}
            />
          </Field>
          {into === NEW && (
            <Field label="Title of the new quiz">
              <Input
                value={title}
                maxLength={LESSON_MAX.title}
                onChange={(event) => set({ title: event.target.value })}
              />
            </Field>
          )}
          <Button variant="secondary" disabled={isNone} onClick={() => void copy()}>
            Copy into this quiz
          </Button>
          <ImportQuestions
            present={quizzes.find(({ id }) => String(id) === into)?.questions ?? 0}
            onAdd={(read) => void add(read)}
            isSaved
          />
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <Field label="Tag">
            <Input
              value={tag}
              maxLength={QUESTION_MAX.tag}
              onChange={(event) => set({ tag: event.target.value })}
            />
          </Field>
          <Button variant="secondary" disabled={isNone || !tag.trim()} onClick={() => void setTags(false)}>
            Add the tag
          </Button>
          <Button variant="secondary" disabled={isNone || !tag.trim()} onClick={() => void setTags(true)}>
            Remove the tag
          </Button>
          <Field label="Format">
            <Select
              value={format}
              onValueChange={(value) => set({ format: value as ExportFormat })}
              options={EXPORT_FORMATS.map((value) => ({ value, label: EXPORT_LABELS[value] }))}
            />
          </Field>
          <Button variant="secondary" disabled={isNone} onClick={() => void take()}>
            Export
          </Button>
        </div>
        {problem && (
          <Alert tone="danger" title="Nothing was changed" live>
            {problem}
          </Alert>
        )}
        {left.length > 0 && (
          <Alert tone="warning" title="The file lacks" live>
            <ul>
              {left.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Alert>
        )}
      </section>
      {questions.length > 0 && (
        <ul aria-label="Questions" className="divide-y divide-line card">
          {questions.map((one) => (
            <li key={one.id} className="grid gap-1.5 px-5 py-4">
              <Checkbox
                checked={chosen.has(one.id)}
                onCheckedChange={(isChosen) => {
                  const next = new Set(chosen);
                  if (isChosen === true) next.add(one.id);
                  else next.delete(one.id);
                  setChosen(next);
                }}
                label={<InlineCode text={one.asks} />}
              />
              <p className="flex flex-wrap gap-2 text-sm text-ink-soft">
                <span>{KINDS[kindOf(one.question)].label}</span>
                <a
                  href={`/admin/courses/${courseId}/content/${one.lesson.id}#question-${one.place}`}
                  className="text-link"
                >
                  {one.lesson.title}, question {one.place}
                </a>
                {one.pool && <span>drawn by “{one.pool}”</span>}
                {(one.question.tags ?? []).map((name) => (
                  <Badge key={name}>{name}</Badge>
                ))}
              </p>
              <p className="text-sm tabular-nums">
                {one.answered === 0
                  ? 'Nobody has answered it yet'
                  : `${counted(one.answered, 'answer')}${one.figures && `, ${one.figures}`}`}
              </p>
              {one.remark && <p className="text-sm font-semibold">{one.remark}</p>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

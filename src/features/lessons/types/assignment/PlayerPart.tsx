import { FileText } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { toast } from '#src/components/toast.store.ts';
import { sizeInKb } from '#src/features/lessons/addresses.ts';
import { SubmissionForm } from '#src/features/learn/assignments/SubmissionForm.tsx';
import type { PlayerPartProps } from '#src/features/lessons/player-part.ts';
import type { AssignmentModel, LessonCompletion } from '#src/features/learn/schema.ts';
import { DocumentPanel, type DocumentSource } from '#src/features/lessons/types/document/PlayerPart.tsx';
import { counted } from '#src/shared/counted.ts';
import { shownDate } from '#src/shared/dates.ts';
import { type AssignmentSettings, completionText, type Rubric } from './settings.ts';

export interface OpenedAssignment {
  lessonId: number;
  settings: AssignmentSettings;
  /** ISO 8601. */
  dueAt: string | null;
  file: DocumentSource | null;
  present: AssignmentModel | null;
}

/** The learner's side of an assignment (decisions 37 and 59). */
export function AssignmentPart(props: PlayerPartProps<OpenedAssignment, LessonCompletion>) {
  const { own, userId, onPassed } = props;
  const { rubric, dueNote, completeFrom } = own.settings;
  const [handedIn, setHandedIn] = useState(own.present);
  const [editing, setEditing] = useState(own.present === null);
  const isGraded = handedIn !== null && handedIn.gradedAt !== null;
  const isFinal = isGraded && handedIn.grade! >= (completeFrom ?? 0);

  return (
    <>
      {own.file && <DocumentPanel {...props} own={own.file} />}
      <section aria-labelledby="assignment-heading" className="mt-12 card p-5 sm:p-7">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="assignment-heading" className="text-subheading">
            Your work
          </h2>
          <Badge tone={isGraded ? 'success' : handedIn ? 'info' : 'neutral'}>
            {isGraded ? 'Graded' : handedIn ? 'Handed in' : 'Not handed in'}
          </Badge>
        </div>
        <p className="mt-2 text-ink-soft">
          {completionText(completeFrom)}.
          {own.dueAt && ` Due by the end of ${shownDate(own.dueAt)} (UTC); later work is marked late.`}
          {dueNote && <> {dueNote}</>}
        </p>
        {rubric && <RubricTable rubric={rubric} marks={isGraded ? handedIn.marks : null} />}
        {handedIn && <HandedInWork work={handedIn} isFinal={isFinal} completeFrom={completeFrom} />}
        {(!isFinal || handedIn.again) &&
          (editing ? (
            <SubmissionForm
              lessonId={own.lessonId}
              userId={userId}
              present={handedIn}
              onDone={({ completion, ...work }) => {
                setHandedIn(work);
                setEditing(false);
                if (completion && handedIn === null) onPassed(completion);
                else toast({ title: 'Handed in', description: 'You can replace it until it is graded.' });
              }}
              onCancel={handedIn ? () => setEditing(false) : null}
            />
          ) : (
            <Button variant="secondary" className="mt-5" onClick={() => setEditing(true)}>
              {isGraded ? 'Hand in again' : 'Replace it'}
            </Button>
          ))}
      </section>
    </>
  );
}

function RubricTable({ rubric, marks }: { rubric: Rubric; marks: AssignmentModel['marks'] }) {
  // As it was graded, where it was: the author may have changed the rubric since.
  const rows = marks ?? rubric.map(({ name, points }) => ({ name, of: points, points: null }));
  const descriptions = new Map(rubric.map(({ name, description }) => [name, description]));
  return (
    <table className="mt-5 w-full border-collapse text-left text-[0.9375rem]">
      <caption className="sr-only">What the grade is made of</caption>
      <thead>
        <tr className="border-b border-line text-sm text-ink-soft">
          <th scope="col" className="py-2 pr-4 font-semibold">
            What is looked at
          </th>
          <th scope="col" className="py-2 text-right font-semibold">
            Points
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, points, of }) => (
          <tr key={name} className="border-b border-line align-top last:border-0">
            <th scope="row" className="py-3 pr-4 font-normal break-words">
              <span className="block font-semibold">{name}</span>
              {descriptions.get(name) && (
                <span className="block whitespace-pre-line text-ink-soft">{descriptions.get(name)}</span>
              )}
            </th>
            <td className="py-3 text-right whitespace-nowrap tabular-nums">
              {points === null ? `up to ${of}` : `${points} of ${of}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HandedInWork({
  work,
  isFinal,
  completeFrom,
}: {
  work: AssignmentModel;
  isFinal: boolean;
  completeFrom: number | undefined;
}) {
  return (
    <div className="mt-5">
      {work.gradedAt && (
        <div
          className={`mb-5 rounded-md border p-4 sm:p-5 ${isFinal ? 'border-success-line bg-success-soft' : 'border-line bg-sunken'}`}
        >
          <p className="flex items-baseline gap-2">
            <span className="text-[2.5rem] leading-none font-semibold tracking-tight tabular-nums">
              {work.grade}
            </span>
            <span className="text-ink-soft">of 100 · graded {shownDate(work.gradedAt)}</span>
          </p>
          {!isFinal && (
            <p className="mt-3 font-semibold">
              {counted(completeFrom ?? 0, 'point')} are needed. Change your work and hand it in again.
            </p>
          )}
        </div>
      )}
      {work.feedback && (
        <div className="mb-5">
          <h3 className="font-semibold">
            {work.gradedAt ? 'Feedback' : 'Feedback on what you handed in before'}
          </h3>
          <div
            className="prose mt-2"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server's one Markdown renderer
            dangerouslySetInnerHTML={{ __html: work.feedbackHtml }}
          />
        </div>
      )}
      <p className="text-sm text-ink-soft">
        Handed in {shownDate(work.submittedAt)}
        {work.late && ', late'}
        {!work.gradedAt && '. You can replace it until it is graded.'}
      </p>
      {work.file ? (
        <p className="mt-3 flex min-w-0 items-center gap-3">
          <FileText aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
          <a
            href={`${work.file.url}?download`}
            className="text-link min-w-0 truncate"
            download={work.file.name}
          >
            {work.file.name}
          </a>
          <span className="shrink-0 text-sm text-ink-soft tabular-nums">{sizeInKb(work.file.size)}</span>
        </p>
      ) : (
        <p className="mt-3 max-h-80 overflow-y-auto rounded-md bg-sunken p-4 text-[0.9375rem] whitespace-pre-wrap">
          {work.submission}
        </p>
      )}
    </div>
  );
}

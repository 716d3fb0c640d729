import { useState } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { shownDate } from '#src/shared/dates.ts';
import { QuestionTextForm } from './QuestionTextForm.tsx';
import {
  addToQuestionCall,
  changeQuestionCall,
  deleteQuestionCall,
  type QuestionModel,
  reportQuestionCall,
  shareQuestionCall,
  solveQuestionCall,
} from './schema.ts';

const STATES: Record<QuestionModel['state'], { label: string; tone: 'warning' | 'info' | 'success' }> = {
  waiting: { label: 'Waits for an answer', tone: 'warning' },
  answered: { label: 'Answered', tone: 'info' },
  solved: { label: 'Solved', tone: 'success' },
};

function Markup({ html }: { html: string }) {
  return (
    <div
      className="prose mt-2 text-[0.9375rem] break-words"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server's one Markdown renderer
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

export function QuestionCard({
  question,
  onChange,
  onDelete,
}: {
  question: QuestionModel;
  onChange: (question: QuestionModel, said: string) => void;
  onDelete: () => void;
}) {
  const { id, isOwn, state, line, quote, attempt, replies, hiddenReason } = question;
  return (
    <article
      id={`question-${id}`}
      tabIndex={-1}
      aria-labelledby={`question-${id}-who`}
      className="card p-4 sm:p-5"
    >
      <h3
        id={`question-${id}-who`}
        className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.9375rem] font-semibold"
      >
        {isOwn ? 'You asked' : 'A learner asked'}
        <span className="text-sm font-normal text-ink-soft">
          {shownDate(question.createdAt)}
          {question.editedAt && ', changed since'}
        </span>
        <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
      </h3>
      {isOwn && (
        <p className="mt-1 text-sm text-ink-soft">
          {hiddenReason !== null
            ? `The team hid it from others: ${hiddenReason}`
            : !question.sharedByAsker
              ? 'You and the team can read it.'
              : question.sharedByTeam
                ? 'Others who take this lesson can read it.'
                : 'You and the team can read it; others can once the team agrees.'}
        </p>
      )}
      {(line !== null || quote.trim()) && (
        <p className="mt-2 rounded-md bg-sunken px-3 py-2 text-sm break-words">
          {line !== null ? `Line ${line}` : 'About'}
          {quote.trim() && (
            <>
              : <code className="font-mono">{quote.trim()}</code>
            </>
          )}
        </p>
      )}
      {attempt && (
        <details className="mt-2 rounded-md bg-sunken text-sm">
          <summary className="min-h-9 px-3 py-2 -outline-offset-2">
            Your attempt {attempt.number}
            {attempt.passed && ', which passed'}
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
          <pre tabIndex={0} className="max-h-72 overflow-auto border-t border-line px-3 py-2 font-mono">
            {attempt.code}
          </pre>
        </details>
      )}
      <Markup html={question.html} />
      {question.hasOlderReplies && (
        <p className="mt-4 text-sm text-ink-soft">Only the newest of what was written below it is shown.</p>
      )}
      {replies.length > 0 && (
        <ul
          aria-label="What was written below it"
          className="mt-4 flex flex-col gap-4 border-l-2 border-line pl-4"
        >
          {replies.map((reply) => (
            <li key={reply.id}>
              <p className="text-sm font-semibold">
                {reply.byTeam ? 'The course’s team' : isOwn ? 'You' : 'The learner'}
                <span className="font-normal text-ink-soft"> · {shownDate(reply.createdAt)}</span>
              </p>
              <Markup html={reply.html} />
            </li>
          ))}
        </ul>
      )}
      {isOwn ? (
        <OwnActions question={question} onChange={onChange} onDelete={onDelete} />
      ) : (
        <Report question={question} onChange={onChange} />
      )}
    </article>
  );
}

function OwnActions({ question, onChange, onDelete }: Parameters<typeof QuestionCard>[0]) {
  const { id, state, mayChange, sharedByAsker, hiddenReason } = question;
  const [form, setForm] = useState<'add' | 'change' | null>(null);
  const [working, setWorking] = useState<'solve' | 'share' | null>(null);

  const act = async (name: 'solve' | 'share', ask: () => Promise<QuestionModel>, said: string) => {
    setWorking(name);
    try {
      onChange(await ask(), said);
    } catch (error) {
      toast({
        title: 'Not saved',
        description: messageOf(error, 'That did not work. Please try again.'),
        variant: 'destructive',
      });
    } finally {
      setWorking(null);
    }
  };

  if (form) {
    return (
      <div className="mt-4">
        <QuestionTextForm
          key={form}
          label={form === 'add' ? 'What you add' : 'Your question'}
          initial={form === 'add' ? '' : question.body}
          confirmLabel={form === 'add' ? 'Send' : 'Save'}
          focusOn={form}
          onCancel={() => setForm(null)}
          send={async (body, key) => {
            const params = { id };
            const saved =
              form === 'add'
                ? await call(addToQuestionCall, { params, input: { key, body } })
                : await call(changeQuestionCall, { params, input: { body, version: question.version } });
            setForm(null);
            onChange(saved, form === 'add' ? 'Sent to the team.' : 'Your question was changed.');
          }}
        />
      </div>
    );
  }
  const solved = state === 'solved';
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button
        size="sm"
        variant="secondary"
        loading={working === 'solve'}
        onClick={() =>
          void act(
            'solve',
            () => call(solveQuestionCall, { params: { id }, input: { solved: !solved } }),
            solved ? 'The team is asked again.' : 'Marked as solved.',
          )
        }
      >
        {solved ? 'Not solved after all' : 'Mark as solved'}
      </Button>
      {hiddenReason === null && (
        <Button size="sm" variant="secondary" onClick={() => setForm('add')}>
          Add to it
        </Button>
      )}
      <Button
        size="sm"
        variant="secondary"
        loading={working === 'share'}
        onClick={() =>
          void act(
            'share',
            () => call(shareQuestionCall, { params: { id }, input: { shared: !sharedByAsker } }),
            sharedByAsker
              ? 'Only you and the team can read it now.'
              : 'Others can read it once the team agrees.',
          )
        }
      >
        {sharedByAsker ? 'Keep it private' : 'Let others read it'}
      </Button>
      {mayChange && (
        <>
          <Button size="sm" variant="secondary" onClick={() => setForm('change')}>
            Change
          </Button>
          <AlertDialog
            title="Take this question back?"
            description="It is deleted with what you added to it."
            confirmLabel="Take it back"
            destructive
            movesFocus
            onConfirm={async () => {
              try {
                await call(deleteQuestionCall, { params: { id } });
                onDelete();
              } catch (error) {
                toast({
                  title: 'Not deleted',
                  description: messageOf(error, 'The question could not be deleted. Please try again.'),
                  variant: 'destructive',
                });
              }
            }}
            trigger={
              <Button size="sm" variant="secondary">
                Take back
              </Button>
            }
          />
        </>
      )}
    </div>
  );
}

function Report({ question, onChange }: Pick<Parameters<typeof QuestionCard>[0], 'question' | 'onChange'>) {
  if (question.reported)
    return <p className="mt-4 text-sm text-ink-soft">You have reported it to the team.</p>;
  return (
    <div className="mt-4">
      <DecisionDialog
        label="Report"
        accessibleLabel={`Report the question of ${shownDate(question.createdAt)}`}
        title="Report this question?"
        description="The course’s team looks at it and decides whether it stays."
        reasonHint="What is wrong with it. Only the team reads this."
        reasonRequired
        confirmLabel="Report it"
        decide={async (reason) => {
          await call(reportQuestionCall, { params: { id: question.id }, input: { reason } });
          onChange({ ...question, reported: true }, 'Reported to the team.');
          return undefined;
        }}
      />
    </div>
  );
}

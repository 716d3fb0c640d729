import { toastFailure } from '#src/features/authoring/toast-failure.ts';
import { ArrowDownUp, Trash2, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { Card } from '#src/components/Card.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { RadioGroup } from '#src/components/RadioGroup.tsx';
import { toast } from '#src/components/toast.store.ts';
import {
  changeCount,
  changesText,
  type MovedLesson,
  type PendingChange,
  type PendingChanges,
} from '#src/features/authoring/changes/changes.ts';
import { Differences } from '#src/features/authoring/changes/Differences.tsx';
import { PreviewButton } from '#src/features/learn/preview/PreviewButton.tsx';
import { call } from '#src/shared/api.ts';
import { draftAt } from '#src/shared/drafts.ts';
import { counted } from '#src/shared/counted.ts';
import type { PublishReport } from './publish-check.ts';
import { discardChangesCall, publishChangesCall } from './schema.ts';

const KINDS = {
  new: { label: 'New', tone: 'success' },
  changed: { label: 'Changed', tone: 'info' },
  removed: { label: 'Removed', tone: 'danger' },
} as const;

type Discarded = { what: 'order' | 'all' } | { what: 'lesson'; lessonId: number };

/** The state of the choices for a course's changes. */
export function usePendingChanges(changes: PendingChanges, onChanges: (changes: PendingChanges) => void) {
  const { courseId } = changes;
  const [newVersions, setNewVersions] = useKeptIds(`new-versions-${courseId}`, changeCount(changes) > 0);
  const discard = async (input: Discarded) => {
    try {
      onChanges(await call(discardChangesCall, { params: { id: courseId }, input }));
      toast({ title: 'Taken back', description: 'The course is there as its learners have it.' });
    } catch (error) {
      toastFailure(error, 'That did not work. Nothing was taken back.');
    }
  };
  return {
    newVersions,
    setNewVersion: (lessonId: number, isNew: boolean) =>
      setNewVersions([...newVersions.filter((id) => id !== lessonId), ...(isNew ? [lessonId] : [])]),
    discard,
  };
}

/** Publishes all waiting changes, or takes them back. */
export function PublishChanges({
  changes,
  pending: { newVersions, discard },
  report,
  onReport,
}: {
  changes: PendingChanges;
  pending: ReturnType<typeof usePendingChanges>;
  report: PublishReport;
  onReport: (report: PublishReport) => void;
}) {
  const { courseId, lessons, moved, seen, marks } = changes;
  const [working, setWorking] = useState(false);
  const [bothWays, setBothWays] = useState(false);
  const { run } = report;
  const isRunning = run?.status === 'running';
  // Learners' work in a removed lesson does not come back.
  const lost = lessons.filter(({ kind, completions }) => kind === 'removed' && completions > 0);

  const publish = async () => {
    setWorking(true);
    try {
      const input = { seen, bothWays, newVersions: newVersions.filter((id) => isAsked(lessons, id)) };
      onReport(await call(publishChangesCall, { params: { id: courseId }, input }));
    } catch (error) {
      toastFailure(error, 'The changes could not be published. Please try again.', {
        action: { label: 'Show them anew', onClick: () => location.reload() },
      });
    } finally {
      setWorking(false);
    }
  };
  const publishing = { loading: working || (isRunning && run.isPublishing), disabled: isRunning };
  return (
    <section aria-labelledby="changes" className="mb-8">
      <Card>
        <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-5">
          <div className="min-w-0 flex-1 basis-80">
            <h2 id="changes" className="text-subheading">
              Changes that learners do not have yet
            </h2>
            <p className="mt-1.5 max-w-prose text-ink-soft">
              {changesText(changes)}. Publishing checks what changed and what depends on it, and then gives
              all of it to learners at once, or nothing.
            </p>
            {marks.better + marks.worse > 0 && (
              <p className="mt-3 max-w-prose">
                Corrected questions mark answers again: {counted(marks.better, 'attempt')} would be better,{' '}
                {marks.worse} worse.
              </p>
            )}
            {marks.worse > 0 && (
              <Checkbox
                className="mt-3"
                label="Mark again also where it is worse for the learner"
                hint="Otherwise each answer counts as is better. What was completed stays completed."
                checked={bothWays}
                onCheckedChange={(checked) => setBothWays(checked === true)}
                disabled={isRunning}
              />
            )}
          </div>
          <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-auto">
            {lost.length === 0 ? (
              <Button {...publishing} onClick={() => void publish()}>
                Publish changes
              </Button>
            ) : (
              <AlertDialog
                title="Remove what learners have completed?"
                description={`${lost.map(({ title }) => `“${title}”`).join(', ')}: learners’ results and points for ${lost.length === 1 ? 'it' : 'them'} go as well, and do not come back.`}
                confirmLabel="Publish and remove"
                destructive
                onConfirm={publish}
                trigger={<Button {...publishing}>Publish changes</Button>}
              />
            )}
            <PreviewButton courseId={courseId} size="md" />
            <Discard
              label="Discard all"
              title="Discard all changes?"
              notice="Everything that was changed and not published yet. Learners keep what they have; texts of changed lessons stay among their versions."
              onDiscard={() => discard({ what: 'all' })}
              disabled={isRunning}
            />
          </div>
        </div>
        {run?.outcome === 'faulty' && report.lessons.some(({ state }) => state === 'failed') && (
          <Alert tone="danger" title="Nothing was published" className="mt-5">
            Not everything passed the check. What did not is marked “To fix” below: mend it
            {report.mayLetPass && ', or let it pass with a reason,'} and publish again.
          </Alert>
        )}
        {run?.outcome === 'changed' && (
          <Alert tone="warning" title="Nothing was published" className="mt-5">
            Somebody changed the course while it was checked. Look at the changes again and publish them.
          </Alert>
        )}
        {moved.length > 0 && (
          <MovedLessons moved={moved} onDiscard={() => discard({ what: 'order' })} disabled={isRunning} />
        )}
      </Card>
    </section>
  );
}

function useKeptIds(name: string, isUsed: boolean) {
  const [kept] = useState(() => draftAt(name));
  const [ids, setIds] = useState<readonly number[]>([]);
  useEffect(() => {
    if (!isUsed) return;
    setIds((kept.read() ?? '').split(',').map(Number).filter(Boolean));
    return () => {
      kept.clear();
      setIds([]);
    };
  }, [kept, isUsed]);
  const set = (next: readonly number[]) => {
    kept.write(next.join(','));
    setIds(next);
  };
  return [ids, set] as const;
}

const isAsked = (lessons: readonly PendingChange[], id: number) =>
  lessons.some(({ lessonId, kind, completions }) => lessonId === id && kind === 'changed' && completions > 0);

interface OfChange {
  change: PendingChange;
  pending: ReturnType<typeof usePendingChanges>;
  disabled: boolean;
}

export function ChangeBadge({ kind }: Pick<PendingChange, 'kind'>) {
  return <Badge tone={KINDS[kind].tone}>{KINDS[kind].label}</Badge>;
}

export function DiscardChange({ change: { lessonId, title, kind }, pending, disabled }: OfChange) {
  return (
    <Discard
      label="Discard"
      title={`Discard the change of “${title}”?`}
      notice={
        kind === 'new'
          ? 'The new lesson is lost.'
          : kind === 'removed'
            ? 'The lesson stays, as learners have it.'
            : 'Learners keep what they have. What was changed stays among the versions of the lesson.'
      }
      onDiscard={() => pending.discard({ what: 'lesson', lessonId })}
      disabled={disabled}
    />
  );
}

export function LessonChange({ change, pending, disabled }: OfChange) {
  const { lessonId, kind, differences, completions } = change;
  const learners = `${counted(completions, 'learner has', 'learners have')} completed it`;
  return (
    <>
      {differences.length > 0 && (
        <details className="mt-2 ml-8 max-sm:ml-0">
          <summary className="w-fit cursor-pointer py-1 text-sm text-ink-soft hover:text-ink">
            What is different: {differences.map(({ label }) => label).join(', ')}
          </summary>
          <p className="mt-1 mb-4 text-sm text-ink-soft">
            What only learners have begins with −, what is new with +.
          </p>
          <Differences differences={differences} heading="h4" ofSecond="The change" />
        </details>
      )}
      {kind === 'removed' && completions > 0 && (
        <p className="mt-2 ml-8 text-sm max-sm:ml-0">
          {learners}; their results and points for it go with it.
        </p>
      )}
      {kind === 'changed' && completions > 0 && (
        <RadioGroup
          className="mt-3 ml-8 max-sm:ml-0"
          label={`${learners}. For them it is`}
          value={pending.newVersions.includes(lessonId) ? 'new_version' : 'correction'}
          onValueChange={(value) => pending.setNewVersion(lessonId, value === 'new_version')}
          disabled={disabled}
          options={[
            {
              value: 'correction',
              label: 'A correction',
              hint: 'They are not told. Answers to corrected questions are marked again.',
            },
            {
              value: 'new_version',
              label: 'A new version',
              hint: 'They see “Changed since you passed it” until they open it. It stays completed.',
            },
          ]}
        />
      )}
    </>
  );
}

const sectionName = (section: string) => (section ? `section “${section}”` : 'no section');

function MovedLessons({
  moved,
  onDiscard,
  disabled,
}: {
  moved: readonly MovedLesson[];
  onDiscard: () => Promise<void>;
  disabled: boolean;
}) {
  return (
    <div className="mt-5 flex items-start justify-between gap-x-4 border-t border-line pt-4">
      <div className="flex min-w-0 gap-3">
        <ArrowDownUp aria-hidden="true" className="mt-1 size-5 shrink-0 text-ink-soft" />
        <div className="min-w-0">
          <h3 className="font-semibold">Order and sections</h3>
          <ul className="text-sm text-ink-soft">
            {moved.map(({ lessonId, title, from, to, section }) => (
              <li key={lessonId} className="break-words">
                “{title}”{from !== to && ` from place ${from} to place ${to}`}
                {section &&
                  `${from === to ? '' : ','} from ${sectionName(section.from)} to ${sectionName(section.to)}`}
              </li>
            ))}
          </ul>
        </div>
      </div>
      <Discard
        label="Discard"
        title="Discard the new order and sections?"
        notice="The lessons go back to the places and sections that learners have."
        onDiscard={onDiscard}
        disabled={disabled}
      />
    </div>
  );
}

function Discard({
  label,
  title,
  notice,
  onDiscard,
  disabled,
}: {
  label: string;
  title: string;
  notice: string;
  onDiscard: () => Promise<void>;
  disabled: boolean;
}) {
  const isAll = label !== 'Discard';
  return (
    <AlertDialog
      title={title}
      description={notice}
      confirmLabel="Discard"
      destructive
      movesFocus
      onConfirm={onDiscard}
      trigger={
        <Button variant="ghost" size={isAll ? 'md' : 'sm'} disabled={disabled}>
          {isAll ? <Trash2 aria-hidden="true" /> : <Undo2 aria-hidden="true" />} {label}
        </Button>
      }
    />
  );
}

import { useState } from 'react';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { NumberInput } from '#src/components/NumberInput.tsx';
import { call } from '#src/shared/api.ts';
import { addAttemptCall, excuseCall, regradeCall, withdrawExcuseCall } from './schema.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';

interface Props {
  params: { id: number; user: number; lesson: number };
  learner: string;
  version: string;
}

/** The learner reads the reason (decision 129). */
export function Regrade({
  params,
  learner,
  version,
  attemptId,
  present,
}: Props & { attemptId?: number; present: number | null }) {
  const [grade, setGrade] = useState<number | undefined>(present ?? undefined);
  const [error, setError] = useState<string>();
  return (
    <DecisionDialog
      label="Change the grade"
      accessibleLabel={`Change the grade of ${learner}${present === null ? '' : `, now ${present} of 100`}`}
      title="Change the grade?"
      description="The learner is told by email. A grade that passes completes the lesson; a lower one takes back neither what was completed nor a certificate."
      reasonHint="The learner reads it."
      reasonRequired
      confirmLabel="Save the grade"
      check={() => {
        const isGrade = Number.isInteger(grade) && grade! >= 0 && grade! <= 100;
        setError(isGrade ? undefined : 'Grade must be a whole number from 0 to 100');
        return isGrade;
      }}
      decide={async (reason) => {
        await call(regradeCall, { params, input: { grade: grade!, reason, version, attemptId } });
        return 'Grade changed';
      }}
    >
      <Field label="Grade" required hint="0 to 100." error={error} className="max-w-32">
        <NumberInput value={grade} onChange={setGrade} />
      </Field>
    </DecisionDialog>
  );
}

export function CellActions({
  params,
  learner,
  version,
  canAddAttempt,
  isExcused,
}: Props & { canAddAttempt: boolean; isExcused: boolean }) {
  return (
    <div className="flex flex-wrap gap-3">
      {canAddAttempt && (
        <ActionButton
          icon={null}
          accessibleLabel={`Give ${learner} another attempt`}
          question={{
            title: `Give ${learner} another attempt?`,
            description: 'They are told by email. It cannot be taken back.',
            confirmLabel: 'Give it',
          }}
          act={async () => {
            await call(addAttemptCall, { params, input: { version } });
            return `${learner} has another attempt and is told by email`;
          }}
        >
          Give another attempt
        </ActionButton>
      )}
      {isExcused ? (
        <ActionButton
          icon={null}
          accessibleLabel={`Take back the excuse of ${learner}`}
          question={{
            title: `Let the lesson count again for ${learner}?`,
            description: 'They are told by email. What was completed and a certificate stay.',
            confirmLabel: 'Let it count',
          }}
          act={async () => {
            await call(withdrawExcuseCall, { params });
            return 'The lesson counts again';
          }}
        >
          Take the excuse back
        </ActionButton>
      ) : (
        <DecisionDialog
          label="Excuse from this lesson"
          accessibleLabel={`Excuse ${learner} from this lesson`}
          title={`Excuse ${learner} from this lesson?`}
          description="It then counts as not required for this learner, who is told by email. It can be taken back; a certificate that was issued meanwhile stays."
          reasonHint="The learner reads it."
          reasonRequired
          confirmLabel="Excuse"
          decide={async (reason) => {
            await call(excuseCall, { params, input: { reason } });
            return `${learner} is excused`;
          }}
        />
      )}
    </div>
  );
}

import { Eye, EyeOff, Reply } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { QuestionTextForm } from '#src/features/learn/questions/QuestionTextForm.tsx';
import {
  answerQuestionCall,
  hideQuestionCall,
  shareAsTeamCall,
  showQuestionCall,
} from '#src/features/learn/questions/schema.ts';
import { call } from '#src/shared/api.ts';

export function QuestionActions({
  id,
  version,
  about,
  waits,
  sharedByTeam,
  isHidden,
  isReported,
}: {
  id: number;
  /** As shown. */
  version: number;
  /** For screen readers. */
  about: string;
  waits: boolean;
  sharedByTeam: boolean;
  isHidden: boolean;
  isReported: boolean;
}) {
  const [answers, setAnswers] = useState(false);
  const params = { id };
  if (answers) {
    return (
      <QuestionTextForm
        label={`Your answer to ${about}`}
        hint="Its asker gets it by mail. You can use Markdown, such as `code`."
        confirmLabel="Send the answer"
        focusOn={id}
        onCancel={() => setAnswers(false)}
        send={async (body, key) => {
          await call(answerQuestionCall, { params, input: { key, body, version } });
          toastOnNextPage({ title: 'Your answer was sent.' });
          location.reload();
        }}
      />
    );
  }
  const answer = waits ? 'Answer' : 'Add an answer';
  const share = sharedByTeam ? 'Keep it private' : 'Let others read it';
  const settle = isHidden ? 'Show again' : 'Nothing is wrong with it';
  return (
    <div className="flex flex-wrap gap-2">
      {!isHidden && (
        <>
          <Button
            size="sm"
            variant={waits ? 'primary' : 'secondary'}
            className="min-h-11 sm:min-h-10"
            aria-label={`${answer}: ${about}`}
            onClick={() => setAnswers(true)}
          >
            <Reply aria-hidden="true" />
            {answer}
          </Button>
          <ActionButton
            icon={sharedByTeam ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
            accessibleLabel={`${share}: ${about}`}
            act={async () => {
              await call(shareAsTeamCall, { params, input: { shared: !sharedByTeam } });
              return sharedByTeam
                ? 'Others cannot read it.'
                : 'Others can read it where its asker lets them.';
            }}
          >
            {share}
          </ActionButton>
          <DecisionDialog
            label="Hide"
            accessibleLabel={`Hide ${about}`}
            title="Hide this question?"
            description="It leaves the lesson and the list of those that wait. Its asker still sees it."
            reasonHint="Its asker reads it, and the audit log keeps it."
            reasonRequired
            confirmLabel="Hide the question"
            confirmVariant="danger"
            decide={async (reason) => {
              await call(hideQuestionCall, { params, input: { reason } });
              return 'The question is hidden.';
            }}
          />
        </>
      )}
      {(isHidden || isReported) && (
        <ActionButton
          icon={<Eye aria-hidden="true" />}
          accessibleLabel={`${settle}: ${about}`}
          act={async () => {
            await call(showQuestionCall, { params });
            return isHidden ? 'The question shows again.' : 'The reports are settled.';
          }}
        >
          {settle}
        </ActionButton>
      )}
    </div>
  );
}

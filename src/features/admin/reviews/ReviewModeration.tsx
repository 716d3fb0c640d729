import { Eye } from 'lucide-react';
import { hideReviewCall, showReviewCall } from '#src/features/catalogue/schema.ts';
import { call } from '#src/shared/api.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';

/** Hides a review with a reason, or shows it again (decision 38). */
export function ReviewModeration({ id, about, isHidden }: { id: number; about: string; isHidden: boolean }) {
  if (isHidden) {
    return (
      <ActionButton
        icon={<Eye aria-hidden="true" />}
        accessibleLabel={`Show again: ${about}`}
        act={async () => {
          await call(showReviewCall, { params: { id } });
          return 'The review shows again.';
        }}
      >
        Show again
      </ActionButton>
    );
  }
  return (
    <DecisionDialog
      label="Hide"
      accessibleLabel={`Hide ${about}`}
      title="Hide this review?"
      description="It leaves the course’s page, rating and count. Its author still sees it."
      reasonHint="Its author reads it, and the audit log keeps it."
      reasonRequired
      confirmLabel="Hide the review"
      confirmVariant="danger"
      decide={async (reason) => {
        await call(hideReviewCall, { params: { id }, input: { reason } });
        return 'The review is hidden.';
      }}
    />
  );
}

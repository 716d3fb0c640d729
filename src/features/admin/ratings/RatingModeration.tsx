import { Eye } from 'lucide-react';
import {
  hideAnswerCall,
  hideRatingCall,
  showAnswerCall,
  showRatingCall,
} from '#src/features/catalogue/schema.ts';
import { call } from '#src/shared/api.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { DecisionDialog } from '#src/components/DecisionDialog.tsx';

const KINDS = {
  review: {
    hide: hideRatingCall,
    show: showRatingCall,
    hideLabel: 'Hide',
    showLabel: 'Show again',
    description: 'It leaves the course’s page, rating and count. Its author still sees it.',
    reasonHint: 'Its author reads it, and the audit log keeps it.',
  },
  answer: {
    hide: hideAnswerCall,
    show: showAnswerCall,
    hideLabel: 'Hide answer',
    showLabel: 'Show answer again',
    description: 'It leaves the course’s page. The course’s team still sees it.',
    reasonHint: 'The course’s team reads it, and the audit log keeps it.',
  },
};

/** Decisions 38 and 97. */
export function RatingModeration({
  id,
  of,
  about,
  isHidden,
}: {
  /** Of the rating. */
  id: number;
  of: keyof typeof KINDS;
  about: string;
  isHidden: boolean;
}) {
  const kind = KINDS[of];
  if (isHidden) {
    return (
      <ActionButton
        icon={<Eye aria-hidden="true" />}
        accessibleLabel={`${kind.showLabel}: ${about}`}
        act={async () => {
          await call(kind.show, { params: { id } });
          return `The ${of} shows again.`;
        }}
      >
        {kind.showLabel}
      </ActionButton>
    );
  }
  return (
    <DecisionDialog
      label={kind.hideLabel}
      accessibleLabel={`${kind.hideLabel}: ${about}`}
      title={`Hide this ${of}?`}
      description={kind.description}
      reasonHint={kind.reasonHint}
      reasonRequired
      confirmLabel={`Hide the ${of}`}
      confirmVariant="danger"
      decide={async (reason) => {
        await call(kind.hide, { params: { id }, input: { reason } });
        return `The ${of} is hidden.`;
      }}
    />
  );
}

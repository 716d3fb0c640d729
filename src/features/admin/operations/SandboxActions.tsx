import { call } from '#src/shared/api.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';
import { ACTION_TEXTS, type SandboxPayment } from './sandbox.ts';
import { playSandboxCall } from './schema.ts';

/** What can happen to a payment at the provider's side. `name` tells its buttons from those of the others. */
export function SandboxActions({
  intentId,
  can,
  name,
}: Pick<SandboxPayment, 'intentId' | 'can'> & { name: string }) {
  return (
    <div className="flex flex-wrap gap-2.5 lg:justify-end">
      {can.map((action) => (
        <ActionButton
          key={action}
          icon={null}
          accessibleLabel={`${ACTION_TEXTS[action].label}: ${name}`}
          act={async () =>
            (await call(playSandboxCall, { params: { intent: intentId }, input: { action } })).message
          }
        >
          {ACTION_TEXTS[action].label}
        </ActionButton>
      ))}
    </div>
  );
}

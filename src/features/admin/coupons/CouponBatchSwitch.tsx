import { Power } from 'lucide-react';
import { setCouponBatchActiveCall } from '#src/features/store/coupons/editing/schema.ts';
import { call } from '#src/shared/api.ts';
import { ActionButton } from '#src/features/admin/shell/ActionButton.tsx';

export function CouponBatchSwitch({ prefix, isOn }: { prefix: string; isOn: boolean }) {
  return (
    <ActionButton
      icon={<Power aria-hidden="true" />}
      accessibleLabel={`Switch all ${isOn ? 'off' : 'on'}: ${prefix}`}
      act={async () => {
        await call(setCouponBatchActiveCall, { params: { prefix }, input: { isActive: !isOn } });
        return `All coupons ${prefix}-… are switched ${isOn ? 'off' : 'on'}.`;
      }}
    >
      Switch all {isOn ? 'off' : 'on'}
    </ActionButton>
  );
}

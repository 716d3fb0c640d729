import { Tag } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { formatCents, formatDecimal } from '#src/shared/money.ts';
import { CHARGE_MIN_CENTS } from './coupons.ts';
import { type AppliedCoupon, COUPON_CODE_MAX } from '#src/features/store/coupons/schema.ts';

export type CouponFieldProps = {
  applied: AppliedCoupon | null;
  error: string;
  typed: string;
  disabled: boolean;
  onApply: (code: string) => Promise<void>;
  onRemove: () => void;
};

export function CouponField({ applied, error, typed, disabled, onApply, onRemove }: CouponFieldProps) {
  const [open, setOpen] = useState(error !== '');
  const [code, setCode] = useState(typed);
  const [empty, setEmpty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [isAwake, setIsAwake] = useState(false);
  useEffect(() => setIsAwake(true), []);
  const box = useRef<HTMLDivElement>(null);
  // The focused element is replaced; the replacement takes the focus.
  const takeFocus = useRef(false);
  const shown = applied ? 'applied' : open || error ? 'form' : 'closed';

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another form of the field is shown
  useEffect(() => {
    if (!takeFocus.current) return;
    takeFocus.current = false;
    box.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [shown]);

  const apply = async () => {
    if (busy || disabled) return;
    setEmpty(code.trim() === '');
    if (code.trim() === '') {
      box.current?.querySelector('input')?.focus();
      return;
    }
    setBusy(true);
    takeFocus.current = true;
    await onApply(code);
    setBusy(false);
  };

  const message = empty ? 'Enter a coupon code.' : error;
  return (
    <div ref={box} className="mt-6 border-t border-line pt-5">
      {applied && (
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0" role="status">
            <p className="flex items-center gap-2 font-medium">
              <Tag aria-hidden="true" className="size-4 shrink-0 text-success" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{applied.code}</span>
            </p>
            <p className="mt-0.5 text-sm text-ink-soft">
              {formatDecimal(applied.discount)} off.
              {applied.reduced &&
                ` A card payment is ${formatCents(CHARGE_MIN_CENTS)} at least, so the coupon takes off no more.`}
            </p>
          </div>
          <Button
            variant="ghost"
            size="sm"
            className="-mt-1.5 -mr-3.5 noscript:hidden"
            aria-disabled={disabled || undefined}
            aria-label={`Remove coupon ${applied.code}`}
            onClick={() => {
              if (disabled) return;
              takeFocus.current = true;
              setOpen(true);
              setCode('');
              onRemove();
            }}
          >
            Remove
          </Button>
        </div>
      )}
      {shown === 'closed' && (
        <button
          type="button"
          className="text-link min-h-6 text-sm font-medium noscript:hidden"
          onClick={() => {
            takeFocus.current = true;
            setOpen(true);
          }}
        >
          Have a coupon?
        </button>
      )}
      {shown !== 'applied' && (
        <form
          method="post"
          noValidate
          className={shown === 'form' ? undefined : 'hidden noscript:block'}
          onSubmit={(event) => {
            event.preventDefault();
            void apply();
          }}
        >
          <Field label="Coupon code" error={message || undefined}>
            <div className="flex gap-2">
              <Input
                name="couponCode"
                value={code}
                maxLength={COUPON_CODE_MAX * 2}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                className="min-w-0 uppercase"
                onChange={(event) => {
                  setCode(event.target.value);
                  setEmpty(false);
                }}
              />
              <Button
                type="submit"
                variant="secondary"
                loading={busy}
                aria-disabled={(isAwake && disabled) || undefined}
              >
                Apply
              </Button>
            </div>
          </Field>
        </form>
      )}
    </div>
  );
}

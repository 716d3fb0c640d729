import { RadioGroup } from '#src/components/RadioGroup.tsx';

/** A new course enters the store at once, or by itself once proven. */
export function StoreChoice({
  whenProven,
  onChange,
  isProofRequired,
}: {
  whenProven: boolean;
  onChange: (whenProven: boolean) => void;
  isProofRequired: boolean;
}) {
  if (isProofRequired) {
    return (
      <p className="col-span-full text-sm text-ink-soft">
        The course comes into the store by itself once every lesson is proven to work.
      </p>
    );
  }
  return (
    <RadioGroup
      label="In the store"
      name="inStore"
      inline
      className="col-span-full"
      value={whenProven ? 'proven' : 'now'}
      onValueChange={(value) => onChange(value === 'proven')}
      options={[
        { value: 'now', label: 'Now' },
        { value: 'proven', label: 'Once every lesson is proven', hint: 'It comes in by itself.' },
      ]}
    />
  );
}

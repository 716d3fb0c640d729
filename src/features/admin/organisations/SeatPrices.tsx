import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { NumberInput } from '#src/components/NumberInput.tsx';
import { toast } from '#src/components/toast.store.ts';
import { setSeatPricesCall } from '#src/features/organisations/schema.ts';
import type { SeatPriceStep } from '#src/features/store/seats/seat-price.ts';
import { ApiError, call, messageOf } from '#src/shared/api.ts';

type Row = { key: number; fromSeats: number | undefined; percentOff: number | undefined };

export function SeatPrices({ steps }: { steps: SeatPriceStep[] }) {
  const [rows, setRows] = useState<Row[]>(() => steps.map((step, key) => ({ key, ...step })));
  const [nextKey, setNextKey] = useState(steps.length);
  const [error, setError] = useState('');
  const [working, setWorking] = useState(false);

  const change = (key: number, values: Partial<Row>) => {
    setError('');
    setRows(rows.map((row) => (row.key === key ? { ...row, ...values } : row)));
  };
  const save = async () => {
    const read = setSeatPricesCall.input!.safeParse({
      steps: rows.map(({ fromSeats, percentOff }) => ({ fromSeats, percentOff })),
    });
    if (!read.success) return setError(read.error.issues[0]!.message);
    setWorking(true);
    try {
      await call(setSeatPricesCall, { input: read.data });
      toast({ title: 'The prices of seats are saved' });
    } catch (failure) {
      const field = failure instanceof ApiError ? Object.values(failure.fields)[0] : undefined;
      setError(field ?? messageOf(failure, 'The prices were not saved.'));
    }
    setWorking(false);
  };

  return (
    <div className="flex flex-col items-start gap-4">
      {error && (
        <Alert tone="danger" live>
          {error}
        </Alert>
      )}
      {rows.length === 0 && <p className="text-ink-soft">Every seat costs what the course costs.</p>}
      <ul aria-label="Steps" className="flex w-full flex-col gap-4">
        {rows.map(({ key, fromSeats, percentOff }, index) => (
          <li key={key} className="grid grid-cols-[1fr_1fr_auto] items-end gap-3">
            <Field label="From seats">
              <NumberInput value={fromSeats} onChange={(value) => change(key, { fromSeats: value })} />
            </Field>
            <Field label="Percent less">
              <NumberInput value={percentOff} onChange={(value) => change(key, { percentOff: value })} />
            </Field>
            <Button
              variant="ghost"
              aria-label={`Remove step ${index + 1}`}
              onClick={() => {
                setError('');
                setRows(rows.filter((row) => row.key !== key));
              }}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          onClick={() => {
            setRows([...rows, { key: nextKey, fromSeats: undefined, percentOff: undefined }]);
            setNextKey(nextKey + 1);
          }}
        >
          <Plus aria-hidden="true" /> Add a step
        </Button>
        <Button loading={working} onClick={() => void save()}>
          Save the prices
        </Button>
      </div>
    </div>
  );
}

import { useEffect, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Select } from '#src/components/Select.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { parseThing } from '#src/features/store/seats/seat-thing.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import { type BulkSeats, type ChangedSeats, changeSeatsCall } from '../schema.ts';
import { type ListedSeat, SEAT_REFUSALS } from './seats.ts';

const ACTIONS = {
  remind: { label: 'Mail again', title: 'Mail these offers again?', done: 'mailed again' },
  'take-back': { label: 'Take back', title: 'Take these seats back?', done: 'taken back' },
  move: { label: 'Move', title: 'Move these people?', done: 'moved' },
} as const;
type Action = BulkSeats['action'];
type Row = Pick<ListedSeat, 'id' | 'state' | 'canTakeBack'>;

const canBe: Record<Action, (row: Row) => boolean> = {
  remind: ({ state }) => state === 'offered',
  'take-back': ({ canTakeBack }) => canTakeBack,
  move: ({ state }) => state === 'offered' || state === 'waiting',
};
const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input[name=seat]')];

function consequences(rows: readonly Row[]): string {
  const begun = rows.filter(({ state }) => state === 'begun').length;
  const told =
    begun > 0 ? ` ${counted(begun, 'of them has', 'of them have')} begun and are told by mail.` : '';
  return `${counted(rows.length, 'seat is', 'seats are')} free for others then, and open links stop working.${told}`;
}

function Refused({ refused }: Pick<ChangedSeats, 'refused'>) {
  return (
    <ul className="divide-y divide-line text-sm [overflow-wrap:anywhere]">
      {refused.map(({ id, email, reason }) => (
        <li key={id} className="py-2">
          {email ?? 'A seat'} {SEAT_REFUSALS[reason]}.
        </li>
      ))}
    </ul>
  );
}

export function SeatBulk({
  organisationId,
  rows,
  targets,
}: {
  organisationId: number;
  rows: readonly Row[];
  /** With free seats. */
  targets: readonly { value: string; label: string }[];
}) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [asks, setAsks] = useState<Action | null>(null);
  const [target, setTarget] = useState('');
  const [working, setWorking] = useState(false);
  const [{ error, left }, setOutcome] = useState({ error: '', left: null as ChangedSeats | null });
  const setError = (text: string) => setOutcome({ error: text, left: null });

  useEffect(() => {
    const read = () =>
      setTicked(new Set(boxes().flatMap(({ checked, value }) => (checked ? Number(value) : []))));
    // Boxes ticked before hydration.
    read();
    document.addEventListener('change', read);
    return () => document.removeEventListener('change', read);
  }, []);
  const tickAll = (on: boolean) => {
    for (const box of boxes()) box.checked = on;
    setTicked(new Set(on ? rows.map(({ id }) => id) : []));
  };
  const chosen = rows.filter(({ id }) => ticked.has(id));
  const fit = asks ? chosen.filter(canBe[asks]) : [];

  const run = async () => {
    const to = asks === 'move' ? parseThing(target) : null;
    if (!asks || (asks === 'move' && !to)) return setError('Choose where to.');
    setWorking(true);
    setError('');
    try {
      const input = { action: asks, seats: fit.map(({ id }) => id), ...(to && { to }) };
      const answer = await call(changeSeatsCall, { params: { id: organisationId }, input });
      if (answer.refused.length === 0) {
        const title = `${counted(answer.done, 'seat')} ${ACTIONS[asks].done}`;
        toastOnNextPage({ title });
        return location.reload();
      }
      setOutcome({ error: '', left: answer });
    } catch (failure) {
      setError(messageOf(failure, 'Nothing was changed. Check your connection and try again.'));
    }
    setWorking(false);
  };
  const close = () => {
    if (working) return;
    if (left) return location.reload();
    setAsks(null);
    setError('');
  };

  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <Checkbox
        label="Select all on this page"
        checked={chosen.length === 0 ? false : chosen.length === rows.length ? true : 'indeterminate'}
        onCheckedChange={(on) => tickAll(on === true)}
        className="min-h-11 items-center"
      />
      <fieldset aria-label="With the selected seats" className="flex flex-wrap gap-2">
        {(['remind', 'take-back', 'move'] as const).map((action) => {
          const count = chosen.filter(canBe[action]).length;
          return (
            <Button
              key={action}
              variant="secondary"
              size="sm"
              className="max-sm:min-h-11"
              disabled={count === 0 || (action === 'move' && targets.length === 0)}
              onClick={() => setAsks(action)}
            >
              {ACTIONS[action].label} ({count})
            </Button>
          );
        })}
      </fieldset>
      <Dialog
        size="sm"
        title={left ? 'Not all of them' : asks ? ACTIONS[asks].title : ''}
        description={
          left
            ? `${counted(left.done, 'seat')} ${asks ? ACTIONS[asks].done : ''}. These stayed as they are:`
            : asks === 'take-back'
              ? consequences(fit)
              : asks === 'move'
                ? `${counted(fit.length, 'person', 'people')} who have not begun get a free seat of something else. Who took theirs has it at once, the others get a new mail.`
                : `${counted(fit.length, 'offer')} go out with new links; those of before stop working.`
        }
        open={asks !== null}
        onOpenChange={(open) => !open && close()}
        footer={
          left ? (
            <Button onClick={close}>Done</Button>
          ) : (
            <>
              <Button variant="secondary" onClick={close}>
                Leave them
              </Button>
              <Button
                variant={asks === 'take-back' ? 'danger' : 'primary'}
                loading={working}
                onClick={() => void run()}
              >
                {asks && `${ACTIONS[asks].label}: ${fit.length}`}
              </Button>
            </>
          )
        }
      >
        {left ? (
          <Refused refused={left.refused} />
        ) : asks === 'move' ? (
          <Field label="To" error={error} required>
            <Select options={targets} value={target} onValueChange={setTarget} />
          </Field>
        ) : (
          error && (
            <Alert tone="danger" live>
              {error}
            </Alert>
          )
        )}
      </Dialog>
    </div>
  );
}

import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import type { SeatThing } from '#src/features/store/seats/seat-thing.ts';
import type { SeatState } from './seats.ts';
import {
  giveSeatBackCall,
  remindSeatCall,
  setSeatLinkCall,
  setSeatsDueCall,
  takeSeatBackCall,
} from '../schema.ts';

const LOST = {
  offered: 'is not invited any more: the link in the mail stops working.',
  waiting: 'loses what it gave, which they have not begun.',
  begun: 'loses what it gave and is told so by mail. What they have done and their certificates stay.',
};

export function SeatActions({
  organisationId,
  seatId,
  email,
  state,
}: {
  organisationId: number;
  seatId: number;
  email: string;
  state: SeatState;
}) {
  const isOpen = state === 'offered';
  const [asks, setAsks] = useState(false);
  const [working, setWorking] = useState(false);
  const [refusal, setRefusal] = useState('');
  const params = { id: organisationId, seat: seatId };

  const takeBack = async () => {
    setWorking(true);
    try {
      const { message } = await call(takeSeatBackCall, { params });
      toastOnNextPage({ title: message });
      location.reload();
    } catch (error) {
      setRefusal(messageOf(error, 'The seat was not taken back. Check your connection and try again.'));
      setWorking(false);
    }
  };
  const remind = async () => {
    setWorking(true);
    try {
      const { message } = await call(remindSeatCall, { params });
      toast({ title: message });
    } catch (error) {
      toast({ title: messageOf(error, 'Nothing was mailed.'), variant: 'destructive' });
    }
    setWorking(false);
  };

  return (
    <div className="flex flex-wrap gap-2">
      {isOpen && (
        <Button
          variant="secondary"
          size="sm"
          className="max-sm:min-h-11"
          loading={working && !asks}
          aria-label={`Mail again: ${email}`}
          onClick={() => void remind()}
        >
          Mail again
        </Button>
      )}
      <Dialog
        size="sm"
        title="Take this seat back?"
        description={`${email} ${LOST[state as keyof typeof LOST]} The seat is free for somebody else.`}
        open={asks}
        onOpenChange={(next) => {
          if (working) return;
          setAsks(next);
          setRefusal('');
        }}
        trigger={
          <Button
            variant="ghost"
            size="sm"
            className="max-sm:min-h-11"
            aria-label={`Take back: the seat of ${email}`}
          >
            Take back
          </Button>
        }
        footer={
          <>
            <Button variant="secondary" onClick={() => !working && setAsks(false)}>
              Keep it
            </Button>
            <Button variant="danger" loading={working} onClick={() => void takeBack()}>
              Take it back
            </Button>
          </>
        }
      >
        {refusal && (
          <Alert tone="danger" live>
            {refusal}
          </Alert>
        )}
      </Dialog>
    </div>
  );
}

export function GiveSeatBack({ seat }: { seat: { id: number; title: string; organisation: string } }) {
  const giveBack = async () => {
    try {
      const { message } = await call(giveSeatBackCall, { params: { seat: seat.id } });
      toastOnNextPage({ title: message });
      location.reload();
    } catch (error) {
      const title = messageOf(error, 'The seat is still yours. Check your connection and try again.');
      toast({ title, variant: 'destructive' });
      throw error;
    }
  };
  return (
    <AlertDialog
      title="Give this seat back?"
      description={`You lose “${seat.title}”, and ${seat.organisation} can give the seat to somebody else. Your certificates and what you have done stay yours.`}
      confirmLabel="Give it back"
      destructive
      onConfirm={giveBack}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          className="max-sm:min-h-11"
          aria-label={`Give back: the seat in ${seat.title}`}
        >
          Give back
        </Button>
      }
    />
  );
}

export function SeatLink({
  organisationId,
  thing: { title, ...thing },
  link,
}: {
  organisationId: number;
  thing: SeatThing & { title: string };
  link: { url: string; domains: string[] } | null;
}) {
  const [open, setOpen] = useState(false);
  const [domains, setDomains] = useState(link?.domains.join(', ') ?? '');
  const [error, setError] = useState('');
  const [working, setWorking] = useState(false);

  const save = async (wanted: string[]) => {
    setWorking(true);
    setError('');
    try {
      await call(setSeatLinkCall, {
        params: { id: organisationId },
        input: { ...thing, domains: wanted },
      });
      toastOnNextPage({ title: wanted.length > 0 ? 'The link is ready' : 'The link has ended' });
      location.reload();
    } catch (failure) {
      setError(messageOf(failure, 'The link was not changed.'));
      setWorking(false);
    }
  };
  const typed = domains
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter(Boolean);

  return (
    <Dialog
      size="md"
      title="A link for your people"
      description={`Whoever has a confirmed address at one of your mail domains takes a free seat in “${title}” with it.`}
      open={open}
      onOpenChange={(next) => {
        if (!working) setOpen(next);
      }}
      trigger={
        <Button variant="secondary" size="sm" className="max-sm:min-h-11" aria-label={`Link: ${title}`}>
          Link
        </Button>
      }
      footer={
        <>
          {link && (
            <Button variant="danger" loading={working} onClick={() => void save([])}>
              End the link
            </Button>
          )}
          <Button
            loading={working}
            onClick={() =>
              typed.length > 0
                ? void save(typed)
                : setError('Domains is required: one name, such as example.com')
            }
          >
            {link ? 'Save the domains' : 'Make the link'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {link && (
          <Field label="The link">
            <Input readOnly value={link.url} onFocus={(event) => event.target.select()} />
          </Field>
        )}
        <Field label="Mail domains" hint="Separated by commas." error={error} required>
          <Input
            name="domains"
            value={domains}
            placeholder="example.com"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => {
              setDomains(event.target.value);
              setError('');
            }}
          />
        </Field>
      </div>
    </Dialog>
  );
}

export function SeatsDue({
  organisationId,
  thing: { title, ...thing },
  dueOn,
}: {
  organisationId: number;
  thing: SeatThing & { title: string };
  dueOn: string | null;
}) {
  const [open, setOpen] = useState(false);
  const [day, setDay] = useState(dueOn ?? '');
  const [error, setError] = useState('');
  const [working, setWorking] = useState(false);

  const save = async (wanted: string | null) => {
    setWorking(true);
    setError('');
    try {
      const { message } = await call(setSeatsDueCall, {
        params: { id: organisationId },
        input: { ...thing, dueOn: wanted },
      });
      toastOnNextPage({ title: message });
      location.reload();
    } catch (failure) {
      setError(messageOf(failure, 'The day was not changed.'));
      setWorking(false);
    }
  };

  return (
    <Dialog
      size="sm"
      title="A day to be done by"
      description={`Whoever has not completed “${title}” by the end of this day counts as late. Your people lose nothing by it.`}
      open={open}
      onOpenChange={(next) => {
        if (!working) setOpen(next);
      }}
      trigger={
        <Button
          variant="secondary"
          size="sm"
          className="max-sm:min-h-11"
          aria-label={`Day to be done by: ${title}`}
        >
          Due day
        </Button>
      }
      footer={
        <>
          {dueOn && (
            <Button variant="danger" loading={working} onClick={() => void save(null)}>
              Take it away
            </Button>
          )}
          <Button
            loading={working}
            onClick={() => (day ? void save(day) : setError('Day is required, such as 2026-12-31'))}
          >
            Save the day
          </Button>
        </>
      }
    >
      <Field label="Day" error={error} required>
        <Input
          type="date"
          name="dueOn"
          value={day}
          onChange={(event) => {
            setDay(event.target.value);
            setError('');
          }}
        />
      </Field>
    </Dialog>
  );
}

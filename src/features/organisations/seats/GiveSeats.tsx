import { MailPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { toastOnNextPage } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { counted } from '#src/shared/counted.ts';
import type { SeatThing } from '#src/features/store/seats/seat-thing.ts';
import { type GivenSeats, giveSeatsCall, type LineProblem, PEOPLE_TEXT_MAX } from '../schema.ts';

const PROBLEMS: Record<LineProblem, string> = {
  malformed: 'no email address',
  repeated: 'stands in the list before',
  has_seat: 'has a seat or an open invitation',
  no_seat_left: 'there is no free seat for this one',
};

/** Checks the list first. */
export function GiveSeats({
  organisationId,
  thing: { title, ...thing },
  free,
}: {
  organisationId: number;
  thing: SeatThing & { title: string };
  free: number;
}) {
  const [open, setOpen] = useState(false);
  const [people, setPeople] = useState('');
  const [error, setError] = useState('');
  const [looked, setLooked] = useState<GivenSeats | null>(null);
  const [working, setWorking] = useState(false);
  const file = useRef<HTMLInputElement>(null);

  const change = (text: string) => {
    setPeople(text);
    setLooked(null);
    setError('');
  };
  const readFile = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > PEOPLE_TEXT_MAX) return setError('The file is too large: 900 KB are the most.');
    change(await chosen.text());
    if (file.current) file.current.value = '';
  };
  const send = async (dryRun: boolean) => {
    setWorking(true);
    setError('');
    try {
      const answer = await call(giveSeatsCall, {
        params: { id: organisationId },
        input: { ...thing, people, dryRun },
      });
      if (dryRun) setLooked(answer);
      else {
        toastOnNextPage({
          title: `${counted(answer.given, 'person is', 'people are')} being invited`,
          description: 'Each gets a mail with a link to take their seat.',
        });
        location.reload();
        return;
      }
    } catch (failure) {
      setLooked(null);
      setError(messageOf(failure, 'Nobody was invited. Check your connection and try again.'));
    }
    setWorking(false);
  };
  const canGive = looked !== null && looked.given > 0 && !looked.problems.some(isShort);

  return (
    <Dialog
      size="md"
      title="Give seats"
      description={`“${title}”: ${counted(free, 'free seat')}.`}
      open={open}
      onOpenChange={(next) => {
        if (!working) setOpen(next);
      }}
      trigger={
        <Button size="sm" className="max-sm:min-h-11" aria-label={`Give seats: ${title}`}>
          <MailPlus aria-hidden="true" /> Give seats
        </Button>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => !working && setOpen(false)}>
            Cancel
          </Button>
          {canGive ? (
            <Button loading={working} onClick={() => void send(false)}>
              Invite {counted(looked.given, 'person', 'people')}
            </Button>
          ) : (
            <Button loading={working} onClick={() => void send(true)}>
              Check the list
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          label="Email addresses"
          hint="Separated by lines, spaces, commas or semicolons, or as a table. Each gets a mail with a link."
          error={error}
          required
        >
          <Textarea
            name="people"
            rows={7}
            value={people}
            spellCheck={false}
            autoComplete="off"
            placeholder={'ana@example.com\nbo@example.com'}
            onChange={(event) => change(event.target.value)}
          />
        </Field>
        <div>
          <label className="text-link inline-flex min-h-11 cursor-pointer items-center text-sm font-medium focus-within:outline-2">
            Read them from a CSV file
            <input
              ref={file}
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              className="sr-only"
              onChange={(event) => void readFile(event.target.files?.[0])}
            />
          </label>
        </div>
        {looked && <Looked looked={looked} />}
      </div>
    </Dialog>
  );
}

const isShort = ({ problem }: { problem: LineProblem }) => problem === 'no_seat_left';

function Looked({ looked: { given, free, problems, problemCount } }: { looked: GivenSeats }) {
  const isMissing = problems.some(isShort);
  return (
    <Alert tone={isMissing ? 'danger' : problemCount > 0 ? 'warning' : 'success'} live>
      <p>
        {isMissing
          ? `The list needs more seats than the ${counted(free, 'free one', 'free ones')}. Shorten it, or buy more seats.`
          : given === 0
            ? 'Nobody in the list can be invited.'
            : `${counted(given, 'person gets', 'people get')} a seat; ${counted(free - given, 'seat stays', 'seats stay')} free.`}
      </p>
      {problems.length > 0 && (
        <ul className="mt-2 max-h-48 list-disc overflow-y-auto pl-5 text-sm [overflow-wrap:anywhere]">
          {problems.map(({ line, text, problem }) => (
            <li key={`${line} ${text}`}>
              Line {line}, “{text}”: {PROBLEMS[problem]}
            </li>
          ))}
          {problemCount > problems.length && <li>and {problemCount - problems.length} more</li>}
        </ul>
      )}
    </Alert>
  );
}

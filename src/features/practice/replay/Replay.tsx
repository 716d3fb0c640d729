import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, Flag } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';
import { ErrorState } from '#src/components/ErrorState.tsx';
import { Skeleton } from '#src/components/Skeleton.tsx';
import { call, messageOf } from '#src/shared/api.ts';
import { ScrollBox } from '../ScrollBox.tsx';
import { type RanReplay, replayCall } from './schema.ts';
import { type Moment, momentOf, momentsOf, type OpenCall, type RanProgram } from './walk.ts';

interface Props {
  program: RanProgram;
  test: number;
  name: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Replay({ open, onOpenChange, ...asked }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title="Step by step"
      description={
        <>
          Your program in the test <span className="break-words font-medium text-ink">{asked.name}</span>
        </>
      }
    >
      <Loaded {...asked} />
    </Dialog>
  );
}

/** Mounted with the dialog, so that each opening runs the program that was run last. */
function Loaded({ program, test }: Pick<Props, 'program' | 'test'>) {
  const [state, setState] = useState<RanReplay | { refused: string } | null>(null);
  const { lessonId, code, language } = program;
  const load = useCallback(async () => {
    setState(null);
    try {
      setState(await call(replayCall, { params: { id: lessonId }, input: { code, language, test } }));
    } catch (error) {
      setState({ refused: messageOf(error, 'Your program could not be replayed just now.') });
    }
  }, [lessonId, code, language, test]);
  useEffect(() => void load(), [load]);

  if (state === null) {
    return (
      <div role="status" aria-label="Running your program step by step">
        <Skeleton className="h-56" />
      </div>
    );
  }
  if ('refused' in state) return <ErrorState title={state.refused} onRetry={() => void load()} />;
  if (momentsOf(state) === 0) {
    const { error } = state;
    return (
      <p className="text-ink-soft">
        There are no steps to show.{error && ` The program was ended by ${error.name}: ${error.message}`}
      </p>
    );
  }
  return <Walk run={state} code={code} />;
}

const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

function Walk({ run, code }: { run: RanReplay; code: string }) {
  const last = momentsOf(run) - 1;
  const parting = run.parts?.step ?? null;
  const [at, setAt] = useState(parting ?? Math.min(run.asked, last));
  const slider = useRef<HTMLInputElement>(null);
  useEffect(() => {
    slider.current?.focus();
    const move = (event: KeyboardEvent) => {
      const to = KEYS[event.key];
      // The slider moves by itself.
      if (!to || event.target === slider.current || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      setAt((now) => Math.max(0, Math.min(to(now, last), last)));
    };
    addEventListener('keydown', move);
    return () => removeEventListener('keydown', move);
  }, [last]);
  const moment = momentOf(run, at);
  const ways = [
    { name: 'First step', Icon: ChevronFirst, to: 0, isEnd: at === 0 },
    { name: 'Step back', Icon: ChevronLeft, to: at - 1, isEnd: at === 0 },
    { name: 'Step forward', Icon: ChevronRight, to: at + 1, isEnd: at === last },
    { name: 'End of the run', Icon: ChevronLast, to: last, isEnd: at === last },
  ];
  return (
    <div className="grid gap-4">
      {run.parts && (
        <div
          className={`rounded-md border p-3 ${parting === null ? 'border-line' : 'border-warning-line bg-warning-soft'}`}
        >
          <p className="break-words">{run.parts.says}</p>
          {parting !== null && at !== parting && (
            <Button
              size="sm"
              variant="secondary"
              className="mt-2 max-sm:min-h-11"
              onClick={() => setAt(parting)}
            >
              <Flag aria-hidden="true" />
              Go there
            </Button>
          )}
        </div>
      )}
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center gap-2">
          {ways.map(({ name, Icon, to, isEnd }) => (
            <Button
              key={name}
              size="sm"
              variant="secondary"
              className="max-sm:min-h-11 max-sm:min-w-11"
              aria-label={name}
              title={name}
              aria-disabled={isEnd}
              onClick={() => !isEnd && setAt(to)}
            >
              <Icon aria-hidden="true" />
            </Button>
          ))}
          <span className="text-sm text-ink-soft">
            {at === last ? 'End' : `Step ${at + 1}`} of {last}
          </span>
        </div>
        <input
          ref={slider}
          type="range"
          aria-label="Step"
          aria-valuetext={at === last ? 'End of the run' : `Step ${at + 1} of ${last}`}
          min={0}
          max={last}
          value={at}
          onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
          className="min-h-6 w-full accent-accent"
        />
        <p aria-live="polite" className="min-h-6 break-words font-medium">
          {at === parting && <span className="sr-only">Here it parts. </span>}
          {moment.says}
        </p>
      </div>
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        <Program code={code} moment={moment} guilty={at === parting ? run.parts!.line : null} />
        <div className="grid min-w-0 gap-4">
          <Calls calls={moment.calls} />
          <section aria-labelledby="replay-output">
            <h3 id="replay-output" className="text-sm font-semibold">
              Printed so far
            </h3>
            <ScrollBox
              label="Printed so far"
              className="mt-1.5 max-h-36 overflow-auto rounded-md border border-line bg-sunken px-3 py-2"
            >
              {moment.output || 'Nothing yet.'}
            </ScrollBox>
          </section>
        </div>
      </div>
    </div>
  );
}

function Program({
  code,
  moment: { line, ran },
  guilty,
}: {
  code: string;
  moment: Moment;
  guilty: number | null;
}) {
  const box = useRef<HTMLDivElement>(null);
  const shown = guilty ?? line ?? ran;
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>(`[data-line="${shown}"]`);
    // The box alone: the dialog stays where it is.
    if (row) box.current!.scrollTop = row.offsetTop - box.current!.clientHeight / 2;
  }, [shown]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div
      ref={box}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Your program"
      className="relative max-h-56 overflow-y-auto rounded-md border border-line bg-surface py-2 font-mono text-sm md:max-h-96"
    >
      {code.split('\n').map((text, index) => {
        const number = index + 1;
        const isNext = number === line;
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
            key={index}
            data-line={number}
            aria-current={isNext ? 'step' : undefined}
            className={`flex gap-2 px-2 ${number === guilty ? 'bg-warning-soft font-semibold' : isNext ? 'bg-accent-soft font-semibold' : number === ran ? 'bg-sunken' : ''}`}
          >
            <span
              aria-hidden="true"
              className={`w-4 shrink-0 ${number === guilty ? 'text-warning' : 'text-accent'}`}
            >
              {number === guilty ? <Flag className="mt-0.5 size-4" /> : isNext ? '▶' : ''}
            </span>
            <span className="w-6 shrink-0 text-right text-ink-soft">{number}</span>
            <span className="min-w-0 break-words whitespace-pre-wrap">
              {text}
              {number === guilty && <span className="sr-only"> (here it parts)</span>}
              {isNext && <span className="sr-only"> (next)</span>}
              {!isNext && number === ran && <span className="sr-only"> (just ran)</span>}
            </span>
          </div>
        );
      })}
    </div>
  );
}

function Calls({ calls }: { calls: OpenCall[] }) {
  if (calls.length === 0) return <p className="text-sm text-ink-soft">No variables yet.</p>;
  return (
    <div className="grid gap-4">
      {calls.map(({ fn, line, variables }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls of one function are told apart by their depth alone
        <table key={calls.length - index} className="w-full border-collapse text-left text-sm">
          <caption className="pb-1 text-left font-semibold">
            {fn === '' ? 'Outside of functions' : `${fn}, line ${line}`}
          </caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Variable</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {variables.map(({ name, value, was }) => (
              <tr key={name} className={was === undefined ? '' : 'bg-accent-soft'}>
                <th scope="row" className="border-b border-line px-2 py-1 align-top font-mono font-normal">
                  {name}
                </th>
                <td className="w-full border-b border-line px-2 py-1 font-mono break-all whitespace-pre-wrap">
                  {value}
                  {was !== undefined && (
                    <span className="block font-sans text-xs text-ink-soft">
                      {was === null ? 'new' : `was ${was}`}
                    </span>
                  )}
                </td>
              </tr>
            ))}
            {variables.length === 0 && (
              <tr>
                <td className="px-2 py-1 text-ink-soft">No variables yet.</td>
              </tr>
            )}
          </tbody>
        </table>
      ))}
    </div>
  );
}

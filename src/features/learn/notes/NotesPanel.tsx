import { Clock, LockKeyhole } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { Field } from '#src/components/Field.tsx';
import { Textarea } from '#src/components/Textarea.tsx';
import { ApiError, call } from '#src/shared/api.ts';
import { draftOf } from '#src/shared/drafts.ts';
import { lessonMessage, NOTES_MAX } from '#src/features/learn/progress/learn.ts';
import { saveNotesCall } from '#src/features/learn/schema.ts';
import { clockText, notedMoments } from '#src/features/lessons/types/video/watching.ts';

/** Milliseconds from the last key to a save, and from a failed save to the next. */
const PAUSE_MS = 800;
const RETRY_MS = 5_000;

interface Props {
  lessonId: number;
  courseId: number;
  userId: number;
  initial: { text: string; version: number };
  video: RefObject<HTMLVideoElement | null> | null;
}

type State = 'saved' | 'typing' | 'saving' | 'failed' | 'too-long';

/** Autosaved; text that cannot be saved is a draft in this browser. */
export function NotesPanel({ lessonId, courseId, userId, initial, video }: Props) {
  const [text, setText] = useState(initial.text);
  const [state, setState] = useState<State>('saved');
  const [problem, setProblem] = useState('');
  const [other, setOther] = useState<{ notes: string; version: number } | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const draft = draftOf('notes', userId, lessonId);
  // What the server has and what is here, for the timers.
  const now = useRef({
    saved: initial.text,
    version: initial.version,
    text: initial.text,
    busy: false,
    blocked: false,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is the same for the life of the page
  const save = useCallback(
    async (leaving = false) => {
      const here = now.current;
      clearTimeout(timer.current);
      if (here.blocked || here.text === here.saved || here.text.length > NOTES_MAX) return;
      if (here.busy && !leaving) return;
      here.busy = true;
      setState('saving');
      const sent = here.text;
      try {
        const answer = await call(saveNotesCall, {
          params: { id: lessonId },
          input: { notes: sent, version: here.version },
          keepalive: leaving,
        });
        here.saved = sent;
        here.version = answer.version;
        if (here.text === sent) {
          draft.clear();
          setState('saved');
        } else schedule(PAUSE_MS);
      } catch (error) {
        const body = error instanceof ApiError ? error.body : {};
        if (error instanceof ApiError && error.status === 409 && typeof body.notes === 'string') {
          here.blocked = true;
          setOther({ notes: body.notes, version: Number(body.version) });
        } else if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
          setProblem(error.status === 401 ? 'Sign in again to save them.' : lessonMessage(error, ''));
          here.blocked = true;
        } else {
          setProblem('Trying again.');
          schedule(RETRY_MS);
        }
        setState('failed');
      } finally {
        here.busy = false;
      }
    },
    [lessonId],
  );

  const schedule = useCallback(
    (delay: number) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), delay);
    },
    [save],
  );

  const change = useCallback(
    (value: string) => {
      const here = now.current;
      here.text = value;
      setText(value);
      draft.write(value);
      if (value.length > NOTES_MAX) setState('too-long');
      else if (!here.blocked) {
        setState('typing');
        schedule(PAUSE_MS);
      }
    },
    [schedule, draft.write],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the notes are opened
  useEffect(() => {
    // From an earlier visit.
    const kept = draft.read();
    if (kept !== null && kept !== now.current.saved) change(kept);
    const leave = () => void save(true);
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      clearTimeout(timer.current);
    };
  }, []);

  function resolve(keep: 'mine' | 'theirs') {
    if (!other) return;
    const here = now.current;
    Object.assign(here, { saved: other.notes, version: other.version, blocked: false });
    setOther(null);
    if (keep === 'theirs') {
      here.text = other.notes;
      setText(other.notes);
      draft.clear();
      setState('saved');
    } else void save();
    area.current?.focus();
  }

  function insertMoment() {
    const element = area.current;
    const player = video?.current;
    if (!element || !player) return;
    const [start, end] = [element.selectionStart, element.selectionEnd];
    const before = text.slice(0, start);
    const stamp = `${before === '' || before.endsWith('\n') ? '' : '\n'}[${clockText(player.currentTime)}] `;
    // Typing continues behind it.
    flushSync(() => change(before + stamp + text.slice(end)));
    element.focus();
    element.setSelectionRange(start + stamp.length, start + stamp.length);
  }

  const moments = notedMoments(text);
  const states: Record<State, string> = {
    saved: text === '' ? '' : 'Saved',
    typing: 'Not saved yet',
    saving: 'Saving…',
    failed: `Not saved. ${problem}`,
    'too-long': `Not saved: at most ${NOTES_MAX.toLocaleString('en-US')} characters`,
  };

  return (
    <section aria-labelledby="notes-heading" className="mt-12 border-t border-line pt-8">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id="notes-heading" className="text-subheading">
          Notes
        </h2>
        <p className="inline-flex items-center gap-1.5 text-sm text-ink-soft">
          <LockKeyhole aria-hidden="true" className="size-4" />
          Only you can see them
        </p>
      </div>
      <Field label="Your notes on this lesson" hideLabel className="mt-3">
        <Textarea
          ref={area}
          rows={4}
          value={text}
          placeholder="What do you want to remember?"
          onChange={(event) => change(event.target.value)}
          onBlur={() => void save()}
          className="field-sizing-content max-h-96 min-h-28"
        />
      </Field>
      <div className="mt-2 flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p
          role="status"
          className={
            state === 'failed' || state === 'too-long'
              ? 'text-sm font-medium text-danger'
              : 'text-sm text-ink-soft'
          }
        >
          {states[state]}
        </p>
        {video && (
          <Button variant="secondary" size="sm" onClick={insertMoment}>
            <Clock aria-hidden="true" />
            Insert the video’s time
          </Button>
        )}
      </div>
      {other && (
        <Alert tone="warning" title="Changed somewhere else" live className="mt-3">
          <p>These notes were changed in another tab or on another device. There they read:</p>
          <p className="mt-2 max-h-40 overflow-y-auto rounded-sm bg-surface p-3 whitespace-pre-wrap text-ink">
            {other.notes || '(empty)'}
          </p>
          <div className="mt-3 flex flex-wrap gap-3">
            <Button size="sm" onClick={() => resolve('mine')}>
              Keep what is here
            </Button>
            <Button size="sm" variant="secondary" onClick={() => resolve('theirs')}>
              Take the other
            </Button>
          </div>
        </Alert>
      )}
      {video && moments.length > 0 && (
        <nav aria-label="Moments in your notes" className="mt-3">
          <ul className="grid gap-1">
            {moments.map(({ seconds, text: label }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may name the same moment
              <li key={index}>
                <a
                  href={`/learn/${courseId}?lesson=${lessonId}&t=${seconds}`}
                  onClick={(event) => {
                    const player = video.current;
                    if (!player || event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    player.currentTime = seconds;
                    player.scrollIntoView({ block: 'center' });
                    player.focus({ preventScroll: true });
                  }}
                  className="group flex min-h-8 min-w-0 items-baseline gap-3"
                >
                  <span className="text-link shrink-0 font-semibold tabular-nums">{clockText(seconds)}</span>
                  <span className="truncate text-ink-soft group-hover:text-ink">{label}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </section>
  );
}

import { Reply } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import type { Tone } from '#src/components/surface.ts';
import { toast } from '#src/components/toast.store.ts';
import { shownDate } from '#src/shared/dates.ts';
import { call, messageOf } from '#src/shared/api.ts';
import type { InboxMessage } from '#src/features/admin/shell/admin.ts';
import { listHref } from '#src/shared/list-query.ts';
import { MESSAGE_STATUSES, type MessageStatus, setMessageStatusCall } from './schema.ts';

type Counts = Record<MessageStatus, number>;

const LABELS: Record<MessageStatus, string> = { new: 'New', read: 'Read', replied: 'Replied', spam: 'Spam' };
const TONES: Record<MessageStatus, Tone> = {
  new: 'accent',
  read: 'neutral',
  replied: 'success',
  spam: 'warning',
};

/** Decision 5. A changed message stays listed until the next page. */
export function Inbox({
  current,
  initialCounts,
  initialMessages,
}: {
  /** Null for all but spam. */
  current: MessageStatus | null;
  initialCounts: Counts;
  initialMessages: InboxMessage[];
}) {
  const [counts, setCounts] = useState(initialCounts);
  const [messages, setMessages] = useState(initialMessages);

  const change = async (message: InboxMessage, status: MessageStatus) => {
    if (message.status === status) return;
    try {
      await call(setMessageStatusCall, { params: { id: message.id }, input: { status } });
      setMessages((all) => all.map((one) => (one.id === message.id ? { ...one, status } : one)));
      setCounts((all) => ({
        ...all,
        [message.status]: all[message.status] - 1,
        [status]: all[status] + 1,
      }));
    } catch (error) {
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to update the message'),
        variant: 'destructive',
      });
    }
  };

  return (
    <>
      <nav aria-label="Messages by state">
        <ul className="flex flex-wrap gap-2">
          {[null, ...MESSAGE_STATUSES].map((status) => (
            <li key={status ?? 'all'}>
              <a
                href={listHref('/admin/messages', { status })}
                aria-current={status === current ? 'page' : undefined}
                className="flex min-h-11 items-center gap-2 rounded-full border border-line bg-surface px-4 text-sm font-semibold text-ink-soft hover:border-line-strong hover:text-ink aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong"
              >
                {status ? LABELS[status] : 'Inbox'}
                <span className="tabular-nums">
                  {(status ? counts[status] : counts.new + counts.read + counts.replied).toLocaleString(
                    'en-US',
                  )}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {messages.length === 0 ? (
        <p className="mt-6 card px-5 py-10 text-center text-ink-soft">
          {current
            ? `No messages are marked ${LABELS[current].toLowerCase()}.`
            : 'No messages yet. What visitors send with the contact form arrives here.'}
        </p>
      ) : (
        <ul aria-label="Messages" className="mt-6 divide-y divide-line card">
          {messages.map((message) => (
            <Message key={message.id} message={message} onChange={(status) => change(message, status)} />
          ))}
        </ul>
      )}
    </>
  );
}

function Message({
  message,
  onChange,
}: {
  message: InboxMessage;
  onChange: (status: MessageStatus) => Promise<void>;
}) {
  const { name, email, subject, receivedAt, status } = message;
  // New ones start open, and stay open when marked.
  const [startsOpen] = useState(status === 'new');
  const [working, setWorking] = useState<MessageStatus | null>(null);

  const mark = async (next: MessageStatus) => {
    setWorking(next);
    await onChange(next);
    setWorking(null);
  };

  return (
    <li className="px-5 py-5 sm:px-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
        <h2 className="min-w-0 font-semibold break-words">{subject}</h2>
        <Badge tone={TONES[status]}>{LABELS[status]}</Badge>
      </div>
      <p className="mt-0.5 text-sm break-words text-ink-soft">
        {name}&nbsp;· {email}&nbsp;· {shownDate(receivedAt)}
      </p>
      <details open={startsOpen} className="mt-3">
        <summary className="w-fit cursor-pointer text-sm font-semibold text-ink-soft hover:text-ink">
          Message
        </summary>
        <p className="mt-2 max-w-prose break-words whitespace-pre-line">{message.message}</p>
      </details>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          size="sm"
          className="max-sm:min-h-11"
          href={`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`}
          aria-label={`Reply by email to ${name}`}
        >
          <Reply aria-hidden="true" /> Reply by email
        </Button>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
        <div
          role="group"
          aria-label={`State of the message from ${name}`}
          className="flex overflow-hidden rounded-md border border-line-strong"
        >
          {MESSAGE_STATUSES.map((option) => (
            <button
              key={option}
              type="button"
              aria-pressed={option === status}
              aria-busy={option === working || undefined}
              onClick={() => working === null && void mark(option)}
              className={classNames(
                'min-h-11 border-l border-line px-3.5 text-sm font-semibold -outline-offset-2 first:border-l-0 sm:min-h-9',
                option === status
                  ? 'bg-accent-soft text-accent-strong'
                  : 'text-ink-soft hover:bg-sunken hover:text-ink',
                option === working && 'animate-pulse',
              )}
            >
              {LABELS[option]}
            </button>
          ))}
        </div>
      </div>
    </li>
  );
}

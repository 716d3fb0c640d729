import { type RefObject, useEffect, useState } from 'react';
import { classNames } from '#src/components/class-names.ts';
import type { Chapter } from '#src/features/lessons/types/video/chapters.ts';

export function Chapters({
  chapters,
  player,
  duration,
}: {
  chapters: readonly Chapter[];
  player: RefObject<HTMLVideoElement | null>;
  duration: number | null;
}) {
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(duration ?? 0);

  useEffect(() => {
    const element = player.current;
    if (!element) return;
    const read = () => {
      setAt(element.currentTime);
      if (Number.isFinite(element.duration) && element.duration > 0) setLength(element.duration);
    };
    read();
    const events = ['timeupdate', 'seeked', 'loadedmetadata', 'durationchange'];
    for (const name of events) element.addEventListener(name, read);
    return () => {
      for (const name of events) element.removeEventListener(name, read);
    };
  }, [player]);

  if (chapters.length === 0) return null;
  const go = (seconds: number) => {
    if (player.current) player.current.currentTime = seconds;
  };
  const current = chapters.findLastIndex(({ start }) => start <= at);
  const first = chapters[0]!.start > 0 ? [{ start: 0, title: '' }] : [];
  const parts = [...first, ...chapters].filter(({ start }) => length === 0 || start < length);
  return (
    <nav aria-label="Chapters" className="mt-3">
      {length > 0 && (
        // The same as the list below, which is for those who cannot point.
        <div aria-hidden="true" className="flex h-4 items-center gap-0.5">
          {parts.map(({ start, title }, index) => {
            const end = parts[index + 1]?.start ?? length;
            const share = Math.min(1, Math.max(0, (at - start) / (end - start)));
            return (
              <button
                key={start}
                type="button"
                tabIndex={-1}
                title={title || undefined}
                className="group flex h-full min-w-1 cursor-pointer items-center"
                style={{ flex: `${end - start} 0 0` }}
                onClick={() => go(start)}
              >
                <span className="block h-1.5 w-full overflow-hidden rounded-full bg-line-strong group-hover:h-2.5">
                  <span className="block h-full bg-accent" style={{ width: `${share * 100}%` }} />
                </span>
              </button>
            );
          })}
        </div>
      )}
      <ol className="mt-2 flex max-h-56 flex-col overflow-y-auto card py-1">
        {chapters.map(({ start, clock, title }, index) => (
          <li key={start}>
            <button
              type="button"
              aria-current={index === current ? 'true' : undefined}
              className={classNames(
                'flex min-h-11 w-full items-baseline gap-3 px-4 py-2 text-left -outline-offset-2 hover:bg-sunken',
                index === current && 'bg-accent-soft font-semibold',
              )}
              onClick={() => go(start)}
            >
              <span className="shrink-0 text-sm text-ink-soft tabular-nums">{clock}</span>
              <span className="min-w-0 break-words">{title}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

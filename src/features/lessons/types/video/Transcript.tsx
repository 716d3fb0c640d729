import { type RefObject, useEffect, useState } from 'react';
import { clockText } from '#src/features/lessons/types/video/watching.ts';

interface Line {
  start: number;
  text: string;
}

/** The captions of a video as a text to read, from which one goes to any place of it. */
export function Transcript({ player }: { player: RefObject<HTMLVideoElement | null> }) {
  const [lines, setLines] = useState<Line[]>([]);

  useEffect(() => {
    const element = player.current?.querySelector('track');
    if (!element) return;
    const read = () => {
      const cues = [...(element.track.cues ?? [])];
      setLines(
        cues.map((cue) => ({
          start: cue.startTime,
          text: 'text' in cue ? String(cue.text).replace(/<[^>]*>/g, '') : '',
        })),
      );
    };
    if (element.readyState === HTMLTrackElement.LOADED) read();
    element.addEventListener('load', read);
    return () => element.removeEventListener('load', read);
  }, [player]);

  if (lines.length === 0) return null;
  return (
    <details className="mt-4 rounded-lg border border-line bg-surface px-4 py-3">
      <summary className="min-h-6 font-semibold">Transcript</summary>
      <ol className="mt-2 max-h-80 overflow-y-auto">
        {lines.map(({ start, text }) => (
          <li key={`${start} ${text}`} className="flex gap-3 py-1">
            <button
              type="button"
              className="min-h-6 shrink-0 text-sm text-link tabular-nums"
              aria-label={`Go to ${clockText(start)}`}
              onClick={() => {
                if (player.current) player.current.currentTime = start;
              }}
            >
              {clockText(start)}
            </button>
            <span className="whitespace-pre-line">{text}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

import { type RefObject, useEffect, useState } from 'react';
import { clockText } from '#src/features/lessons/types/video/watching.ts';

interface Line {
  start: number;
  text: string;
}

export function Transcript({
  player,
  at,
  language,
}: {
  player: RefObject<HTMLVideoElement | null>;
  at: number;
  language: string;
}) {
  const [{ lines, language: told }, setRead] = useState<{ lines: Line[]; language: string }>({
    ...{ lines: [], language },
  });

  useEffect(() => {
    const element = player.current?.querySelectorAll('track')[at];
    if (!element) return;
    const read = () => {
      // Those of a track that is off are not to be had, and are not loaded.
      if (element.track.mode === 'disabled') element.track.mode = 'hidden';
      const cues = [...(element.track.cues ?? [])];
      const lines = cues.map((cue) => ({
        start: cue.startTime,
        text: 'text' in cue ? String(cue.text).replace(/<[^>]*>/g, '') : '',
      }));
      setRead({ lines, language });
    };
    if (element.readyState === HTMLTrackElement.LOADED) read();
    const end = new AbortController();
    element.addEventListener('load', read, end);
    element.addEventListener('error', () => setRead({ lines: [], language }), end);
    return () => end.abort();
  }, [player, at, language]);

  if (lines.length === 0) return null;
  return (
    <details className="mt-4 card px-4 py-3">
      <summary className="min-h-6 font-semibold">Transcript</summary>
      <ol lang={told} className="mt-2 max-h-80 overflow-y-auto">
        {lines.map(({ start, text }) => (
          <li key={`${start} ${text}`} className="flex gap-3 py-1">
            <button
              type="button"
              className="min-h-6 shrink-0 text-sm text-link tabular-nums"
              lang="en"
              aria-label={`Go to ${clockText(start)}`}
              onClick={() => {
                if (player.current) player.current.currentTime = start;
              }}
            >
              {clockText(start)}
            </button>
            <span dir="auto" className="whitespace-pre-line">
              {text}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

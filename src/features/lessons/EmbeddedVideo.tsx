import { Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Embed } from './types/video/embed.ts';

export function EmbeddedVideo({ embed, title }: { embed: Embed; title: string }) {
  const [isWanted, setIsWanted] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);

  // The button that had the focus is gone.
  useEffect(() => {
    if (isWanted) frame.current?.focus();
  }, [isWanted]);

  return (
    <div className="mb-8">
      <div className="aspect-video w-full overflow-hidden rounded-lg bg-navy text-on-navy">
        {isWanted ? (
          <iframe
            ref={frame}
            src={embed.frame}
            title={title}
            allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
            // The provider refuses to play for a page that does not say where it is.
            referrerPolicy="strict-origin-when-cross-origin"
            className="size-full border-0"
          />
        ) : (
          <button
            type="button"
            onClick={() => setIsWanted(true)}
            className="grid size-full place-content-center justify-items-center gap-3 px-4 text-center -outline-offset-4"
          >
            <span className="grid size-16 place-items-center rounded-full bg-on-navy text-navy">
              <Play aria-hidden="true" className="ml-1 size-7" />
            </span>
            <span className="font-semibold">Play the video from {embed.provider}</span>
          </button>
        )}
      </div>
      <p className="mt-2 text-sm text-ink-soft">
        Playing it connects you to {embed.provider}, in its player without cookies. You can also{' '}
        <a href={embed.page} rel="noopener nofollow" className="text-link">
          open it on {embed.provider}
        </a>
        .
      </p>
    </div>
  );
}

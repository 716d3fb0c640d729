import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { ApiError, call } from '#src/shared/api.ts';
import { recordActivityCall } from '#src/features/learn/schema.ts';

const REPORT_MS = 20_000;
const TICK_MS = 1_000;
/** Milliseconds of attention after a key, click or scroll: reading takes time. */
const ATTENTION_MS = 120_000;
const TICK_MAX_MS = 2_000;

export interface Counted {
  timeSpent: number;
  totalTimeSpent: number;
  watchedPercent: number | null;
}

/**
 * Reports study time and watched parts every twenty seconds and when the page is hidden.
 * @returns reports at once
 */
export function useActivity(
  lessonId: number,
  video: RefObject<HTMLVideoElement | null>,
  onCounted: (counted: Counted) => void,
): () => Promise<void> {
  const state = useRef({ unsentMs: 0, sending: null as Promise<void> | null, stopped: false, position: -1 });
  const heard = useLatest(onCounted);

  const report = useCallback(
    async (leaving = false): Promise<void> => {
      const now = state.current;
      if (now.stopped) return;
      if (now.sending && !leaving) await now.sending;
      const player = video.current;
      const position = player && player.readyState > 0 ? player.currentTime : -1;
      const moved = position >= 0 && position !== now.position;
      const seconds = Math.floor(now.unsentMs / 1000);
      if (seconds < 1 && !moved) return;
      now.unsentMs -= seconds * 1000;
      const input = {
        seconds,
        ...(position >= 0 && player && { video: { position, watched: playedParts(player) } }),
      };
      now.sending = call(recordActivityCall, { params: { id: lessonId }, input, keepalive: leaving })
        .then(
          (counted) => {
            now.position = position;
            heard.current(counted);
          },
          (error: unknown) => {
            // Signed out or the course is gone; any other error passes.
            if (error instanceof ApiError && error.status < 500 && error.status !== 429) now.stopped = true;
            else now.unsentMs += seconds * 1000;
          },
        )
        .finally(() => {
          now.sending = null;
        });
      await now.sending;
    },
    [lessonId, video],
  );

  useEffect(() => {
    let attentiveUntil = performance.now() + ATTENTION_MS;
    let lastTick = performance.now();
    let sinceReport = 0;
    const attend = () => {
      attentiveUntil = performance.now() + ATTENTION_MS;
    };
    const tick = () => {
      const now = performance.now();
      const player = video.current;
      const plays = player !== null && !player.paused && !player.ended;
      const reads = document.visibilityState === 'visible' && now < attentiveUntil;
      // Timers of hidden pages are slow, and the video may play.
      const passed = Math.min(now - lastTick, plays ? REPORT_MS * 3 : TICK_MAX_MS);
      lastTick = now;
      if (plays || reads) state.current.unsentMs += passed;
      sinceReport += passed;
      if (sinceReport >= REPORT_MS) {
        sinceReport = 0;
        void report();
      }
    };
    const leave = () => {
      tick();
      void report(true);
    };
    const hide = () => {
      if (document.visibilityState === 'hidden') leave();
      else lastTick = performance.now();
    };
    const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
    for (const sign of signs) addEventListener(sign, attend, { passive: true });
    addEventListener('scroll', attend, { passive: true });
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    // Pausing reports at once.
    const player = video.current;
    const stopped = () => void report();
    player?.addEventListener('pause', stopped);
    player?.addEventListener('ended', stopped);
    const timer = setInterval(tick, TICK_MS);
    return () => {
      clearInterval(timer);
      for (const sign of signs) removeEventListener(sign, attend);
      removeEventListener('scroll', attend);
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      player?.removeEventListener('pause', stopped);
      player?.removeEventListener('ended', stopped);
    };
  }, [report, video]);

  return report;
}

/** By the browser's own `played` ranges. */
function playedParts(player: HTMLVideoElement): [number, number][] {
  const { played } = player;
  return Array.from({ length: Math.min(played.length, 500) }, (_, index) => [
    played.start(index),
    played.end(index),
  ]);
}

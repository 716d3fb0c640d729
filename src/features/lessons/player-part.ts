import type { RefObject } from 'react';

/**
 * What the part of the player that only one type of lesson has is given. `Completion` is what the player is told when the
 * lesson was passed there; a part that never tells it leaves it out.
 */
export interface PlayerPartProps<Own, Completion = never> {
  own: Own;
  title: string;
  userId: number;
  /** Where the address says that a video starts, in seconds; else it goes on where it stopped. */
  startAt: number | null;
  /** The browser's player, for what counts and notes beside it. */
  player: RefObject<HTMLVideoElement | null>;
  /** The lesson that follows; null for the last one. */
  next: { href: string; title: string } | null;
  onPassed: (completion: Completion) => void;
}

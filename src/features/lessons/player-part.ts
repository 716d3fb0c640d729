import type { RefObject } from 'react';

export interface PlayerPartProps<Own, Completion = never> {
  own: Own;
  title: string;
  userId: number;
  startAt: number | null;
  player: RefObject<HTMLVideoElement | null>;
  next: { href: string; title: string } | null;
  onPassed: (completion: Completion) => void;
}

import type { HTMLAttributes } from 'react';
import { type CardLook, cardClass } from './surface.ts';

/** A bounded surface for one thing. */
export function Card({
  pad,
  tone,
  interactive,
  className,
  ...rest
}: CardLook & HTMLAttributes<HTMLDivElement>) {
  return <div {...rest} className={cardClass({ pad, tone, interactive }, className)} />;
}

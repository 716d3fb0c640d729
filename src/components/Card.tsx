import type { HTMLAttributes } from 'react';
import { type CardLook, cardClass } from './surface.ts';

export function Card({
  pad,
  tone,
  interactive,
  className,
  ...rest
}: CardLook & HTMLAttributes<HTMLDivElement>) {
  return <div {...rest} className={cardClass({ pad, tone, interactive }, className)} />;
}

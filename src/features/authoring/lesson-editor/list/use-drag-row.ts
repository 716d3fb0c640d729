import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { classNames } from '#src/components/class-names.ts';
import type { Side } from './lesson-drag.ts';

export interface DragRow<E extends HTMLElement> {
  row: RefObject<E | null>;
  handle: RefObject<HTMLSpanElement | null>;
  className: string;
}

/**
 * Makes a row draggable; the keyboard has buttons for the same.
 * @param onDrop gets the row that landed here, and on which side
 */
export function useDragRow<Id extends number | string, E extends HTMLElement = HTMLLIElement>(
  id: Id,
  onDrop: (landed: Id, targetId: Id, side: Side) => void,
): DragRow<E> {
  const row = useRef<E>(null);
  const handle = useRef<HTMLSpanElement>(null);
  const [side, setSide] = useState<Side | null>(null);
  const [isDragged, setIsDragged] = useState(false);
  // The drag is set up once and needs the newest closure.
  const drop = useLatest(onDrop);

  // Loaded late: server rendering has no drag.
  useEffect(() => {
    const [element, dragHandle] = [row.current!, handle.current!];
    let stop: (() => void) | null = null;
    let isGone = false;
    void import('./lesson-drag.ts').then(({ makeDraggable }) => {
      if (isGone) return;
      stop = makeDraggable(
        { row: element, handle: dragHandle, id },
        { drag: setIsDragged, hover: setSide, land: (landed, at) => drop.current(landed, id, at) },
      );
    });
    return () => {
      isGone = true;
      stop?.();
    };
  }, [id]);

  return {
    row,
    handle,
    className: classNames(
      isDragged && 'opacity-50',
      side &&
        'after:absolute after:inset-x-2 after:h-0.5 after:rounded-full after:bg-accent after:content-[""]',
      side === 'before' && 'after:-top-px',
      side === 'after' && 'after:-bottom-px',
    ),
  };
}

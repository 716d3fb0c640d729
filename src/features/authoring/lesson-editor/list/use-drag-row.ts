import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { classNames } from '#src/components/class-names.ts';
import type { Side } from './lesson-drag.ts';

/** A row of a list that is dragged by its handle; see `makeDraggable`. */
export interface DragRow<E extends HTMLElement> {
  row: RefObject<E | null>;
  handle: RefObject<HTMLSpanElement | null>;
  /** How the row looks while it is dragged, or while another one would land beside it. */
  className: string;
}

/**
 * Makes a row one that can be dragged to another place of its list. The keyboard has buttons for the same.
 *
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
  // The newest closure: the drag is set up once.
  const drop = useLatest(onDrop);

  // Loaded by itself: a page that is being rendered has nothing to drag.
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

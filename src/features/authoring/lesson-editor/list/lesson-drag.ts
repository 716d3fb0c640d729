import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';

export type Side = 'before' | 'after';

/**
 * Makes a row draggable by its handle, and a target for others.
 * @param on hears of the row's own drag, of the side where another would land, and of a drop
 * @returns the cleanup
 */
export function makeDraggable<Id extends number | string>(
  { row, handle, id }: { row: HTMLElement; handle: HTMLElement; id: Id },
  on: {
    drag: (isDragged: boolean) => void;
    hover: (side: Side | null) => void;
    land: (id: Id, side: Side) => void;
  },
): () => void {
  const sideOf = (clientY: number): Side => {
    const { top, height } = row.getBoundingClientRect();
    return clientY < top + height / 2 ? 'before' : 'after';
  };
  return combine(
    draggable({
      element: row,
      dragHandle: handle,
      getInitialData: () => ({ lessonId: id }),
      onDragStart: () => on.drag(true),
      onDrop: () => on.drag(false),
    }),
    dropTargetForElements({
      element: row,
      canDrop: ({ source }) => 'lessonId' in source.data && source.data.lessonId !== id,
      onDrag: ({ location }) => on.hover(sideOf(location.current.input.clientY)),
      onDragLeave: () => on.hover(null),
      onDrop: ({ source, location }) => {
        on.hover(null);
        on.land(source.data.lessonId as Id, sideOf(location.current.input.clientY));
      },
    }),
  );
}

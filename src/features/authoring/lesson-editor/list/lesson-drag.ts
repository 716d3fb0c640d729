import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';

export type Side = 'before' | 'after';

/**
 * Makes a row of a list one that is dragged by its handle and that others are dropped on.
 *
 * @param on told when the row itself is dragged, on which side of it another one would land, and what landed there
 * @returns takes it back
 */
export function makeDraggable<Id extends number | string>(
  { row, handle, id }: { row: HTMLElement; handle: HTMLElement; id: Id },
  on: {
    drag: (isDragged: boolean) => void;
    hover: (side: Side | null) => void;
    land: (id: Id, side: Side) => void;
  },
): () => void {
  const sideOf = (data: Record<string | symbol, unknown>): Side =>
    extractClosestEdge(data) === 'top' ? 'before' : 'after';
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
      getData: ({ input, element }) =>
        attachClosestEdge({}, { input, element, allowedEdges: ['top', 'bottom'] }),
      onDrag: ({ self }) => on.hover(sideOf(self.data)),
      onDragLeave: () => on.hover(null),
      onDrop: ({ source, self }) => {
        on.hover(null);
        on.land(source.data.lessonId as Id, sideOf(self.data));
      },
    }),
  );
}

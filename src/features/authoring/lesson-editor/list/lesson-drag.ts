import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
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

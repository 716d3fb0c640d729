import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { Button } from '#src/components/Button.tsx';

export function RowTools({
  name,
  isFirst,
  isLast,
  onMove,
  onRemove,
}: {
  /** After "Move …", such as `hint 2`. */
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}) {
  return (
    <div className="flex shrink-0">
      <Button
        variant="ghost"
        size="icon-sm"
        className="max-sm:size-11"
        aria-label={`Move ${name} up`}
        aria-disabled={isFirst || undefined}
        onClick={() => !isFirst && onMove(-1)}
      >
        <ArrowUp aria-hidden="true" className={isFirst ? 'opacity-35' : ''} />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        className="max-sm:size-11"
        aria-label={`Move ${name} down`}
        aria-disabled={isLast || undefined}
        onClick={() => !isLast && onMove(1)}
      >
        <ArrowDown aria-hidden="true" className={isLast ? 'opacity-35' : ''} />
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        className="text-danger! max-sm:size-11"
        aria-label={`Remove ${name}`}
        onClick={onRemove}
      >
        <Trash2 aria-hidden="true" />
      </Button>
    </div>
  );
}

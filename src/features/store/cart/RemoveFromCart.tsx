import { Trash2 } from 'lucide-react';
import { Button } from '#src/components/Button.tsx';

export function RemoveFromCart({
  courseId,
  title,
  onRemove,
}: {
  courseId: number;
  title: string;
  onRemove: () => void;
}) {
  return (
    <form
      method="post"
      action="/cart"
      className="-mr-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        onRemove();
      }}
    >
      <input type="hidden" name="course" value={courseId} />
      <Button
        type="submit"
        name="wish"
        value="remove"
        variant="ghost"
        size="sm"
        aria-label={`Remove ${title}`}
      >
        <Trash2 aria-hidden="true" /> Remove
      </Button>
    </form>
  );
}

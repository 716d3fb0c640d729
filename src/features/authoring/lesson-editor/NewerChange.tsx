import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import type { ChangedFields } from '#src/features/authoring/courses/schema.ts';

const SHOWN_MAX = 200;

/** Shows a colleague's newer change and lets the person decide which one stays. */
export function NewerChange({
  what,
  newer,
  onOverwrite,
  onDiscard,
}: {
  what: string;
  newer: ChangedFields;
  onOverwrite: () => void;
  onDiscard?: (() => void) | undefined;
}) {
  return (
    <Alert tone="warning" title={`Somebody else changed this ${what} meanwhile`} live>
      {newer.changed.length > 0 ? (
        <>
          <p>Nothing was saved. These fields are different from yours now:</p>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            {newer.changed.map(({ field, label, value }) => (
              <li key={field} className="break-words">
                <span className="font-semibold">{label}:</span>{' '}
                {value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value || 'empty'}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>What they saved is the same as yours.</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2.5">
        <Button size="sm" variant="secondary" onClick={onOverwrite}>
          Save mine over theirs
        </Button>
        <Button
          size="sm"
          variant="secondary"
          onClick={() => {
            onDiscard?.();
            location.reload();
          }}
        >
          Discard mine
        </Button>
      </div>
    </Alert>
  );
}

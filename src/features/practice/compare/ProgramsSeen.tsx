import { useState } from 'react';
import { Checkbox } from '#src/components/Checkbox.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { hideProgramsCall } from './schema.ts';

export function ProgramsSeen({ hidden: initial }: { hidden: boolean }) {
  const [hidden, setHidden] = useState(initial);
  const [saving, setSaving] = useState(false);
  const save = async (next: boolean) => {
    setHidden(next);
    setSaving(true);
    try {
      await call(hideProgramsCall, { input: { hidden: next } });
    } catch (error) {
      setHidden(!next);
      toast({
        title: 'Not saved',
        description: messageOf(error, 'Your choice could not be saved. Please try again.'),
        variant: 'destructive',
      });
    } finally {
      setSaving(false);
    }
  };
  return (
    <section aria-labelledby="programs-seen" className="mt-7">
      <h2 id="programs-seen" className="font-semibold">
        Who sees your program
      </h2>
      <p className="mt-1 mb-3 text-sm text-ink-soft">
        Once it has passed, others who have passed too may see it, without your name and without comments. You
        see theirs.
      </p>
      <Checkbox
        label="Keep my programs out"
        hint="In every lesson. You still see those of others."
        checked={hidden}
        disabled={saving}
        onCheckedChange={(checked) => void save(checked === true)}
      />
    </section>
  );
}

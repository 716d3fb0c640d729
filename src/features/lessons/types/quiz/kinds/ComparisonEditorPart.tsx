import { Checkbox } from '#src/components/Checkbox.tsx';

export function ComparisonEditor({
  matchCase,
  forgiveTypos,
  onChange,
}: {
  matchCase: boolean;
  forgiveTypos: boolean;
  onChange: (values: { matchCase?: boolean; forgiveTypos?: boolean }) => void;
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Checkbox
        label="Capitals count"
        hint="“paris” is then not “Paris”."
        checked={matchCase}
        onCheckedChange={(checked) => onChange({ matchCase: checked === true })}
      />
      <Checkbox
        label="Forgive typos"
        hint="One wrong, missing or extra letter from 4 letters on, two from 8; none where there is a digit."
        checked={forgiveTypos}
        onCheckedChange={(checked) => onChange({ forgiveTypos: checked === true })}
      />
    </div>
  );
}

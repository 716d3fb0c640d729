import { Field } from '#src/components/Field.tsx';
import { NumberInput } from '#src/components/NumberInput.tsx';
import type { FieldErrors } from '#src/shared/errors.ts';
import { type CodingLanguage, codingLanguage } from './languages.ts';
import { CODE_LIMITS, type CodeLimits } from './limits.ts';

interface Props {
  limits: CodeLimits;
  language: CodingLanguage;
  errors: FieldErrors;
  onChange: (limits: CodeLimits) => void;
}

export function LimitFields({ limits, language, errors, onChange }: Props) {
  const { secondsMin, secondsMax, memoryMbMin, memoryMbMax } = CODE_LIMITS;
  // What was set before the language changed is shown until its author takes it away.
  const showsMemory = codingLanguage(language).hasMemoryLimit || limits.memoryMb !== undefined;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="Seconds for each test"
        optional
        hint={`${secondsMin} to ${secondsMax}, of processor time. Empty: ${language === 'javascript' ? 1 : 2}.`}
        error={errors['codeLimits.seconds']}
      >
        <NumberInput
          inputMode="decimal"
          value={limits.seconds}
          onChange={(seconds) => onChange({ ...limits, seconds: seconds as number })}
        />
      </Field>
      {showsMemory && (
        <Field
          label="Memory in MB"
          optional
          hint={`${memoryMbMin} to ${memoryMbMax}. Empty: ${language === 'react' ? 128 : 64}.`}
          error={errors['codeLimits.memoryMb']}
        >
          <NumberInput
            value={limits.memoryMb}
            onChange={(memoryMb) => onChange({ ...limits, memoryMb: memoryMb as number })}
          />
        </Field>
      )}
    </div>
  );
}

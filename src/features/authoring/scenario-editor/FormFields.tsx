import { Checkbox } from '#src/components/Checkbox.tsx';
import type { Condition, Effect } from '#src/features/scenario/scenario.ts';
import { GroupsField } from './GroupList.tsx';
import { ConditionEditor } from './ScenarioConditions.tsx';
import { EffectsEditor } from './ScenarioEffects.tsx';
import {
  BlockField,
  ChoiceField,
  LineField,
  LinesField,
  MarkdownField,
  NumberField,
} from './ScenarioFields.tsx';
import type { FieldOf, FormOf } from './scenario-field.ts';

/** A form from the description of its fields. */
export function FormFields<T extends object>({
  fields,
  form,
}: {
  fields: readonly FieldOf<T>[];
  form: FormOf<T>;
}) {
  return fields.map((field) => <FormField key={field.name} field={field} form={form} />);
}

function FormField<T extends object>({ field, form }: { field: FieldOf<T>; form: FormOf<T> }) {
  if (field.as === 'other') return field.draw(form);
  if (field.as === 'row')
    return (
      <div className={`grid ${field.className}`}>
        <FormFields fields={field.fields} form={form} />
      </div>
    );
  const { item, name, others, onChange } = form;
  const at = form.at ? `${form.at}.${field.name}` : field.name;
  // A description names only fields that hold what its kind of field takes.
  const value = (item as Record<string, unknown>)[field.name];
  const set = (next: unknown) => onChange({ [field.name]: next } as Partial<T>);
  const setText = (text: string) => set(text === '' && 'optional' in field ? undefined : text);
  switch (field.as) {
    case 'line': {
      const { onLeave } = field;
      const leave = () => {
        const part = onLeave?.(item, others);
        if (part) onChange(part);
      };
      return (
        <LineField {...field} at={at} value={(value as string) ?? ''} onChange={setText} onBlur={leave} />
      );
    }
    case 'block':
      return <BlockField {...field} at={at} value={(value as string) ?? ''} onChange={setText} />;
    case 'markdown':
      return <MarkdownField {...field} at={at} value={(value as string) ?? ''} onChange={setText} />;
    case 'number':
      return (
        <NumberField {...field} at={at} value={(value as number) ?? field.initial ?? 0} onChange={set} />
      );
    case 'lines':
      return <LinesField {...field} at={at} value={(value as string[]) ?? []} onChange={set} />;
    case 'groups':
      return (
        <GroupsField {...field} at={at} name={name} value={(value as string[][]) ?? []} onChange={set} />
      );
    case 'choice':
      return (
        <ChoiceField {...field} at={at} value={(value as string) ?? field.initial ?? ''} onChange={set} />
      );
    case 'condition':
      return <ConditionEditor {...field} at={at} value={value as Condition | undefined} onChange={set} />;
    case 'effects':
      return <EffectsEditor at={at} name={name} effects={(value as Effect[]) ?? []} onChange={set} />;
    case 'check':
      return (
        <Checkbox
          label={field.label}
          hint={field.hint}
          checked={(value as boolean) ?? field.initial ?? false}
          onCheckedChange={(checked) => set(checked === true)}
        />
      );
  }
}

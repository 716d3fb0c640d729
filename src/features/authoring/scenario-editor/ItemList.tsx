import { ArrowDown, ArrowUp, ChevronRight, Copy, EllipsisVertical, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { Field } from '#src/components/Field.tsx';
import { errorClass } from '#src/components/field.ts';
import { Input } from '#src/components/Input.tsx';
import { Menu, MenuItem } from '#src/components/Menu.tsx';
import { counted } from '#src/shared/counted.ts';
import { FormFields } from './FormFields.tsx';
import { AddButton, useEditor } from './ScenarioFields.tsx';
import { type Draft, freeId, type Variable } from './scenario-draft.ts';
import { type FieldOf, withPart } from './scenario-field.ts';
import { useItems } from './use-items.tsx';

type ListName = 'resources' | 'panels' | 'goals' | 'rules' | 'events';
type ItemOf<L extends ListName> = NonNullable<Draft[L]>[number];

export interface ListForm<L extends ListName> {
  list: L;
  kind: string;
  heading: string;
  hint: string;
  titleOf: (item: ItemOf<L>) => string;
  noteOf?: (item: ItemOf<L>, all: readonly ItemOf<L>[]) => string | undefined;
  blank: (items: readonly ItemOf<L>[], variables: readonly Variable[]) => ItemOf<L>;
  fields: readonly FieldOf<ItemOf<L>>[];
  search?: { placeholder: string; textOf: (item: ItemOf<L>) => string };
}

const SEARCHED_FROM = 6;

export function ItemList<L extends ListName>({
  form: { list, kind, heading, hint, titleOf, noteOf, blank, fields, search },
  draft,
  onChange,
}: {
  form: ListForm<L>;
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}) {
  type Item = ItemOf<L>;
  const [typed, setTyped] = useState('');
  const { target, variables } = useEditor();
  const { items, keys, fresh, change, add, move, remove } = useItems<Item>(
    (draft[list] ?? []) as readonly Item[],
    (next) => onChange({ [list]: next } as Partial<Draft>),
  );
  const noun = kind.toLowerCase();
  const wanted = typed.trim().toLowerCase();
  const isShown = (item: Item, index: number) =>
    wanted === '' ||
    search?.textOf(item).toLowerCase().includes(wanted) ||
    target?.key === `${list}.${index}`;
  const copyOf = (item: Item): Item =>
    'id' in item ? { ...item, id: freeId(item.id, items as readonly { id: string }[]) } : item;
  return (
    <section data-at={list} aria-labelledby={`scenario-${list}`}>
      <h3 id={`scenario-${list}`} className="text-subheading">
        {heading}
      </h3>
      <p className="mt-1 text-sm text-ink-soft">{hint}</p>
      {search && items.length >= SEARCHED_FROM && (
        <div className="mt-3">
          <Field label={`Search the ${noun}s`} hideLabel>
            <Input
              type="search"
              value={typed}
              placeholder={search.placeholder}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
          <p role="status" className="mt-1.5 text-sm text-ink-soft">
            {wanted !== '' && `${items.filter(isShown).length} of `}
            {counted(items.length, noun)}
          </p>
        </div>
      )}
      <ol className="mt-3 grid gap-3">
        {items.map((item, index) => {
          const at = `${list}.${index}`;
          const name = `${kind} ${index + 1}`;
          const others = items.filter((_, other) => other !== index);
          return (
            <li key={keys[index]} hidden={!isShown(item, index)}>
              <ItemCard
                at={at}
                kind={name}
                title={titleOf(item)}
                note={noteOf?.(item, items)}
                fresh={keys[index] === fresh}
                canMove={{ up: wanted === '' && index > 0, down: wanted === '' && index < items.length - 1 }}
                onMove={(by) => move(index, by)}
                onDuplicate={() => add(copyOf(item), index)}
                onRemove={() => remove(index, titleOf(item) || name)}
              >
                <div className="grid gap-5">
                  <FormFields
                    fields={fields}
                    form={{
                      item,
                      at,
                      name,
                      others,
                      onChange: (part) => change(index, withPart(item, part)),
                    }}
                  />
                </div>
              </ItemCard>
            </li>
          );
        })}
      </ol>
      <div className="mt-3">
        <AddButton
          onClick={() => {
            setTyped('');
            add(blank(items, variables));
          }}
        >
          Add {noun}
        </AddButton>
      </div>
    </section>
  );
}

/** An opened body stays in the page, so that typed text stays. */
function ItemCard({
  at,
  kind,
  title,
  note,
  fresh,
  canMove,
  onMove,
  onDuplicate,
  onRemove,
  children,
}: {
  at: string;
  kind: string;
  title: string;
  note?: ReactNode;
  fresh: boolean;
  canMove: { up: boolean; down: boolean };
  onMove: (by: 1 | -1) => void;
  onDuplicate: () => void;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { findings, target } = useEditor();
  const [open, setOpen] = useState(fresh);
  const [wasOpen, setWasOpen] = useState(fresh);
  const id = useId();
  const head = useRef<HTMLButtonElement>(null);
  const wanted = target?.key === at ? target.count : 0;
  useEffect(() => {
    if (wanted > 0) setOpen(true);
  }, [wanted]);
  const [takesFocus] = useState(fresh);
  useEffect(() => {
    if (takesFocus) head.current?.focus();
  }, [takesFocus]);
  if (open && !wasOpen) setWasOpen(true);
  const own = findings.filter(({ place }) => place.slice(0, 2).join('.') === at);
  const whole = own.filter(({ place }) => place.length === 2);
  const errors = own.filter(({ level }) => level === 'error').length;
  return (
    <div className="card">
      <div className="flex items-center gap-1 py-1.5 pr-1.5 pl-2">
        <h4 className="min-w-0 flex-1">
          <button
            ref={head}
            type="button"
            data-at={at}
            aria-expanded={open}
            aria-controls={id}
            className="flex min-h-11 w-full items-center gap-2 rounded-sm px-1.5 text-left"
            onClick={() => setOpen(!open)}
          >
            <ChevronRight
              aria-hidden="true"
              className={classNames(
                'size-4 shrink-0 text-ink-soft transition-transform',
                open && 'rotate-90',
              )}
            />
            <span className="min-w-0 flex-1">
              <span className="block text-xs text-ink-soft">{kind}</span>
              <span className="block font-semibold break-words">{title || 'Without a title'}</span>
            </span>
            {errors > 0 ? (
              <Badge tone="danger">{counted(errors, 'error')}</Badge>
            ) : own.length > 0 ? (
              <Badge tone="warning">{counted(own.length, 'warning')}</Badge>
            ) : null}
            {note && <span className="shrink-0 text-sm text-ink-soft max-sm:hidden">{note}</span>}
          </button>
        </h4>
        <Menu
          align="end"
          trigger={
            <Button
              variant="ghost"
              size="icon-sm"
              className="size-11 shrink-0"
              aria-label={`${kind}: move, copy or delete`}
            >
              <EllipsisVertical aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem icon={<ArrowUp aria-hidden="true" />} disabled={!canMove.up} onSelect={() => onMove(-1)}>
            Move up
          </MenuItem>
          <MenuItem
            icon={<ArrowDown aria-hidden="true" />}
            disabled={!canMove.down}
            onSelect={() => onMove(1)}
          >
            Move down
          </MenuItem>
          <MenuItem icon={<Copy aria-hidden="true" />} onSelect={onDuplicate}>
            Duplicate
          </MenuItem>
          <MenuItem icon={<Trash2 aria-hidden="true" />} danger onSelect={onRemove}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <div id={id} hidden={!open} className="border-t border-line px-4 pt-4 pb-5 sm:px-5">
        {(open || wasOpen) && (
          <>
            {whole.length > 0 && (
              <ul className="mb-4 grid gap-1.5">
                {whole.map(({ code, level, message }) => (
                  <li
                    key={`${code} ${message}`}
                    className={level === 'error' ? errorClass : 'text-sm font-medium text-warning'}
                  >
                    {message}
                  </li>
                ))}
              </ul>
            )}
            {children}
          </>
        )}
      </div>
    </div>
  );
}

import { ArrowDown, ArrowUp, ChevronDown, GripVertical, Plus, TextCursorInput, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { Dialog } from '#src/components/Dialog.tsx';
import { Field } from '#src/components/Field.tsx';
import { Input } from '#src/components/Input.tsx';
import { Menu, MenuItem } from '#src/components/Menu.tsx';
import { LessonTypeIcon } from '#src/features/lessons/LessonTypeIcon.tsx';
import { LESSON_TYPE_DEFINITIONS } from '#src/features/lessons/registry.ts';
import { LESSON_MAX } from '#src/features/lessons/lesson-limits.ts';
import { counted } from '#src/shared/counted.ts';
import type { Side } from './lesson-drag.ts';
import type { Section } from './sections.ts';
import { type Direction, moveButtonId } from './LessonRow.tsx';
import { useDragRow } from './use-drag-row.ts';

/** Also part of an HTML id, so without spaces. */
export const sectionDragId = (key: string) => `section-${encodeURIComponent(key.toWellFormed())}`;

/** The heading of a section: folds, drags, moves and renames it. */
export function SectionHead({
  section,
  courseId,
  index,
  count,
  isFolded,
  taken,
  onFold,
  onMove,
  onDrop,
  onRename,
  onRemove,
}: {
  section: Section;
  courseId: number;
  /** From 0. */
  index: number;
  count: number;
  isFolded: boolean;
  taken: readonly string[];
  onFold: () => void;
  onMove: (direction: Direction) => void;
  onDrop: (landed: number | string, side: Side) => void;
  onRename: (name: string) => void;
  onRemove: () => void;
}) {
  const { key, title, lessons } = section;
  const name = title || 'No section';
  const { row, handle, className } = useDragRow<number | string, HTMLDivElement>(
    sectionDragId(key),
    (landed, _, side) => onDrop(landed, side),
  );
  const mover = (direction: Direction, canMove: boolean) => {
    const Arrow = direction === 'up' ? ArrowUp : ArrowDown;
    return (
      <Button
        variant="ghost"
        size="icon-sm"
        className="max-sm:size-11"
        id={moveButtonId(sectionDragId(key), direction)}
        aria-label={`Move section ${name} ${direction}`}
        aria-disabled={!canMove || undefined}
        onClick={() => canMove && onMove(direction)}
      >
        <Arrow aria-hidden="true" className={canMove ? '' : 'opacity-35'} />
      </Button>
    );
  };
  return (
    <div
      ref={row}
      className={classNames(
        'relative flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 pr-3 pl-2',
        className,
      )}
    >
      <span
        ref={handle}
        aria-hidden="true"
        title="Drag the section to another place"
        className="grid size-9 shrink-0 cursor-grab place-items-center rounded-sm text-ink-faint hover:text-ink active:cursor-grabbing"
      >
        <GripVertical className="size-5" />
      </span>
      <h2 className={classNames('min-w-0 flex-1 basis-48 text-subheading', !title && 'text-ink-soft')}>
        <button
          type="button"
          aria-expanded={!isFolded}
          className="flex min-h-11 w-full items-center gap-2 text-left break-words"
          onClick={onFold}
        >
          <ChevronDown
            aria-hidden="true"
            className={classNames('size-5 shrink-0', isFolded && '-rotate-90')}
          />
          <span className="min-w-0">{name}</span>
          <span className="text-sm font-normal text-ink-soft tabular-nums">
            {counted(lessons.length, 'lesson')}
          </span>
        </button>
      </h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
      <div role="group" aria-label={`Actions for section ${name}`} className="flex items-center max-sm:ml-9">
        {mover('up', index > 0)}
        {mover('down', index < count - 1)}
        <Menu
          trigger={
            <Button
              variant="ghost"
              size="icon-sm"
              className="max-sm:size-11"
              aria-label={`New lesson in ${name}`}
            >
              <Plus aria-hidden="true" />
            </Button>
          }
        >
          {LESSON_TYPE_DEFINITIONS.map(({ name: type, shortLabel }) => (
            <MenuItem
              key={type}
              icon={<LessonTypeIcon type={type} inContentList />}
              onSelect={() =>
                location.assign(
                  `/admin/courses/${courseId}/content/new?type=${type}&section=${encodeURIComponent(title)}`,
                )
              }
            >
              {shortLabel}
            </MenuItem>
          ))}
        </Menu>
        <NameSection
          title={title ? 'Rename section' : 'Name this section'}
          present={title}
          taken={taken}
          onName={onRename}
          trigger={
            <Button
              variant="ghost"
              size="icon-sm"
              className="max-sm:size-11"
              aria-label={title ? `Rename section ${title}` : 'Name the section of these lessons'}
            >
              <TextCursorInput aria-hidden="true" />
            </Button>
          }
        />
        {lessons.length === 0 && (
          <Button
            variant="ghost"
            size="icon-sm"
            className="text-danger! max-sm:size-11"
            aria-label={`Remove section ${name}`}
            onClick={onRemove}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        )}
      </div>
    </div>
  );
}

export function NameSection({
  title,
  present,
  taken,
  trigger,
  onName,
}: {
  title: string;
  /** '' for a new one, or for lessons without a section. */
  present: string;
  taken: readonly string[];
  trigger: ReactNode;
  onName: (name: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(present);
  const [error, setError] = useState<string>();
  return (
    <Dialog
      size="sm"
      title={title}
      open={open}
      onOpenChange={(next) => {
        setName(present);
        setError(undefined);
        setOpen(next);
      }}
      trigger={trigger}
      footer={
        <>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button type="submit" form="name-section">
            Save name
          </Button>
        </>
      }
    >
      <form
        id="name-section"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const next = name.trim();
          if (next === '' && present === '') return setError('Section is required');
          if (next === present) return setOpen(false);
          if (taken.includes(next)) return setError('There is a section of this name already');
          setOpen(false);
          onName(next);
        }}
      >
        <Field
          label="Section"
          {...(present
            ? { optional: true, hint: 'Empty for lessons without a section.' }
            : { required: true })}
          error={error}
        >
          <Input
            value={name}
            maxLength={LESSON_MAX.section}
            onChange={(event) => {
              setName(event.target.value);
              setError(undefined);
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}

import { ArrowDown, ArrowUp, GripVertical, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { AlertDialog } from '#src/components/AlertDialog.tsx';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { classNames } from '#src/components/class-names.ts';
import { LessonTypeIcon } from '#src/features/lessons/LessonTypeIcon.tsx';
import { type LessonType, lessonTypeLabel } from '#src/features/lessons/registry.ts';
import type { Side } from './lesson-drag.ts';
import { useDragRow } from './use-drag-row.ts';

export type Direction = 'up' | 'down';

/** Finds a row's button again after the row is drawn elsewhere. */
export const moveButtonId = (id: number | string, direction: Direction) => `move-${id}-${direction}`;

interface Props<Id> {
  id: Id;
  lesson: {
    title: string;
    type: LessonType;
    duration: string;
    isPreview: boolean;
    requiredToComplete: boolean;
  };
  /** '' hides them. */
  points: string;
  /** From 1. */
  number: number;
  count: number;
  href?: string;
  onEdit?: () => void;
  onMove: (direction: Direction) => void;
  onDrop: (landed: Id, targetId: Id, side: Side) => void;
  deletionNotice: string;
  /** Learners keep it until publishing. */
  deletesLater?: boolean;
  onDelete: () => void | Promise<void>;
  more?: ReactNode;
  badge?: ReactNode;
  mark?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
}

/** A lesson in an ordered list: of a course's content, or in the builder. */
export function LessonRow<Id extends number | string>(props: Props<Id>) {
  const { id, lesson, number, href } = props;
  const { row, handle, className } = useDragRow(id, props.onDrop);
  const facts = [lessonTypeLabel(lesson.type), lesson.duration, props.points].filter(Boolean);
  const small = 'max-sm:size-11';
  const title = (
    <>
      <span className="text-ink-soft tabular-nums">{number}.</span> {lesson.title}
    </>
  );
  const mover = (direction: Direction, canMove: boolean) => {
    const Arrow = direction === 'up' ? ArrowUp : ArrowDown;
    return (
      <Button
        variant="ghost"
        size="icon-sm"
        className={small}
        id={moveButtonId(id, direction)}
        aria-label={`Move ${lesson.title} ${direction}`}
        aria-disabled={!canMove || undefined}
        onClick={() => canMove && props.onMove(direction)}
      >
        <Arrow aria-hidden="true" className={canMove ? '' : 'opacity-35'} />
      </Button>
    );
  };
  return (
    <li
      ref={row}
      className={classNames(
        'relative flex flex-wrap items-center gap-x-3 gap-y-1 bg-surface py-2.5 pr-3 pl-2 last:rounded-b-lg sm:flex-nowrap sm:pr-4',
        props.className,
        className,
      )}
    >
      <span
        ref={handle}
        aria-hidden="true"
        title="Drag to another place"
        className="grid size-9 shrink-0 cursor-grab place-items-center rounded-sm text-ink-faint hover:text-ink active:cursor-grabbing"
      >
        <GripVertical className="size-5" />
      </span>
      {props.mark}
      <LessonTypeIcon
        type={lesson.type}
        inContentList={href !== undefined}
        className="size-5 shrink-0 text-ink-soft max-sm:hidden"
      />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          {href ? (
            <a href={href} className="quiet-link font-semibold break-words">
              {title}
            </a>
          ) : (
            <span className="font-semibold break-words">{title}</span>
          )}
          {props.badge}
          {lesson.isPreview && <Badge tone="info">Free preview</Badge>}
          {!lesson.requiredToComplete && <Badge tone="neutral">Optional</Badge>}
        </p>
        <p className="text-sm text-ink-soft tabular-nums">{facts.join('\u00a0· ')}</p>
        {props.children}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
      <div role="group" aria-label={`Actions for ${lesson.title}`} className="flex items-center max-sm:ml-9">
        {mover('up', number > 1)}
        {mover('down', number < props.count)}
        <Button
          variant="ghost"
          size="icon-sm"
          className={small}
          id={`edit-${id}`}
          aria-label={`Edit ${lesson.title}`}
          {...(href ? { href } : { onClick: props.onEdit })}
        >
          <Pencil aria-hidden="true" />
        </Button>
        <AlertDialog
          title="Are you sure you want to delete this lesson?"
          description={props.deletionNotice}
          confirmLabel={props.deletesLater ? 'Delete' : 'Delete for good'}
          destructive
          onConfirm={props.onDelete}
          trigger={
            <Button
              variant="ghost"
              size="icon-sm"
              className={classNames(small, 'text-danger!')}
              aria-label={`Delete ${lesson.title}`}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          }
        />
        {props.more}
      </div>
    </li>
  );
}

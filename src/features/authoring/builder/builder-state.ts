import type { FieldErrors } from '#src/shared/errors.ts';
import { type BuilderDraft, type CourseDraft, type DraftLesson, newDraft, tidied } from './builder.ts';

/** What the course builder shows, and what it still has to do about it. */
export interface BuilderState {
  draft: BuilderDraft;
  /** When the draft that came back was kept, ISO 8601; null where none came back, or nobody needs to hear of it. */
  restoredFrom: string | null;
  /** Whether this device keeps the draft; `elsewhere`: another tab does. */
  keeping: 'yes' | 'impossible' | 'elsewhere';
  errors: FieldErrors;
  sending: boolean;
  /** The course exists: nothing of it is kept here any more. */
  isMade: boolean;
  announcement: string;
  /** Counts what is opened: opening a lesson anew draws its form anew. */
  opened: number;
  /** The open lesson as its form began, as JSON. */
  openedAs: string;
  /** Whose turn it is to have the focus: an id, in an object of its own for each time. */
  focus: { id: string } | null;
}

export type BuilderAction =
  | { do: 'begin'; draftId: string; typed: Partial<CourseDraft> }
  | { do: 'restore'; draft: BuilderDraft }
  | { do: 'hideRestored' }
  | { do: 'discard'; draftId: string }
  | { do: 'keep'; keeping: BuilderState['keeping'] }
  | { do: 'goOnHere' }
  | { do: 'changeCourse'; field: keyof CourseDraft; value: string }
  | { do: 'place'; whenProven: boolean }
  | { do: 'open'; lesson: DraftLesson }
  | { do: 'type'; lesson: Omit<DraftLesson, 'key' | 'type' | 'order'> }
  | { do: 'cancel' }
  | { do: 'save'; lesson: Omit<DraftLesson, 'key' | 'type' | 'order'> }
  | { do: 'move'; lessons: DraftLesson[]; key: string; focus: string | null }
  | { do: 'delete'; key: string; focus: string }
  | { do: 'send' }
  | { do: 'refuse'; errors: FieldErrors }
  | { do: 'made' };

export function newBuilder(): BuilderState {
  return {
    draft: newDraft(''),
    restoredFrom: null,
    keeping: 'yes',
    errors: {},
    sending: false,
    isMade: false,
    announcement: '',
    opened: 0,
    openedAs: 'null',
    focus: null,
  };
}

/** Whether something was changed in the open lesson since its form began. */
export const isOpenChanged = ({ draft: { open }, openedAs }: BuilderState): boolean =>
  open !== null && JSON.stringify(open) !== openedAs;

/** The state with another list of lessons; what was refused of lessons goes, because it names them by their places. */
function withLessons(state: BuilderState, lessons: DraftLesson[], announcement: string): BuilderState {
  const errors = Object.fromEntries(
    Object.entries(state.errors).filter(([path]) => !path.startsWith('lessons.')),
  );
  return { ...state, draft: { ...state.draft, lessons }, errors, announcement };
}

function withOpen(state: BuilderState, open: DraftLesson | null, focus: string): BuilderState {
  return {
    ...state,
    draft: { ...state.draft, open },
    opened: state.opened + 1,
    openedAs: JSON.stringify(open),
    focus: { id: focus },
  };
}

/** The state after what an author, the server or this device did. */
export function builderReducer(state: BuilderState, action: BuilderAction): BuilderState {
  const { draft } = state;
  const { lessons, open } = draft;
  switch (action.do) {
    case 'begin': {
      const course = { ...draft.course, ...action.typed, level: draft.course.level };
      return { ...state, draft: { ...draft, draftId: action.draftId, course } };
    }
    case 'restore':
      return {
        ...state,
        draft: action.draft,
        restoredFrom: action.draft.keptAt,
        openedAs: JSON.stringify(action.draft.open),
      };
    case 'hideRestored':
      return { ...state, restoredFrom: null };
    case 'discard':
      return {
        ...newBuilder(),
        draft: newDraft(action.draftId),
        keeping: state.keeping,
        opened: state.opened + 1,
        announcement: 'The draft was discarded.',
      };
    case 'keep':
      return state.keeping === action.keeping ? state : { ...state, keeping: action.keeping };
    case 'goOnHere':
      // A draft of its own is one that changed: it is kept at once.
      return { ...state, keeping: 'yes', draft: { ...draft } };
    case 'changeCourse': {
      const { [action.field]: _, ...errors } = state.errors;
      const course = { ...draft.course, [action.field]: action.value };
      return { ...state, errors, draft: { ...draft, course } };
    }
    case 'place':
      return { ...state, draft: { ...draft, whenProven: action.whenProven } };
    case 'open':
      return withOpen(state, action.lesson, 'lesson-editor');
    case 'type': {
      if (!open) return state;
      const typed = { ...action.lesson, order: 1, key: open.key, type: open.type };
      return { ...state, draft: { ...draft, open: typed } };
    }
    case 'cancel': {
      const isAdded = lessons.some(({ key }) => key === open!.key);
      return withOpen(state, null, isAdded ? `edit-${open!.key}` : `add-${open!.type}`);
    }
    case 'save': {
      const lesson = tidied({ ...action.lesson, key: open!.key, type: open!.type, order: 1 });
      const index = lessons.findIndex(({ key }) => key === lesson.key);
      const next =
        index === -1
          ? withLessons(
              state,
              [...lessons, lesson],
              `${lesson.title} was added as lesson ${lessons.length + 1}.`,
            )
          : withLessons(state, lessons.with(index, lesson), `${lesson.title} was saved.`);
      return withOpen(next, null, `edit-${lesson.key}`);
    }
    case 'move': {
      const index = action.lessons.findIndex(({ key }) => key === action.key);
      const { title } = action.lessons[index]!;
      const next = withLessons(
        state,
        action.lessons,
        `${title} is now lesson ${index + 1} of ${lessons.length}.`,
      );
      return action.focus === null ? next : { ...next, focus: { id: action.focus } };
    }
    case 'delete': {
      const gone = lessons.find(({ key }) => key === action.key);
      const left = lessons.filter((lesson) => lesson !== gone);
      const next = withLessons(state, left, `${gone?.title} was deleted.`);
      return open?.key === action.key
        ? withOpen(next, null, action.focus)
        : { ...next, focus: { id: action.focus } };
    }
    case 'send':
      return { ...state, sending: true };
    case 'refuse':
      return { ...state, sending: false, errors: action.errors };
    case 'made':
      return { ...state, isMade: true };
  }
}

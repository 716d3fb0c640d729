import { type ActionDispatch, type RefObject, useEffect, useReducer } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { BUILT_FIELDS } from '#src/features/authoring/courses/course-fields.ts';
import { type CourseDraft, isBlankDraft } from './builder.ts';
import { type BuilderAction, type BuilderState, builderReducer, newBuilder } from './builder-state.ts';
import { draftKey, randomId, readCourseDraft, writeCourseDraft } from './draft-storage.ts';

/** Milliseconds without a change after which the draft is kept. */
const REST_MS = 400;

export type Dispatch = ActionDispatch<[BuilderAction]>;

/**
 * The state of the course builder, kept on this device while it changes.
 *
 * @param courseForm what was typed into it before this script was there is taken over
 */
export function useBuilder(
  userId: number,
  courseForm: RefObject<HTMLFormElement | null>,
): [BuilderState, Dispatch] {
  const [state, dispatch] = useReducer(builderReducer, undefined, newBuilder);
  const { draft } = state;

  useEffect(() => {
    const kept = readCourseDraft(userId);
    if (kept && !isBlankDraft(kept)) dispatch({ do: 'restore', draft: kept });
    else {
      const form = new FormData(courseForm.current!);
      // The form asks for more than the course's own fields.
      const typed = Object.fromEntries(
        BUILT_FIELDS.flatMap((name) => (form.has(name) ? [[name, String(form.get(name))]] : [])),
      ) as Partial<CourseDraft>;
      dispatch({ do: 'begin', draftId: randomId(), typed });
    }
  }, [userId, courseForm]);

  const latest = useLatest(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the draft changed
  useEffect(() => {
    const keep = () => {
      const { draft, keeping, isMade } = latest.current;
      if (isMade || !draft.draftId || keeping === 'elsewhere') return;
      const isBlank = isBlankDraft(draft);
      const kept = writeCourseDraft(userId, isBlank ? null : { ...draft, keptAt: new Date().toISOString() });
      dispatch({ do: 'keep', keeping: kept ? 'yes' : 'impossible' });
    };
    const timer = setTimeout(keep, REST_MS);
    // A page that is left within the rest keeps its last keystrokes too.
    addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
    };
  }, [draft, userId]);

  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === draftKey(userId) && event.newValue !== null)
        dispatch({ do: 'keep', keeping: 'elsewhere' });
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [userId]);

  return [state, dispatch];
}

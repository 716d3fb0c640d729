import { describe, expect, it } from 'vitest';
import { newLesson } from './builder.ts';
import {
  type BuilderAction,
  type BuilderState,
  builderReducer,
  isOpenChanged,
  newBuilder,
} from './builder-state.ts';

const lesson = (key: string) => ({ ...newLesson('text', key), title: `Lesson ${key}` });
const stateAfter = (...actions: BuilderAction[]): BuilderState =>
  actions.reduce(builderReducer, newBuilder());
const added = (...keys: string[]): BuilderAction[] =>
  keys.flatMap((key) => [
    { do: 'open', lesson: newLesson('text', key) },
    { do: 'save', lesson: lesson(key) },
  ]);
const keys = (state: BuilderState) => state.draft.lessons.map(({ key }) => key);

describe('the lessons of the builder', () => {
  it('adds a lesson at the end, says so and leads the focus to it', () => {
    const state = stateAfter(...added('a', 'b'));
    expect(keys(state)).toEqual(['a', 'b']);
    expect(state.announcement).toBe('Lesson b was added as lesson 2.');
    expect(state.focus).toEqual({ id: 'edit-b' });
    expect(state.draft.open).toBeNull();
  });

  it('saves a changed lesson in its place', () => {
    const state = stateAfter(
      ...added('a', 'b'),
      { do: 'open', lesson: lesson('a') },
      { do: 'save', lesson: { ...lesson('a'), title: ' New ' } },
    );
    expect(state.draft.lessons.map(({ title }) => title)).toEqual(['New', 'Lesson b']);
    expect(state.announcement).toBe('New was saved.');
  });

  it('knows whether the open lesson was changed, and keeps its type and key', () => {
    const opened = stateAfter({ do: 'open', lesson: newLesson('quiz', 'q') });
    expect(isOpenChanged(opened)).toBe(false);
    const typed = builderReducer(opened, { do: 'type', lesson: lesson('other') });
    expect(isOpenChanged(typed)).toBe(true);
    expect(typed.draft.open).toMatchObject({ key: 'q', type: 'quiz', title: 'Lesson other' });
  });

  it('draws the form anew each time a lesson is opened, and not while it is typed into', () => {
    const first = stateAfter({ do: 'open', lesson: lesson('a') });
    const typed = builderReducer(first, { do: 'type', lesson: lesson('a') });
    expect(typed.opened).toBe(first.opened);
    expect(builderReducer(typed, { do: 'open', lesson: lesson('a') }).opened).toBe(first.opened + 1);
  });

  it('leads the focus of a cancelled lesson to where it was opened', () => {
    const fresh = stateAfter({ do: 'open', lesson: newLesson('quiz', 'q') }, { do: 'cancel' });
    expect(fresh.focus).toEqual({ id: 'add-quiz' });
    const known = stateAfter(...added('a'), { do: 'open', lesson: lesson('a') }, { do: 'cancel' });
    expect(known.focus).toEqual({ id: 'edit-a' });
  });

  it('takes what was refused of lessons away when their places change, and nothing else', () => {
    const errors = { title: 'Title is required', 'lessons.0.title': 'Title is required' };
    const start = stateAfter(...added('a', 'b'), { do: 'refuse', errors });
    const turned = start.draft.lessons.toReversed();
    const moved = builderReducer(start, { do: 'move', lessons: turned, key: 'b', focus: 'move-b-up' });
    expect(moved.errors).toEqual({ title: 'Title is required' });
    expect(moved.announcement).toBe('Lesson b is now lesson 1 of 2.');
    expect(moved.focus).toEqual({ id: 'move-b-up' });
  });

  it('closes the form of a deleted lesson, and of no other', () => {
    const start = stateAfter(...added('a', 'b'), { do: 'open', lesson: lesson('a') });
    const other = builderReducer(start, { do: 'delete', key: 'b', focus: 'add-text' });
    expect([keys(other), other.draft.open?.key]).toEqual([['a'], 'a']);
    const same = builderReducer(start, { do: 'delete', key: 'a', focus: 'add-text' });
    expect([keys(same), same.draft.open]).toEqual([['b'], null]);
  });
});

describe('the draft of the builder', () => {
  it('takes over what was typed early, but for the level', () => {
    const state = stateAfter({ do: 'begin', draftId: 'd', typed: { title: 'Early', level: '' } });
    expect(state.draft).toMatchObject({ draftId: 'd', course: { title: 'Early', level: 'beginner' } });
  });

  it('comes back with the open lesson unchanged', () => {
    const draft = { ...stateAfter(...added('a'), { do: 'open', lesson: lesson('a') }).draft, keptAt: 'then' };
    const state = stateAfter({ do: 'restore', draft });
    expect(state.restoredFrom).toBe('then');
    expect(isOpenChanged(state)).toBe(false);
  });

  it('takes a message away with the field that it is about', () => {
    const state = stateAfter(
      { do: 'refuse', errors: { title: 'Title is required', price: 'Price is required' } },
      { do: 'changeCourse', field: 'price', value: '49' },
    );
    expect(state.errors).toEqual({ title: 'Title is required' });
  });

  it('is gone once it is discarded, but another tab still has it', () => {
    const state = stateAfter(
      ...added('a'),
      { do: 'keep', keeping: 'elsewhere' },
      { do: 'discard', draftId: 'next' },
    );
    expect([keys(state), state.draft.draftId, state.keeping]).toEqual([[], 'next', 'elsewhere']);
  });

  it('counts as changed when this tab goes on with it', () => {
    const elsewhere = stateAfter({ do: 'keep', keeping: 'elsewhere' });
    const here = builderReducer(elsewhere, { do: 'goOnHere' });
    expect(here.keeping).toBe('yes');
    expect(here.draft).not.toBe(elsewhere.draft);
  });

  it('can be sent again after a refusal', () => {
    expect(stateAfter({ do: 'send' }).sending).toBe(true);
    expect(stateAfter({ do: 'send' }, { do: 'refuse', errors: {} }).sending).toBe(false);
  });
});

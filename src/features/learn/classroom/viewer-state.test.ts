import { describe, expect, it } from 'vitest';
import type { LessonCompletion } from '#src/features/learn/schema.ts';
import { finishes, newViewer, viewerReducer } from './viewer-state.ts';

const opened = newViewer({
  lessons: [
    { id: 1, completed: true },
    { id: 2, completed: false },
    { id: 3, completed: false },
  ],
  progress: 33,
  totalPoints: 10,
  totalTimeSpent: 60,
  certificateNumber: null,
  parts: { watching: { percent: 40, isRequired: true } },
});
const answer = (lessonId: number, progress: number, certificateNumber: string | null = null) =>
  ({
    lessonId,
    progress,
    pointsAwarded: 5,
    totalPoints: 15,
    certificateNumber,
  }) as LessonCompletion;

describe('the state of the player', () => {
  it('begins as the server made the page', () => {
    expect(opened).toMatchObject({ progress: 33, points: 10, gained: 0, time: 60, watched: 40 });
    expect([...opened.done]).toEqual([1]);
  });

  it('takes what completing a lesson led to, and does not celebrate before the end', () => {
    const state = viewerReducer(opened, { do: 'complete', answer: answer(2, 67) });
    expect([...state.done]).toEqual([1, 2]);
    expect(state).toMatchObject({ progress: 67, points: 15, gained: 5, celebrates: false });
  });

  it('celebrates the lesson that finishes the course, until that is closed, and no later one', () => {
    const finished = viewerReducer(opened, { do: 'complete', answer: answer(3, 100, 'C-1') });
    expect(finished).toMatchObject({ celebrates: true, certificateNumber: 'C-1' });
    const closed = viewerReducer(finished, { do: 'celebrate', open: false });
    const again = viewerReducer(closed, { do: 'complete', answer: answer(3, 100) });
    expect(again).toMatchObject({ celebrates: false, certificateNumber: 'C-1' });
    expect(finishes(100, answer(3, 100))).toBe(false);
  });

  it('is brought up to date after another page, and keeps the time of this one', () => {
    const lessons = [1, 2].map((lessonId) => ({
      ...{ lessonId, completed: true, timeSpent: 0, completedAt: null },
      ...{ score: null, attempts: 0, notes: '', points: 0 },
    }));
    const state = viewerReducer(opened, { do: 'restore', now: { lessons, totalPoints: 20, progress: 67 } });
    expect([...state.done]).toEqual([1, 2]);
    expect(state).toMatchObject({ points: 20, progress: 67, time: 60, watched: 40 });
  });

  it('keeps what was watched where a report says nothing of it', () => {
    const counted = { timeSpent: 5, totalTimeSpent: 65, watchedPercent: null };
    expect(viewerReducer(opened, { do: 'count', counted })).toMatchObject({ time: 65, watched: 40 });
    const more = { ...counted, watchedPercent: 90 };
    expect(viewerReducer(opened, { do: 'count', counted: more }).watched).toBe(90);
  });
});

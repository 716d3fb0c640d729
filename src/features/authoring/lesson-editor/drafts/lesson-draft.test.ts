import { describe, expect, it } from 'vitest';
import { LESSON_TYPES } from '#src/features/lessons/registry.ts';
import { emptyLesson } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { lessonDraftKey, parseKeptLesson } from './lesson-draft.ts';

const keptAt = '2026-11-23T10:00:00.000Z';

describe('a kept lesson', () => {
  it.each(LESSON_TYPES)('of the type %s is read as it was written', (type) => {
    const lesson = { ...emptyLesson(type), title: 'Half', durationSeconds: 33 };
    expect(parseKeptLesson(JSON.stringify({ keptAt, lesson }), type)).toEqual({ keptAt, lesson });
  });

  it('has what came since then as an empty one', () => {
    const { expectedMistakes: _, ...exercise } = emptyLesson('interactive_coding').exercise;
    const lesson = { ...emptyLesson('interactive_coding'), chapters: undefined, exercise };
    const kept = parseKeptLesson(JSON.stringify({ keptAt, lesson }), 'interactive_coding');
    expect(kept?.lesson).toEqual(emptyLesson('interactive_coding'));
  });

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['another thing', '[]'],
    ['no moment', JSON.stringify({ keptAt: 'today', lesson: emptyLesson('text') })],
    ['another type', JSON.stringify({ keptAt, lesson: emptyLesson('quiz') })],
    ['a field of another kind', JSON.stringify({ keptAt, lesson: { ...emptyLesson('text'), title: ['a'] } })],
  ])('is none where there is %s', (_name, text) => {
    expect(parseKeptLesson(text, 'text')).toBeNull();
  });

  it('has a name of its own for each person, lesson and new type', () => {
    const names = [
      lessonDraftKey(1, { lessonId: 5, courseId: 2, type: 'text' }),
      lessonDraftKey(2, { lessonId: 5, courseId: 2, type: 'text' }),
      lessonDraftKey(1, { lessonId: null, courseId: 2, type: 'text' }),
      lessonDraftKey(1, { lessonId: null, courseId: 2, type: 'quiz' }),
    ];
    expect(new Set(names).size).toBe(4);
  });
});

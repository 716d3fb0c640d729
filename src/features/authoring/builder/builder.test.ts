import { describe, expect, it } from 'vitest';
import { stepItem } from '#src/components/row-tools.ts';
import { type BuilderDraft, type BuiltType, lessonForCall, parseDraft } from './builder.ts';
import { builtPoints, emptyLesson } from '#src/features/authoring/lesson-editor/lesson-fields.ts';
import { moveItem } from '#src/features/authoring/lesson-editor/lessons.ts';
import { builtLessonInput, lessonProblems } from './schema.ts';
import {
  emptyTest,
  exerciseProblems,
  nextTest,
  unfinishedTest,
} from '#src/features/authoring/lesson-editor/exercise.ts';
import { newScenario } from '#src/features/authoring/scenario-editor/scenario-draft.ts';

const DRAFT_ID = '0b1e9c1e-8f1e-4c1e-9d1e-2b1e9c1e8f1e';
const newLesson = <T extends BuiltType>(type: T, key: string) => ({ ...emptyLesson(type), type, key });
const coding = () => ({ ...newLesson('interactive_coding', 'a'), title: 'Add' });
const test = (part: object) => ({ ...emptyTest(), input: 'f(1)', expectedOutput: '1', ...part });

describe('points', () => {
  it.each([
    ['', 10],
    ['  ', 10],
    ['ten', 10],
    ['1e3', 10],
    [undefined, 10],
    [null, 10],
    [Number.NaN, 10],
    ['0', 0],
    [' 25 ', 25],
    ['-1', -1],
    [1.5, 1.5],
  ])('%j counts as %j', (given, points) => {
    expect(builtPoints(given)).toBe(points);
  });
});

describe('what must be there', () => {
  it('is input and expected output before another test is added', () => {
    expect(unfinishedTest([])).toBeNull();
    expect(unfinishedTest([test({})])).toBeNull();
    expect(unfinishedTest([test({}), test({ input: '\n ' })])).toEqual({
      index: 1,
      field: 'input',
      message: 'Input is required',
    });
    expect(unfinishedTest([test({ expectedOutput: '' })])).toMatchObject({ field: 'expectedOutput' });
    expect(unfinishedTest([test({ expectedOutput: '', expectsEmpty: true })])).toBeNull();
  });

  it('compares with the type where the lesson is new, and as its other tests do where it is not', () => {
    expect(nextTest([], 'javascript').strict).toBe(true);
    expect(nextTest([test({ strict: true })], 'python').strict).toBe(true);
    expect(nextTest([test({ strict: true }), test({})], 'python').strict).toBe(false);
    expect(nextTest([test({ mode: 'stdin' })], 'python').strict).toBe(true);
    expect(nextTest([], 'html').strict).toBe(false);
  });

  it('is a description for a hidden test, and a language that reads lines for typed lines', () => {
    expect(exerciseProblems({ codingLanguage: 'python', testCases: [test({ mode: 'stdin' })] })).toEqual([]);
    expect(
      exerciseProblems({
        codingLanguage: 'css',
        testCases: [test({}), test({ mode: 'stdin', hidden: true })],
      }),
    ).toMatchObject([{ path: ['testCases', 1, 'mode'] }, { path: ['testCases', 1, 'description'] }]);
    expect(exerciseProblems({ codingLanguage: null, testCases: [] })).toMatchObject([
      { path: ['codingLanguage'] },
    ]);
  });
});

describe('why a lesson would be refused', () => {
  it('names title and instructions, which are the text of all but coding lessons', () => {
    const empty = ['title: Title is required', 'instructions: Instructions are required'];
    expect(lessonProblems(newLesson('text', 'a'))).toEqual(empty);
    expect(lessonProblems({ ...newLesson('text', 'a'), title: 'T', content: 'Read' })).toEqual([]);
    const lesson = { ...coding(), content: '<p>fixture</p>' };
    expect(lessonProblems(lesson)).toEqual(empty.slice(1));
    expect(lessonProblems({ ...lesson, exercise: { ...lesson.exercise, instructions: 'Do' } })).toEqual([]);
  });

  it('names what a half written scenario lacks', () => {
    const lesson = { ...newLesson('scenario', 'a'), title: 'T', content: 'Text', scenario: newScenario() };
    expect(lessonProblems(lesson)).not.toEqual([]);
    expect(lessonProblems({ ...lesson, scenario: null })).toEqual([]);
  });
});

describe('a lesson for the call', () => {
  it('has the fields of its type only, its place, and the text under the name that the call has for it', () => {
    const lesson = {
      ...newLesson('text', 'a'),
      title: 'T',
      content: 'Read',
      questions: [{ id: null, question: 'Q', options: ['1', '2'], correctAnswer: 0, explanation: '' }],
    };
    const sent = lessonForCall(lesson, 4);
    expect(sent).toMatchObject({ type: 'text', instructions: 'Read', content: '', order: 4, questions: [] });
    expect(builtLessonInput.parse(sent)).toMatchObject({ instructions: 'Read', points: 10, testCases: [] });
    expect(lessonForCall({ ...lesson, type: 'quiz' }, 1).questions).toHaveLength(1);
  });
});

describe('the order', () => {
  it('changes by dropping before and after another', () => {
    const list = ['a', 'b', 'c'];
    expect(moveItem(list, 'c', 'a', 'before')).toEqual(['c', 'a', 'b']);
    expect(moveItem(list, 'a', 'b', 'after')).toEqual(['b', 'a', 'c']);
    expect(moveItem(list, 'a', 'a', 'after')).toEqual(list);
    expect(moveItem(list, undefined, 'a', 'after')).toEqual(list);
    expect(moveItem(list, 'a', undefined, 'after')).toEqual(list);
  });

  it('changes by a step, and ends at the edges', () => {
    expect(stepItem([1, 2, 3], 0, 1)).toEqual([2, 1, 3]);
    expect(stepItem([1, 2, 3], 2, -1)).toEqual([1, 3, 2]);
    expect(stepItem([1, 2, 3], 2, 1)).toEqual([1, 2, 3]);
    expect(stepItem([1, 2, 3], 0, -1)).toEqual([1, 2, 3]);
  });
});

describe('a draft', () => {
  const draft: BuilderDraft & { keptAt: string } = {
    ...{ draftId: DRAFT_ID, course: { title: 'T', level: 'beginner' }, whenProven: true },
    ...{ lessons: [coding()], open: newLesson('scenario', 'b'), keptAt: 'now' },
  };

  it('comes back from storage as it was', () => {
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
  });

  it('is none while there is nothing in it but a level', () => {
    const blank = { ...draft, course: { level: 'advanced', title: '' }, lessons: [], open: null };
    expect(parseDraft(JSON.stringify(blank))).toBeNull();
    expect(parseDraft(JSON.stringify({ ...blank, open: draft.open }))).not.toBeNull();
    expect(parseDraft(JSON.stringify({ ...blank, course: { price: '4' } }))).not.toBeNull();
  });

  it('comes back whole where an older page kept less, and not at all where nothing can be read', () => {
    const lesson = { key: 'a', type: 'interactive_coding', title: 'Old', exercise: { solution: 'x' } };
    const { whenProven: _, ...older } = draft;
    const kept = parseDraft(JSON.stringify({ ...older, lessons: [lesson] }));
    expect(kept!.lessons[0]).toMatchObject({
      title: 'Old',
      questions: [],
      exercise: { solution: 'x', hints: [], codingLanguage: 'javascript' },
    });
    for (const text of [null, '', '{', 'null', '[]', '{"draftId":"x"}']) expect(parseDraft(text)).toBeNull();
    expect(parseDraft(JSON.stringify({ ...draft, lessons: [{ ...lesson, type: 'video' }] }))).toBeNull();
  });
});

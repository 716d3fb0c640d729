import { and, eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '#db/client.ts';
import { makeCourse, makeEnrollment, makeLesson, makeUser } from '../../support/factories.ts';
import { courses, lessons, lessonTexts } from '#db/schema/catalogue.ts';
import { enrollments, lessonProgress, quizQuestions } from '#db/schema/learn.ts';
import { saveNotes } from '#src/features/learn/notes/notes.server.ts';
import { readCaptions } from '#src/features/learn/search/captions.server.ts';
import { SHOWN_MAX, searchOwned } from '#src/features/learn/search/owned-search.server.ts';
import { moveLesson } from '#src/features/lessons/lesson-store.server.ts';
import { saveFile } from '#src/server/files/files.ts';
import { moveBack } from '../../support/move-back.ts';

/** Somebody enrolled in a course with a text about knots. */
async function learner(text: Parameters<typeof makeLesson>[1] = {}) {
  const user = await makeUser();
  const course = await makeCourse();
  const lesson = await makeLesson(course.id, {
    title: 'The bowline',
    content: '## Tying\n\nA **loop** that does not _slip_: [more](https://example.com/knots).',
    ...text,
  });
  await makeEnrollment(user.id, course.id);
  return { user, course, lesson };
}

const found = async (userId: number, search: string) => {
  const { courses: found, count } = await searchOwned(userId, search);
  const places = found.flatMap(({ places }) => places);
  expect(places).toHaveLength(count);
  return places;
};
const idsOf = async (userId: number, search: string) =>
  (await found(userId, search)).map(({ lessonId }) => lessonId);

it('finds lessons by title and text, in any form and by a beginning, in plain words', async () => {
  const { user, course, lesson } = await learner();
  for (const search of ['bowlines', 'LOOPS', 'slip loop', 'bowl', 'bowline slipping', 'Bówline']) {
    expect(await idsOf(user.id, search), search).toEqual([lesson.id]);
  }
  for (const search of ['', ' ', '%_&|!', 'granny', 'loop granny', '@1', `@${course.id}`, '\0', '🪢']) {
    expect(await idsOf(user.id, search), search).toEqual([]);
  }
  const [place] = await found(user.id, 'loop');
  expect(place).toMatchObject({
    kind: 'text',
    lessonTitle: 'The bowline',
    href: `/learn/${course.id}?lesson=${lesson.id}`,
    passage: 'Tying A loop that does not slip: more (https://example.com/knots).',
  });
  expect(await idsOf(user.id, `${'loop '.repeat(60)}`)).toEqual([lesson.id]);
});

it('puts titles first and groups by course, and says where there is more than is shown', async () => {
  const { user, course, lesson } = await learner({ title: 'Nothing', content: 'bowline '.repeat(30) });
  const titled = await makeLesson(course.id, { title: 'A bowline' });
  const other = await makeCourse();
  await makeEnrollment(user.id, other.id);
  const third = await makeLesson(other.id, { title: 'Bowlines', content: '' });
  const two = await searchOwned(user.id, 'bowline');
  expect(two.courses.map(({ id }) => id).sort()).toEqual([course.id, other.id].sort());
  expect(two.courses.find(({ id }) => id === course.id)!.places.map(({ lessonId }) => lessonId)).toEqual([
    titled.id,
    lesson.id,
  ]);
  expect([two.count, two.isMore, third.id > 0]).toEqual([3, false, true]);
  await db().execute(sql`
    insert into ${lessons} (course_id, title, type, "order", content)
    select ${course.id}, 'Bowline ' || n, 'text', n + 10, '' from generate_series(1, 40) n`);
  expect(await searchOwned(user.id, 'bowline')).toMatchObject({ count: SHOWN_MAX, isMore: true });
});

it('makes up for mistyped words that the store knows', async () => {
  const { user, lesson } = await learner({ title: 'Photography at night' });
  await makeCourse({ title: 'Photography' });
  expect(await searchOwned(user.id, 'fotography')).toMatchObject({
    corrected: 'photography',
    courses: [{ places: [{ lessonId: lesson.id }] }],
  });
});

it('follows what authors change', async () => {
  const { user, course, lesson } = await learner();
  await db().update(lessons).set({ content: 'Now about hitches.' }).where(eq(lessons.id, lesson.id));
  expect(await idsOf(user.id, 'loop')).toEqual([]);
  expect(await idsOf(user.id, 'hitch')).toEqual([lesson.id]);
  const elsewhere = await makeCourse();
  const { id: _, courseId: __, ...row } = { ...lesson, content: 'Now about hitches.' };
  await db().transaction((tx) => moveLesson(tx, lesson.id, elsewhere.id, row, null));
  expect(await idsOf(user.id, 'hitch')).toEqual([]);
  await makeEnrollment(user.id, elsewhere.id);
  expect(await idsOf(user.id, 'hitch')).toEqual([lesson.id]);
  await db().delete(lessons).where(eq(lessons.id, lesson.id));
  expect(await idsOf(user.id, 'hitch')).toEqual([]);
  expect(await db().$count(lessonTexts, eq(lessonTexts.lessonId, lesson.id))).toBe(0);
  expect(course.id).not.toBe(elsewhere.id);
});

it('shows nothing of a course that is not theirs, or not any more', async () => {
  const { user, course, lesson } = await learner();
  expect(await idsOf((await makeUser()).id, 'bowline')).toEqual([]);
  expect(await idsOf((await learner({ title: 'Other', content: 'Other.' })).user.id, 'bowline')).toEqual([]);
  const access = (status: 'active' | 'revoked' | 'suspended') =>
    db().update(enrollments).set({ status }).where(eq(enrollments.userId, user.id));
  for (const status of ['suspended', 'revoked'] as const) {
    await access(status);
    expect(await searchOwned(user.id, 'bowline')).toMatchObject({ courses: [], count: 0, isMore: false });
  }
  await access('active');
  // Taken off the store it is still theirs.
  await db().update(courses).set({ isActive: false }).where(eq(courses.id, course.id));
  expect(await idsOf(user.id, 'bowline')).toEqual([lesson.id]);
});

it('shows nothing of a lesson that has not opened for them', async () => {
  const { user, course, lesson } = await learner();
  const closed = await makeLesson(course.id, { title: 'Secret bowline', opening: { afterDays: 3 } });
  const later = await makeLesson(course.id, { title: 'Later bowline', opening: { on: '2999-01-01' } });
  const after = await makeLesson(course.id, { title: 'Next bowline', opening: { afterEarlier: true } });
  const shown = await makeLesson(course.id, {
    title: 'Shown bowline',
    isPreview: true,
    opening: { on: '2999-01-01' },
  });
  await db()
    .insert(lessonProgress)
    .values({ userId: user.id, lessonId: closed.id, courseId: course.id, notes: 'bowline of mine' });
  expect((await idsOf(user.id, 'bowline')).sort((a, b) => a - b)).toEqual([lesson.id, shown.id]);
  await moveBack(enrollments, eq(enrollments.userId, user.id), { enrolledAt: { days: 4 } });
  expect(new Set(await idsOf(user.id, 'bowline'))).toEqual(new Set([lesson.id, shown.id, closed.id]));
  await db()
    .insert(lessonProgress)
    .values(
      [lesson.id, closed.id, later.id].map((lessonId) => ({
        userId: user.id,
        lessonId,
        courseId: course.id,
        completed: true,
        completedAt: new Date(),
      })),
    )
    .onConflictDoUpdate({
      target: [lessonProgress.userId, lessonProgress.lessonId],
      set: { completed: true, completedAt: new Date() },
    });
  expect(await idsOf(user.id, 'next bowline')).toEqual([after.id]);
});

it('finds own notes, and nobody else’s', async () => {
  const { user, course, lesson } = await learner();
  await saveNotes(user.id, lesson.id, { notes: 'Remember the [1:15] marlinspike', version: 0 });
  const other = await makeUser();
  await makeEnrollment(other.id, course.id);
  await saveNotes(other.id, lesson.id, { notes: 'My own toggle', version: 0 });
  expect(await found(user.id, 'marlinspikes')).toMatchObject([
    {
      kind: 'notes',
      passage: 'Remember the [1:15] marlinspike',
      href: `/learn/${course.id}?lesson=${lesson.id}&view=course#notes-heading`,
    },
  ]);
  expect(await found(user.id, 'toggle')).toEqual([]);
  expect(await found(other.id, 'marlinspike')).toEqual([]);
  await saveNotes(user.id, lesson.id, { notes: 'Only whipping', version: 1 });
  expect(await found(user.id, 'marlinspike')).toEqual([]);
  expect(await found(user.id, 'whipping')).toHaveLength(1);
  await db()
    .delete(lessonProgress)
    .where(and(eq(lessonProgress.userId, user.id), eq(lessonProgress.lessonId, lesson.id)));
  expect(await found(user.id, 'whipping')).toEqual([]);
});

it('finds what a quiz asks, never what is right, nor what a draw may keep back', async () => {
  const { user, course } = await learner();
  const quiz = await makeLesson(course.id, { type: 'quiz', title: 'Check', content: '' });
  const question = { lessonId: quiz.id, options: ['Sheepshank', 'Granny'], correctAnswer: 0 };
  await db()
    .insert(quizQuestions)
    .values([
      { ...question, question: 'Which one is simple?', explanation: 'Anything.', order: 1 },
      {
        ...question,
        question: 'Which one shortens a **rope**?',
        explanation: 'Because of friction.',
        order: 2,
      },
      {
        lessonId: quiz.id,
        kind: 'gaps',
        question: 'Complete the verse',
        options: [],
        details: { text: 'A [[monkeyfist]] is thrown' },
        order: 3,
      },
    ]);
  expect(await found(user.id, 'shorten rope')).toMatchObject([
    { kind: 'questions', lessonId: quiz.id, passage: 'Which one shortens a rope?' },
  ]);
  for (const secret of ['sheepshank', 'friction', 'monkeyfist', 'granny']) {
    expect(await found(user.id, secret), secret).toEqual([]);
  }
  await db()
    .update(lessons)
    .set({ quizSettings: { draw: [{ tag: 'x', count: 1 }] } })
    .where(eq(lessons.id, quiz.id));
  expect(await found(user.id, 'shorten rope')).toEqual([]);
  await db().update(lessons).set({ quizSettings: {} }).where(eq(lessons.id, quiz.id));
  expect(await found(user.id, 'shorten rope')).toHaveLength(1);
  await db().delete(quizQuestions).where(eq(quizQuestions.lessonId, quiz.id));
  expect(await found(user.id, 'shorten rope')).toEqual([]);
});

it('finds nothing of solutions, tests, hints and work that was handed in', async () => {
  const { user, course } = await learner();
  const coding = await makeLesson(course.id, {
    type: 'interactive_coding',
    codingLanguage: 'javascript',
    title: 'Sum',
    instructions: 'Write `addition`.',
    content: '',
    solution: 'solutionword',
    starterCode: 'starterword',
    expectedOutput: 'outputword',
    hints: ['hintword'],
    testCases: [{ input: 'inputword', expectedOutput: 'expectedword', hidden: true }],
  });
  const handedIn = await makeLesson(course.id, { type: 'assignment', title: 'Essay' });
  await db().execute(sql`
    insert into assignments (user_id, lesson_id, submission, feedback)
    values (${user.id}, ${handedIn.id}, 'submissionword', 'feedbackword')`);
  expect(await idsOf(user.id, 'addition')).toEqual([coding.id]);
  for (const word of [
    'solution',
    'starter',
    'output',
    'hint',
    'input',
    'expected',
    'submission',
    'feedback',
  ]) {
    expect(await found(user.id, `${word}word`), word).toEqual([]);
  }
});

it('finds what is said in a video, and leads to the moment', async () => {
  const save = (said: string) =>
    saveFile({
      area: 'files',
      originalName: 'captions.vtt',
      bytes: Buffer.from(`WEBVTT\n\n00:01.000 --> 00:03.000\nHello\n\n01:15.400 --> 01:18.000\n${said}\n`),
    });
  const { path } = await save('Now <b>the</b> clove hitch');
  const { user, course, lesson } = await learner({ type: 'video', captionsUrl: path });
  expect(await found(user.id, 'clove')).toEqual([]);
  await readCaptions();
  await readCaptions();
  expect(await found(user.id, 'clove hitches')).toMatchObject([
    {
      kind: 'captions',
      clock: '1:15',
      passage: 'Now the clove hitch',
      href: `/learn/${course.id}?lesson=${lesson.id}&t=75`,
    },
  ]);
  const { path: next } = await save('A rolling turn');
  await db().update(lessons).set({ captionsUrl: next }).where(eq(lessons.id, lesson.id));
  expect(await found(user.id, 'clove')).toEqual([]);
  await readCaptions();
  expect(await found(user.id, 'rolling')).toHaveLength(1);
  // Not to be read, here or at all: looked at once, and never found.
  for (const address of ['https://example.com/a.vtt', '/files/none/gone.vtt']) {
    await db().update(lessons).set({ captionsUrl: address }).where(eq(lessons.id, lesson.id));
    expect(await readCaptions()).toBe(1);
    expect(await readCaptions()).toBe(0);
    expect(await found(user.id, 'rolling')).toEqual([]);
  }
});
